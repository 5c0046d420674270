"""How much one address may ask for."""

from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import httpx
from hypothesis import given
from hypothesis import strategies as st
from made_web import made_context
from web_client import WebClient

from pipeline.jobs import JobLimits
from pipeline.web.addresses import client_address
from pipeline.web.app import create_app
from pipeline.web.rate_limit import (
    JOBS,
    Rate,
    RateLimit,
    TokenBuckets,
    behind_proxies,
)


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


async def _app(
    scope: MutableMapping[str, Any], receive: Any, send: Any
) -> None:  # what the limit stands before
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"fine"})


def _limited(clock: Clock, trusted: tuple[str, ...] = ()) -> Any:
    limited = RateLimit(
        _app,
        clock=clock,
        makes_job=lambda method, path: method == "POST" and path == "/api/v1/jobs",
        pages=Rate(burst=4, per_minute=60),
        jobs=Rate(burst=2, per_minute=2),
    )
    return behind_proxies(limited, trusted)


def _asked(
    app: Any,
    method: str = "GET",
    path: str = "/",
    *,
    address: str = "192.0.2.1",
    headers: dict[str, str] | None = None,
) -> httpx.Response:
    return WebClient(app, address=address).request(method, path, headers=headers)


def test_an_address_that_asks_too_often_is_told_when_to_come_back() -> None:
    clock = Clock()
    app = _limited(clock)
    assert [_asked(app).status_code for _ in range(5)] == [200, 200, 200, 200, 429]
    refused = _asked(app)
    assert refused.headers["retry-after"] == "1"
    assert "Your address asks too often: try again in 1 second." in refused.text
    clock.seconds += 1
    assert _asked(app).status_code == 200
    assert _asked(app).status_code == 429


def test_another_address_is_not_held_up() -> None:
    app = _limited(Clock())
    assert [_asked(app).status_code for _ in range(5)][-1] == 429
    assert _asked(app, address="192.0.2.2").status_code == 200


def test_making_jobs_is_limited_more_strictly_than_reading() -> None:
    clock = Clock()
    app = _limited(clock)
    made = [_asked(app, "POST", "/api/v1/jobs").status_code for _ in range(3)]
    assert made == [200, 200, 429]
    assert _asked(app).status_code == 200
    clock.seconds += 3
    refused = _asked(app, "POST", "/api/v1/jobs")
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json() == {
        "title": "Too Many Requests",
        "status": 429,
        "detail": "Your address asks too often: try again in 27 seconds.",
    }


def test_monitors_and_the_parts_of_a_page_cost_nothing() -> None:
    app = _limited(Clock())
    paths = ["/healthz", "/metrics", "/static/web.css"] * 5
    assert {_asked(app, path=path).status_code for path in paths} == {200}


def test_a_forwarded_address_counts_only_from_a_proxy_that_is_trusted() -> None:
    pretending = [{"X-Forwarded-For": f"198.51.100.{n}"} for n in range(5)]
    untrusting = _limited(Clock())
    statuses = [_asked(untrusting, headers=headers).status_code for headers in pretending]
    assert statuses[-1] == 429
    trusting = _limited(Clock(), ("192.0.2.1",))
    statuses = [_asked(trusting, headers=headers).status_code for headers in pretending]
    assert statuses == [200] * 5
    # What the asker wrote before the proxy's own addition is not believed.
    forged = [{"X-Forwarded-For": f"203.0.113.{n}, 198.51.100.77"} for n in range(5)]
    assert [_asked(trusting, headers=headers).status_code for headers in forged][-1] == 429


def test_one_ipv6_network_counts_as_one_address() -> None:
    one, other = ("2001:db8:0:1::1", 1), ("2001:db8:0:1:ffff::2", 2)
    assert client_address({"client": one}) == client_address({"client": other})
    assert client_address({"client": ("2001:db8:0:2::1", 1)}) != client_address({"client": one})
    assert client_address({"client": ("::ffff:192.0.2.7", 1)}) == "192.0.2.7"


def test_memory_stays_bounded_with_many_addresses() -> None:
    buckets = TokenBuckets(Rate(burst=1, per_minute=1), clock=Clock(), most_addresses=100)
    for number in range(1000):
        buckets.wait_seconds(str(number))
    assert len(buckets) == 100
    assert buckets.wait_seconds("999") > 0


def test_the_server_limits_orders_by_page_and_by_program_together(tmp_path: Path) -> None:
    with made_context(tmp_path, limits=JobLimits(waiting_per_address=100)) as context:
        app = create_app(context)
        for number in range(JOBS.burst // 2):
            made = WebClient(app).post("/api/v1/jobs", json={"username": f"Player{number}"})
            assert made.status_code == 202
            form = {"player": f"Somebody{number}", "speeds": "blitz"}
            assert WebClient(app).post("/reports", data=form).status_code == 303
        for path in ("/api/v1/jobs", "/api/v1/jobs/pgn", "/reports", "/upload"):
            assert _asked(app, "POST", path, address="127.0.0.1").status_code == 429
        assert _asked(app, path="/api/v1/version", address="127.0.0.1").status_code == 200


@given(
    burst=st.integers(1, 20),
    per_minute=st.floats(0.5, 600),
    pauses=st.lists(st.floats(0, 30), max_size=60),
)
def test_never_more_than_the_burst_and_the_rate_allow(
    burst: int, per_minute: float, pauses: list[float]
) -> None:
    clock = Clock()
    buckets = TokenBuckets(Rate(burst=burst, per_minute=per_minute), clock=clock)
    begun, granted = clock.seconds, 0
    for pause in pauses:
        clock.seconds += pause
        granted += buckets.wait_seconds("somebody") == 0
        assert granted <= burst + (clock.seconds - begun) * per_minute / 60 + 1e-6


@given(burst=st.integers(1, 5), per_minute=st.floats(0.5, 600))
def test_after_the_wait_that_was_told_there_is_a_token(burst: int, per_minute: float) -> None:
    clock = Clock()
    buckets = TokenBuckets(Rate(burst=burst, per_minute=per_minute), clock=clock)
    for _ in range(burst):
        assert buckets.wait_seconds("somebody") == 0
    clock.seconds += buckets.wait_seconds("somebody") + 1e-6
    assert buckets.wait_seconds("somebody") == 0
