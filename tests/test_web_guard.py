"""Who may ask the server, for how much, and what browsers are told to do with its answers."""

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_web import client_fixture, context_fixture, empty_store_fixture  # noqa: F401
from starlette.datastructures import Headers
from web_client import WebClient

from config.errors import StoreError
from pipeline.web.app import makes_job
from pipeline.web.context import WebContext
from pipeline.web.guard import is_cross_site, is_own_host

LOOPBACK = ("127.0.0.1", "127.0.0.1:8008", "[::1]:8008", "localhost", "LOCALHOST:80", "a.localhost")


@pytest.mark.parametrize("host", [*LOOPBACK, "192.168.1.20:8008", "chess.example:8008"])
def test_the_server_is_asked_by_its_address_or_a_name_it_was_given(host: str) -> None:
    assert is_own_host(host, {"chess.example"})


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "[", "a b", "@"],
)
def test_a_foreign_name_that_points_here_is_refused(host: str, client: WebClient) -> None:
    assert not is_own_host(host, {"chess.example"})
    if host and host.isascii() and " " not in host:
        answer = client.get("/", headers={"Host": host})
        assert answer.status_code == 421
        assert "web.hosts" in answer.text


@given(st.text())
def test_any_host_header_is_judged_without_failing(host: str) -> None:
    assert is_own_host(host, ()) in (True, False)


@pytest.mark.parametrize(
    ("headers", "is_refused"),
    [
        ({}, False),
        ({"Sec-Fetch-Site": "same-origin"}, False),
        ({"Sec-Fetch-Site": "none"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, True),
        ({"Sec-Fetch-Site": "same-site"}, True),
        ({"Origin": "http://127.0.0.1"}, False),
        ({"Origin": "http://127.0.0.1:9999"}, True),
        ({"Origin": "http://evil.example"}, True),
        ({"Origin": "null"}, True),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1"}, True),
    ],
)
def test_no_other_site_can_ask_for_anything_to_be_done(
    context: WebContext, client: WebClient, headers: dict[str, str], is_refused: bool
) -> None:
    assert is_cross_site(Headers({"Host": "127.0.0.1", **headers})) == is_refused
    form = {"player": "Quillfeather", "speeds": "blitz"}
    answer = client.post("/reports", headers=headers, data=form)
    assert answer.status_code == (403 if is_refused else 303)
    assert context.queue.counts()["queued"] == (0 if is_refused else 1)


@pytest.mark.parametrize("path", ["/", "/healthz", "/nowhere", "/static/web.css", "/calculators"])
def test_every_answer_forbids_foreign_scripts_frames_and_guessing(
    client: WebClient, path: str
) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("path", ["/", "/calculators", "/calculators/change", "/nowhere"])
def test_no_page_has_a_script_or_a_style_of_its_own_in_it(client: WebClient, path: str) -> None:
    page = client.get(path).text
    assert "<html" in page
    assert "<style" not in page
    assert " style=" not in page
    assert "<script>" not in page
    assert not any(f" on{event}=" in page for event in ("click", "load", "error", "submit"))


def test_a_body_that_says_it_is_too_long_is_not_read(client: WebClient) -> None:
    answer = client.post("/upload", headers={"Content-Length": str(2**40)}, content=b"short")
    assert answer.status_code == 413
    assert "10.2 MiB" in answer.text


def test_a_body_that_does_not_say_is_cut_off_where_it_is_too_long(
    context: WebContext, client: WebClient
) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.pgn"\r\n\r\n'
        while sent < 2**30:
            sent += 2**20
            yield bytes(2**20)
            await asyncio.sleep(0)

    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = client.post("/upload", headers=kind, content=endless())
    assert answer.status_code == 413
    assert sent < 2**25
    assert context.queue.counts()["queued"] == 0


def test_what_nobody_foresaw_is_told_without_what_it_was(
    context: WebContext, client: WebClient, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(job_id: str) -> None:
        raise RuntimeError("lip_secret")

    object.__setattr__(context.queue, "job", broken)
    with caplog.at_level(logging.WARNING):
        answer = client.get("/report/abc")
    assert answer.status_code == 500
    assert "lip_secret" not in answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("path", ["/reports", "/upload", "/report/x/again", "/api/v1/jobs"])
def test_asking_for_reports_has_a_limit_of_its_own(path: str) -> None:
    assert makes_job("POST", path)
    assert not makes_job("GET", path)
    assert not makes_job("POST", "/report/x/cancel")


def test_who_asks_too_often_is_told_when_to_come_back(client: WebClient) -> None:
    answers = [client.post("/report/x/again").status_code for _ in range(12)]
    assert answers[0] == 404
    assert answers[-1] == 429


def test_a_server_whose_store_cannot_be_read_is_not_healthy(
    context: WebContext, client: WebClient
) -> None:
    assert client.get("/healthz").text == "ok\n"

    def unreadable() -> None:
        raise StoreError("The store /var/private/movelo.sqlite cannot be used: disk I/O error")

    object.__setattr__(context.queue, "counts", unreadable)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert "/var/private" not in answer.text
