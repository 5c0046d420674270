"""The pages: asking for a report, finding it again, reading it in one's language."""

import hashlib
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_reports import made_player_report
from made_web import client_fixture, context_fixture, empty_store_fixture, made_context  # noqa: F401
from web_client import WebClient

import reports
from config.settings import load_settings
from pipeline.jobs import JobLimits, JobOrder, JobProgress, StageProgress
from pipeline.web.app import create_app
from pipeline.web.context import WebContext
from pipeline.web.orders import Typed, file_order, lichess_order
from reports.web_pages import StartForm

ASKED = {"player": "Quillfeather", "speeds": ["blitz", "rapid"], "last": "50"}
STATIC = Path(reports.__file__).parent / "static"


def asked(client: WebClient, **form: object) -> str:
    """The address of the report that was asked for."""
    answer = client.post("/reports", data={**ASKED, **form})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def finished(context: WebContext, client: WebClient, *, games: int = 3) -> str:
    address = asked(client)
    job_id = address.removeprefix("/report/")
    assert context.queue.claim("a worker")
    report = made_player_report(games)
    assert context.queue.end_done(job_id, "a worker", JobProgress(), report)
    return address


def test_what_is_typed_becomes_an_order(context: WebContext, client: WebClient) -> None:
    address = asked(client, since="2026-01-31", until="2026-02-01", casual="yes")
    job = context.queue.job(address.removeprefix("/report/"))
    assert job is not None
    selection = job.order.selection
    assert (selection.player, selection.speeds) == ("Quillfeather", ("blitz", "rapid"))
    assert (selection.last, selection.casual) == (50, True)
    assert selection.since == datetime(2026, 1, 31, tzinfo=UTC)
    assert selection.until == datetime(2026, 2, 1, 23, 59, 59, 999_000, tzinfo=UTC)


def test_days_are_those_of_the_reader() -> None:
    zone = timezone(timedelta(hours=-5))
    typed = Typed(texts={"player": "ab", "since": "2026-01-31"}, speeds=["blitz"])
    order = lichess_order(typed, load_settings(), zone)
    assert isinstance(order, JobOrder)
    assert order.selection.since == datetime(2026, 1, 31, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"player": ""}, "Type a Lichess username."),
        ({"player": "a"}, "cannot be a Lichess name"),
        ({"player": "../../etc/passwd"}, "cannot be a Lichess name"),
        ({"player": "<script>alert(1)</script>"}, "cannot be a Lichess name"),
        ({"player": "x" * 1_000_000}, "cannot be a Lichess name"),
        ({"player": "кто-то"}, "cannot be a Lichess name"),
        ({"speeds": []}, "Choose one speed"),
        ({"speeds": ["warp"]}, "Choose one speed"),
        ({"last": "0"}, "whole number from 1 to 500"),
        ({"last": "501"}, "whole number from 1 to 500"),
        ({"last": "²"}, "whole number from 1 to 500"),
        ({"last": "9" * 5000}, "whole number from 1 to 500"),
        ({"since": "yesterday"}, "This is no day"),
        ({"until": "0001-01-01"}, "This is no day"),
        ({"since": "2026-02-01", "until": "2026-01-01"}, "lies before the other one"),
    ],
)
def test_what_cannot_be_asked_for_is_said_beside_its_field(
    context: WebContext, client: WebClient, form: dict[str, object], sentence: str
) -> None:
    answer = client.post("/reports", data={**ASKED, **form})
    assert answer.status_code in (400, 422)
    if answer.status_code == 422:
        assert sentence in answer.text
        assert 'role="alert"' in answer.text
    assert "<script>alert" not in answer.text
    assert context.queue.counts()["queued"] == 0


@given(st.dictionaries(st.sampled_from(["player", "last", "since", "until"]), st.text()))
def test_whatever_is_typed_gives_an_order_or_sentences(texts: dict[str, str]) -> None:
    found = lichess_order(Typed(texts=texts, speeds=["blitz"]), load_settings(), UTC)
    assert isinstance(found, JobOrder) or found.errors


@given(st.text(max_size=200), st.binary())
def test_whatever_is_handed_in_gives_an_order_or_sentences(name: str, content: bytes) -> None:
    found = file_order(Typed(texts={"file_player": name}), content, load_settings())
    assert isinstance(found, StartForm) == bool(
        not content.strip() or len(name.strip()) > 100 or not name.strip().isprintable()
    )


def test_a_file_or_pasted_games_are_handed_in(context: WebContext, client: WebClient) -> None:
    pgn = b'[White "Ann"]\n\n1. e4 e5 1-0'
    for files, data in (
        ({"file": ("my games.pgn", pgn)}, {"file_player": "Ann"}),
        ({"file": ("", b"")}, {"pasted": pgn.decode(), "file_player": ""}),
    ):
        answer = client.post("/upload", files=files, data=data)
        assert answer.status_code == 303, answer.text
        job_id = answer.headers["location"].removeprefix("/report/")
        job = context.queue.job(job_id)
        assert job is not None
        assert (job.order.source, job.player) == ("file", data["file_player"])
        assert context.queue.content(job_id) == pgn


def test_a_form_without_games_or_that_is_none_is_refused(client: WebClient) -> None:
    answer = client.post("/upload", files={"file": ("", b"")}, data={"pasted": " \n"})
    assert answer.status_code == 422
    assert "Choose a file, or paste games." in answer.text
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    assert client.post("/upload", headers=kind, content=b"nonsense").status_code == 400
    many = {"file": ("a", b"1"), "other": ("b", b"2")}
    assert client.post("/upload", files=many).status_code == 400


def test_a_full_queue_is_said_on_the_page(tmp_path: Path) -> None:
    with made_context(tmp_path, limits=JobLimits(waiting_per_address=1)) as context:
        client = WebClient(create_app(context))
        asked(client)
        answer = client.post("/reports", data={**ASKED, "player": "Somebody"})
        assert answer.status_code == 429
        assert "1 report is being made for you already" in answer.text
        assert 'value="Somebody"' in answer.text, "what was typed is still there"


def test_a_browser_finds_its_own_reports_again_and_nobody_else_s(client: WebClient) -> None:
    answer = client.post("/reports", data=ASKED)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    mine = {"Cookie": cookie.split(";")[0]}
    address = answer.headers["location"]
    assert address in client.get("/", headers=mine).text
    assert address not in client.get("/").text
    assert address not in client.get("/", headers={"Cookie": "movelo_visitor=other"}).text
    again = client.post("/reports", data=ASKED, headers=mine)
    assert again.headers["location"] == address, "the same is not made twice"


def test_a_report_in_the_making_shows_how_far_it_is_without_scripts_too(
    context: WebContext, client: WebClient
) -> None:
    address = asked(client)
    assert "Waiting to be begun" in client.get(address).text
    behind = asked(client, player="Another")
    # Both came at the same moment: either may be the first.
    pages = client.get(address).text + client.get(behind).text
    assert pages.count("Waiting to be begun") == pages.count("1 report comes first") == 1
    job = context.queue.claim("a worker")
    assert job is not None
    stage = StageProgress(name="Evaluating games", done=12, total=40, seconds=24)
    progress = JobProgress(
        stages=(stage, StageProgress(name="<b>bold</b>", done=0, total=None, seconds=1)),
        games_assessed=11,
        speeds=made_player_report(11).speeds,
        sentence="Lichess asks to slow down (429); going on in 60 seconds.",
    )
    assert context.queue.hold(job.id, "a worker", progress)
    page = client.get(f"/report/{job.id}").text
    assert "12 of 40, about 60 s left" in page
    assert 'max="40" value="12"' in page
    assert "First estimate, from 11 games so far" in page
    assert "Lichess asks to slow down (429)" in page
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in page
    assert f'sse-connect="/report/{job.id}/events"' in page


def test_a_report_is_cancelled_and_asked_for_again(context: WebContext, client: WebClient) -> None:
    address = asked(client)
    answer = client.post(f"{address}/cancel")
    assert answer.headers["location"] == address
    assert "This report was cancelled" in client.get(address).text
    again = client.post(f"{address}/again")
    assert again.headers["location"] != address
    assert context.queue.counts()["queued"] == 1


def test_a_failure_is_told_in_the_reader_s_words(context: WebContext, client: WebClient) -> None:
    address = asked(client)
    job = context.queue.claim("a worker")
    assert job is not None
    context.queue.end_failed(job.id, "a worker", JobProgress(), "the account <i>X</i> is closed")
    page = client.get(address).text
    assert "The account &lt;i&gt;X&lt;/i&gt; is closed." in page
    assert "Ask again" in page


def test_a_finished_report_is_read_whole_by_game_and_taken_home(
    context: WebContext, client: WebClient
) -> None:
    address = finished(context, client)
    page = client.get(address).text
    assert "How strong did" in page
    assert f'href="{address}/game/3"' in page
    for path in ("whole", "game/1"):
        alone = client.get(f"{address}/{path}")
        assert alone.status_code == 200
        policy = alone.headers["content-security-policy"]
        assert "script-src 'sha256-" in policy
        assert "frame-ancestors 'none'" in policy
    whole = client.get(f"{address}/whole").text
    home = client.get(f"{address}/report.html")
    assert f'href="{address}"' in whole
    assert f'href="{address}"' not in home.text and "How strong did" in home.text
    assert home.headers["content-disposition"].startswith("attachment;")
    assert client.get(f"{address}/report.json").json()["player"] == made_player_report(3).player
    assert client.get(f"{address}/games.csv").headers["content-type"].startswith("text/csv")


@pytest.mark.parametrize("path", ["game/0", "game/4", "game/x", "game/1e3", "nothing", "game/-1"])
def test_what_is_not_in_a_report_is_not_found(
    context: WebContext, client: WebClient, path: str
) -> None:
    answer = client.get(f"{finished(context, client)}/{path}")
    assert answer.status_code == 404
    assert "<h1>" in answer.text


def test_a_report_that_is_removed_or_forgotten_is_gone_at_once(
    context: WebContext, client: WebClient
) -> None:
    first = finished(context, client)
    assert client.get(f"{first}/whole").status_code == 200
    assert client.post(f"{first}/remove").headers["location"] == "/"
    second = finished(context, client)
    assert client.get(f"{second}/whole").status_code == 200
    context.store.forget("quillfeather")
    for address in (first, second):
        for path in ("", "/whole", "/game/1", "/report.json", "/events"):
            assert client.get(address + path).status_code == 404


def test_an_unfinished_report_has_no_pages_yet(client: WebClient) -> None:
    address = asked(client)
    for path in ("whole", "game/1", "report.html", "report.json", "games.csv"):
        assert client.get(f"{address}/{path}").status_code == 404


def test_a_hostile_name_in_a_report_stays_text(context: WebContext, client: WebClient) -> None:
    name = "\"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e'"
    address = asked(client)
    job_id = address.removeprefix("/report/")
    context.queue.claim("a worker")
    made = made_player_report(2)
    report = replace(made, player=name, notes=(name,), model_name=name)
    context.queue.end_done(job_id, "a worker", JobProgress(), report)
    for path in ("", "/whole"):
        page = client.get(address + path).text
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "\u202e" not in page
    name_in_header = client.get(f"{address}/games.csv").headers["content-disposition"]
    assert re.fullmatch(r'attachment; filename="[A-Za-z0-9_-]+\.csv"', name_in_header)


def test_the_language_is_the_page_s_then_the_chosen_one_then_the_browser_s(
    client: WebClient,
) -> None:
    def spoken(path: str = "/", **headers: str) -> str:
        found = re.search(r'<html lang="(\w+)"', client.get(path, headers=headers).text)
        assert found
        return found[1]

    french = {"Accept-Language": "fr-CA,fr;q=0.9,en;q=0.5"}
    assert spoken() == "en"
    assert spoken(**french) == "fr"
    assert spoken(**french, Cookie="movelo_language=pt") == "pt"
    assert spoken("/?lang=en", **french, Cookie="movelo_language=pt") == "en"
    assert spoken("/?lang=xx", **french, Cookie="movelo_language=../x; a=b") == "fr"


def test_what_was_made_before_is_read_in_any_language(
    context: WebContext, client: WebClient
) -> None:
    address = finished(context, client)
    french = {"Accept-Language": "fr"}
    for path in ("", "/whole", "/game/1"):
        assert '<html lang="en"' in client.get(address + path).text
        page = client.get(address + path, headers=french).text
        assert '<html lang="fr"' in page
        assert "parties" in page or "coups" in page
    failed = asked(client, player="Nobody_here")
    job = context.queue.claim("a worker")
    assert job is not None
    sentence = "Lichess knows no player called Nobody_here; check the spelling"
    context.queue.end_failed(job.id, "a worker", JobProgress(), sentence)
    assert sentence in client.get(failed).text
    said = client.get(failed, headers=french).text
    assert sentence not in said
    assert "Nobody_here" in said


def test_the_language_is_chosen_with_a_button_that_leads_back(client: WebClient) -> None:
    def chosen(before: str) -> tuple[str, str]:
        answer = client.post("/language", data={"lang": "fr"}, headers={"Referer": before})
        return answer.headers["location"], answer.headers["set-cookie"]

    address, cookie = chosen("http://127.0.0.1/calculators/change?rating=1500&lang=pt")
    assert address == "/calculators/change?rating=1500"
    assert cookie.startswith("movelo_language=fr;")
    for elsewhere in ("http://evil.example/x", "http://127.0.0.1//evil.example", "nonsense", ""):
        assert chosen(elsewhere)[0] == "/"
    assert "set-cookie" not in client.post("/language", data={"lang": "xx"}).headers


def test_static_files_are_a_fixed_list_and_asked_for_once(client: WebClient) -> None:
    first = client.get("/static/web.css")
    assert first.headers["content-type"].startswith("text/css")
    tag = first.headers["etag"]
    assert client.get("/static/web.css", headers={"If-None-Match": tag}).status_code == 304
    for name in ("README-web.md", "../pyproject.toml", "..%2f..%2fpyproject.toml", "%00"):
        assert client.get(f"/static/{name}").status_code == 404


def test_vendored_scripts_are_those_that_are_named() -> None:
    named = re.findall(
        r"^\| `([\w.-]+)` .* ([0-9a-f]{64}) \|$", (STATIC / "README-web.md").read_text(), re.M
    )
    assert [name for name, _ in named] == ["htmx.min.js", "htmx-sse.min.js"]
    for name, digest in named:
        assert hashlib.sha256((STATIC / name).read_bytes()).hexdigest() == digest
