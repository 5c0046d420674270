"""What Prometheus reads: counts by route, never who asked for whom."""

from pathlib import Path

import pytest
from fastapi import FastAPI, Response
from made_web import made_context
from prometheus_client.parser import text_string_to_metric_families
from web_client import WebClient

from pipeline.web.app import create_app
from pipeline.web.metrics import CountRequests, JobFigures, Metrics, metrics_router


def _client(figures: JobFigures) -> WebClient:
    metrics = Metrics(lambda: figures)
    app, mounted = FastAPI(), FastAPI()
    app.include_router(metrics_router(metrics))

    @app.get("/report/{job_id}")
    def report(job_id: str) -> str:
        return job_id

    @app.get("/breaks")
    def breaks() -> Response:
        raise RuntimeError("token=lip_secret")

    @mounted.get("/jobs/{job_id}")
    def job(job_id: str) -> str:
        return job_id

    app.mount("/api/v1", mounted)
    app.add_middleware(CountRequests, metrics=metrics)
    return WebClient(app)


def _samples(client: WebClient) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    text = client.get("/metrics").text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def _requests(
    route: str, status: str, method: str = "GET"
) -> tuple[str, tuple[tuple[str, str], ...]]:
    return "movelo_requests_total", (("method", method), ("route", route), ("status", status))


def test_requests_are_counted_by_route_and_not_by_address() -> None:
    client = _client(JobFigures())
    for name in ("Quillfeather", "lip_secret"):
        client.get(f"/report/{name}")
        client.get(f"/api/v1/jobs/{name}")
        client.get(f"/nowhere/{name}?token={name}")
        client.request(name.upper(), "/nowhere")
    found = _samples(client)
    assert found[_requests("/report/{job_id}", "200")] == 2
    assert found[_requests("/api/v1/jobs/{job_id}", "200")] == 2
    assert found[_requests("unmatched", "404")] == 2
    assert found[_requests("unmatched", "404", "other")] == 2
    written = client.get("/metrics").text.lower()
    assert "quillfeather" not in written and "lip_secret" not in written


def test_a_request_that_fails_is_counted_as_such() -> None:
    client = _client(JobFigures())
    client.get("/breaks")
    assert _samples(client)[_requests("/breaks", "500")] == 1


def test_durations_are_measured_for_each_route() -> None:
    client = _client(JobFigures())
    client.get("/report/1")
    key = (
        "movelo_request_duration_seconds_count",
        (("method", "GET"), ("route", "/report/{job_id}")),
    )
    assert _samples(client)[key] == 1


def test_jobs_queue_and_games_are_told_as_they_stand() -> None:
    figures = JobFigures(
        jobs_by_state={"queued": 2, "running": 1, "done": 7},
        games_evaluated=431,
    )
    found = _samples(_client(figures))
    assert found["movelo_jobs", (("state", "done"),)] == 7
    assert found["movelo_queue_length", ()] == 2
    assert found["movelo_games_evaluated", ()] == 431


@pytest.mark.parametrize(
    ("accept", "answered"),
    [
        ("*/*", "text/plain"),
        ("application/openmetrics-text; version=1.0.0", "application/openmetrics-text"),
    ],
)
def test_the_asker_chooses_the_format(accept: str, answered: str) -> None:
    found = _client(JobFigures()).get("/metrics", headers={"accept": accept})
    assert found.headers["content-type"].startswith(answered)


def test_the_server_tells_of_its_queue_and_of_nobody(tmp_path: Path) -> None:
    with made_context(tmp_path) as context:
        client = WebClient(create_app(context))
        made = client.post("/api/v1/jobs", json={"username": "Quillfeather"})
        client.get(f"/report/{made.json()['id']}")
        found, text = _samples(client), client.get("/metrics").text
    assert found["movelo_jobs", (("state", "queued"),)] == 1
    assert found["movelo_queue_length", ()] == 1
    assert found["movelo_games_evaluated", ()] == 0
    assert found[_requests("/api/v1/jobs", "202", "POST")] == 1
    assert found[_requests("/report/{job_id}", "200")] == 1
    assert "Quillfeather" not in text and made.json()["id"] not in text
