"""The JSON API: reports asked for, followed, read, cancelled and forgotten; errors as problems."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
import schemathesis
from fastapi import FastAPI
from made_reports import made_player_report
from made_web import made_context
from web_client import WebClient

from config.errors import StoreError
from pipeline.jobs import JobLimits, JobProgress, JobQueue
from pipeline.records import PlayerReport
from pipeline.web.api import create_api
from pipeline.web.context import WebContext
from reports.to_json import game_to_json, report_to_json

VISITOR = {"Movelo-Visitor": "a-secret-of-my-own"}
PGN = {"content-type": "application/x-chess-pgn"}
GAMES = b'[White "Quillfeather"]\n[Black "Rook"]\n\n1. e4 e5 *\n'


class Api(WebClient):
    """`/api/v1` alone, and the queue behind it."""

    def __init__(self, context: WebContext) -> None:
        self.app = FastAPI(openapi_url=None)
        self.app.mount("/api/v1", create_api(context))
        self.queue = context.queue
        super().__init__(self.app)

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        return super().request(method, f"/api/v1{path}", **options)

    def ordered(self, **fields: Any) -> str:
        made = self.post("/jobs", json={"username": "Quillfeather"} | fields, headers=VISITOR)
        assert made.status_code == 202
        return str(made.json()["id"])

    def finished(self, report: PlayerReport) -> str:
        job_id = self.ordered()
        self.queue.claim("worker")
        assert self.queue.end_done(job_id, "worker", JobProgress(), report)
        return job_id


@contextmanager
def _api(folder: Path, **limits: Any) -> Iterator[Api]:
    with made_context(folder, limits=JobLimits(**limits)) as context:
        yield Api(context)


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Api]:
    with _api(tmp_path) as made:
        yield made


def _problem(answer: httpx.Response, status: int) -> str:
    """Its sentence, once it is a problem of this status."""
    assert answer.headers["content-type"] == "application/problem+json"
    said = answer.json()
    assert answer.status_code == said["status"] == status
    assert said["title"] and "Traceback" not in answer.text
    return str(said["detail"])


# --- asking for reports ---


def test_a_report_is_asked_for_and_followed(api: Api) -> None:
    order = {"username": "Quillfeather", "speeds": ["blitz"], "last": 40, "casual": True}
    order["since"] = "2026-01-31T02:00:00+02:00"
    made = api.post("/jobs", json=order)
    assert made.status_code == 202
    assert made.headers["location"] == f"/api/v1/jobs/{made.json()['id']}"
    found = api.get(f"/jobs/{made.json()['id']}")
    assert found.status_code == 200 and found.json() == made.json()
    assert {
        name: found.json()[name] for name in ("state", "source", "player", "last", "since")
    } == {
        "state": "queued",
        "source": "lichess",
        "player": "Quillfeather",
        "last": 40,
        "since": "2026-01-31T00:00:00Z",
    }


def test_what_is_left_out_is_what_the_settings_say(api: Api) -> None:
    job = api.get(f"/jobs/{api.ordered()}").json()
    assert (job["speeds"], job["last"], job["casual"]) == (["blitz", "rapid"], 100, False)


def test_progress_and_a_first_estimate_are_told(api: Api) -> None:
    job_id = api.ordered()
    api.queue.claim("worker")
    progress = JobProgress(games_assessed=6, speeds=made_player_report().speeds)
    assert api.queue.hold(job_id, "worker", progress)
    job = api.get(f"/jobs/{job_id}").json()
    assert job["state"] == "running" and job["games_assessed"] == 6
    blitz, rapid = job["estimates"]
    strength = made_player_report().speeds[0].strength
    assert blitz["moves"] == {
        name: getattr(strength, name) for name in ("scale", "low", "high", "coverage")
    }
    assert rapid["moves"] == {"reason": "too few analysed moves"}


def test_games_are_handed_in(api: Api) -> None:
    made = api.post(
        "/jobs/pgn?last=7&speeds=blitz&speeds=rapid",
        content=GAMES,
        headers=PGN | {"Movelo-Player": "Quillfeather"},
    )
    assert made.status_code == 202
    job = made.json()
    assert (job["source"], job["player"], job["last"]) == ("file", "Quillfeather", 7)
    assert job["speeds"] == ["blitz", "rapid"]
    assert api.queue.content(job["id"]) == GAMES


def test_of_games_that_are_handed_in_all_are_taken(api: Api) -> None:
    job = api.post("/jobs/pgn", content=GAMES, headers=PGN).json()
    assert job["casual"] and "unknown" in job["speeds"] and job["player"] == ""
    assert job["last"] == 0  # all of them


@pytest.mark.parametrize(
    ("content", "kind", "status", "sentence"),
    [
        (b" \n", "application/x-chess-pgn", 422, "There are no games in the body"),
        (GAMES, "text/plain", 415, "Send the games as application/x-chess-pgn"),
        (GAMES, "multipart/form-data; boundary=x", 415, "Send the games as"),
        (b"x" * (11 * 2**20), "application/x-chess-pgn", 413, "more than 10 MiB"),
    ],
)
def test_what_is_no_file_of_games_is_refused(
    api: Api, content: bytes, kind: str, status: int, sentence: str
) -> None:
    answer = api.post("/jobs/pgn", content=content, headers={"content-type": kind})
    assert sentence in _problem(answer, status)


@pytest.mark.parametrize(
    ("order", "field"),
    [
        ({"username": "no such name!"}, "username"),
        ({"username": "../../etc/passwd"}, "username"),
        ({}, "username"),
        ({"username": "Quillfeather", "speeds": ["glacial"]}, "speeds.0"),
        ({"username": "Quillfeather", "last": -1}, "last"),
        ({"username": "Quillfeather", "lats": 3}, "lats"),
        ({"username": "Quillfeather", "since": "2026-01-31T00:00:00"}, "since"),
        ({"username": "Quillfeather", "since": "0001-01-01T00:00:00+14:00"}, "since"),
    ],
)
def test_an_order_that_cannot_be_met_is_refused_by_field(
    api: Api, order: dict[str, object], field: str
) -> None:
    answer = api.post("/jobs", json=order)
    assert field in _problem(answer, 422)
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_too_many_at_once_are_refused_until_later(tmp_path: Path) -> None:
    with _api(tmp_path, waiting_per_address=1, waiting=2) as api:
        api.ordered()
        own = api.post("/jobs", json={"username": "Another"})
        assert "wait until it is finished" in _problem(own, 429)
        assert own.headers["retry-after"] == "60"
        other = WebClient(api.app, address="192.0.2.9")
        assert other.post("/api/v1/jobs", json={"username": "Another"}).status_code == 202
        full = other.post("/api/v1/jobs", json={"username": "Third"})
        assert "try again later" in _problem(full, 503)


def test_what_one_asked_for_is_listed_for_whoever_knows_the_secret(api: Api) -> None:
    job_id = api.ordered()
    assert api.ordered() == job_id
    listed = api.get("/jobs", headers=VISITOR).json()["jobs"]
    assert [job["id"] for job in listed] == [job_id]
    other = {"Movelo-Visitor": "another-secret-of-mine"}
    assert api.get("/jobs", headers=other).json() == {"jobs": []}
    assert "Movelo-Visitor" in _problem(api.get("/jobs"), 422)


# --- reading, cancelling, forgetting ---


def test_a_finished_report_is_the_file_that_the_terminal_writes(api: Api) -> None:
    report = made_player_report()
    job_id = api.finished(report)
    answer = api.get(f"/jobs/{job_id}/report")
    assert answer.status_code == 200
    assert answer.json() == json.loads(report_to_json(report))
    game = report.games[3]
    one = api.get(f"/jobs/{job_id}/games/{game.id}")
    assert one.status_code == 200 and one.json() == json.loads(game_to_json(game))
    assert "no game of this id" in _problem(api.get(f"/jobs/{job_id}/games/nothing1"), 404)


def test_a_report_and_its_games_are_as_they_are_described(api: Api) -> None:
    report = made_player_report()
    job_id = api.finished(report)
    described = schemathesis.openapi.from_asgi("/api/v1/openapi.json", api.app)
    for path, names in (
        ("/jobs/{job_id}/report", {"job_id": job_id}),
        ("/jobs/{job_id}/games/{game_id}", {"job_id": job_id, "game_id": report.games[0].id}),
        ("/jobs/{job_id}", {"job_id": job_id}),
    ):
        answer = described[path]["GET"].Case(path_parameters=names).call_and_validate()
        assert answer.status_code == 200


def test_a_report_that_is_not_there_is_said_to_be_so_and_why(api: Api) -> None:
    job_id = api.ordered()
    assert "not finished yet" in _problem(api.get(f"/jobs/{job_id}/report"), 409)
    api.queue.claim("worker")
    api.queue.end_failed(job_id, "worker", JobProgress(), "Lichess has no such player.")
    assert _problem(api.get(f"/jobs/{job_id}/report"), 409) == "Lichess has no such player."
    assert api.get(f"/jobs/{job_id}").json()["failure"] == "Lichess has no such player."
    assert "no report of this id" in _problem(api.get("/jobs/unheard-of"), 404)


def test_a_job_is_cancelled_and_then_forgotten(api: Api) -> None:
    job_id = api.ordered()
    assert "cancel it first" in _problem(api.request("DELETE", f"/jobs/{job_id}"), 409)
    cancelled = api.post(f"/jobs/{job_id}/cancel")
    assert cancelled.status_code == 202 and cancelled.json()["state"] == "cancelled"
    assert "was cancelled" in _problem(api.get(f"/jobs/{job_id}/report"), 409)
    assert api.request("DELETE", f"/jobs/{job_id}").status_code == 204
    assert "no report of this id" in _problem(api.get(f"/jobs/{job_id}"), 404)


# --- the rest ---


def test_the_version_names_what_makes_the_numbers(api: Api) -> None:
    told = api.get("/version").json()
    assert told["model_speeds"] == ["blitz", "rapid"]
    assert told["model_name"] and told["movelo_version"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nothing", 404), ("PUT", "/jobs", 405), ("GET", "/calculators/astrology", 404)],
)
def test_an_address_without_anything_is_a_problem(
    api: Api, method: str, path: str, status: int
) -> None:
    assert "openapi.json" in _problem(api.request(method, path), status)


class _Broken:
    def __init__(self, error: Exception) -> None:
        self._error = error

    def job(self, job_id: str) -> None:
        raise self._error


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (StoreError("The store is read-only."), 503, "The store is read-only."),
        (RuntimeError("token lip_secret"), 500, "Something went wrong inside movelo"),
    ],
)
def test_a_failure_inside_is_a_sentence_without_its_innards(
    tmp_path: Path, error: Exception, status: int, sentence: str
) -> None:
    with made_context(tmp_path) as context:
        api = Api(replace(context, queue=cast("JobQueue", _Broken(error))))
        answer = api.get("/jobs/a-job-of-mine")
        assert _problem(answer, status).startswith(sentence)
        assert "lip_secret" not in answer.text and "RuntimeError" not in answer.text


def test_every_operation_says_what_it_is_and_how_it_fails(api: Api) -> None:
    described = json.loads(api.get("/openapi.json").text)
    assert described["servers"] == [{"url": "/api/v1"}]
    for methods in described["paths"].values():
        for operation in methods.values():
            assert operation["description"]
            assert {"422", "429", "503"} <= set(operation["responses"])
            for parameter in operation.get("parameters", ()):
                assert parameter["description"]
