"""The page of a batch, read as a browser reads it, and what the terminal and JSON say beside it."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from accessibility import serious_faults
from browser import browser_fixture, page_fixture  # noqa: F401
from playwright.sync_api import Page
from rich.console import Console

from pipeline.store.batch_records import (
    Alert,
    LinePoint,
    PlayerOutcome,
    PointsRange,
    RunAccount,
    SpeedOutcome,
)
from reports.batch_json import alert_line, outcome_line, run_json
from reports.batch_page import PLAYERS_LISTED, batch_to_html
from reports.svg_lines import sparkline
from reports.terminal_batch import render_batch

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def made_speed(median: float = 1600, **fields: object) -> SpeedOutcome:
    around = PointsRange(low=median - 100, median=median, high=median + 100, coverage=0.8)
    line = tuple(
        LinePoint(at=NOW - timedelta(days=9 - n), rating=median + 10 * n) for n in range(9)
    )
    speed = SpeedOutcome(
        speed="blitz",
        scale="lichess_blitz",
        games=12,
        first_game_at=NOW - timedelta(days=9),
        last_game_at=NOW,
        rating_last=1500,
        score=7.5,
        expected_score=6.2,
        results=around,
        moves=around,
        difference=PointsRange(low=-40, median=20, high=80, coverage=0.8),
        moves_above_probability=0.7,
        accuracy_percent=84.0,
        results_line=line,
        moves_line=line,
    )
    return replace(speed, **fields)


def made_alert(**fields: object) -> Alert:
    alert = Alert(
        kind="views_parted",
        player="Anna",
        speed="blitz",
        scale="lichess_blitz",
        points=200,
        low=120,
        high=280,
        coverage=0.8,
        probability=0.98,
        games=12,
        since=NOW - timedelta(days=9),
        until=NOW,
    )
    return replace(alert, **fields)


def made_outcome(player: str, *speeds: SpeedOutcome, **fields: object) -> PlayerOutcome:
    outcome = PlayerOutcome(
        player=player, file_stem=player, state="reported", made_at=NOW, games=12, speeds=speeds
    )
    return replace(outcome, **fields)


def html_of(*outcomes: PlayerOutcome, has_pages: bool = True) -> str:
    return batch_to_html(outcomes, title="Club", made_at=NOW, zone=UTC, has_pages=has_pages)


def test_everybody_has_a_row_a_speed_and_a_link() -> None:
    html = html_of(made_outcome("Anna", made_speed(), made_speed(1700, speed="rapid")))
    assert html.count('<a href="reports/Anna.html">') == 2
    assert "1,500–1,700" in html
    assert "−40 to +80" in html


def test_without_pages_nothing_is_linked() -> None:
    assert '<a href="reports/' not in html_of(made_outcome("Anna", made_speed()), has_pages=False)


def test_who_has_no_report_is_named_with_the_reason() -> None:
    html = html_of(
        made_outcome("Gone", state="failed", sentence="Lichess knows no player called Gone.")
    )
    assert "Lichess knows no player called Gone." in html
    assert "There is no report yet." in html


def test_alerts_are_told_the_surest_first() -> None:
    alerts = (made_alert(probability=0.96, points=-200), made_alert(kind="moves_moved"))
    html = html_of(made_outcome("Anna", made_speed(), alerts=alerts))
    assert html.index("the strength of the moves went") < html.index("stand below the results")


def test_a_name_from_a_file_runs_no_script() -> None:
    html = html_of(made_outcome("<script>alert(1)</script>", made_speed(), file_stem='a"b c'))
    assert "<script>alert" not in html
    assert 'href="reports/a%22b%20c.html"' in html
    assert len(re.findall("<script", html)) == 1


def test_the_policy_lets_our_script_alone_run() -> None:
    html = html_of(made_outcome("Anna", made_speed()))
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in html


def test_a_page_stays_small_enough_to_be_opened() -> None:
    outcomes = [made_outcome(f"P{n}", made_speed()) for n in range(PLAYERS_LISTED + 3)]
    html = html_of(*outcomes)
    assert html.count("<tr>") == PLAYERS_LISTED + 1
    assert "3 players are not listed here; summary.ndjson has everybody." in html


def test_lines_need_two_points_and_stay_in_their_frame() -> None:
    assert sparkline([(0, 1500)], [], title="x") == ""
    svg = sparkline([(0, 1500), (10, 1500)], [(0, 1400), (20, 1700)], title="<x>")
    numbers = [float(n) for d in re.findall(r'd="M([^"]+)"', svg) for n in re.split("[L ]", d)]
    assert min(numbers) >= 0
    assert max(numbers[::2]) <= 120
    assert max(numbers[1::2]) <= 28
    assert "&lt;x&gt;" in svg


def test_json_lines_hold_all_that_is_known() -> None:
    told = json.loads(outcome_line(made_outcome("Añna", made_speed(), alerts=(made_alert(),))))
    assert (told["player"], told["alerts"]) == ("Añna", 1)
    assert told["speeds"][0]["moves"] == {
        "low": 1500,
        "median": 1600,
        "high": 1700,
        "coverage": 0.8,
    }
    alert = json.loads(alert_line(made_alert()))
    assert (alert["kind"], alert["until"]) == ("views_parted", "2026-06-01T00:00:00Z")


def made_account(*told: PlayerOutcome, **fields: object) -> RunAccount:
    account = RunAccount(
        began_at=NOW,
        ended_at=NOW,
        exit_code=3,
        states=(("failed", 1), ("reported", 4)),
        unchanged=2,
        new_games=5,
        games_reported=24,
        stopped_by="",
        told=told,
    )
    return replace(account, **fields)


def test_the_terminal_names_what_is_new_and_what_failed() -> None:
    out = StringIO()
    fault = made_outcome("Gone", state="failed", sentence="no such account")
    told = made_account(made_outcome("Anna", made_speed()), fault)
    render_batch(told, Console(file=out, width=100))
    assert "Gone: no such account." in out.getvalue()
    assert "5 players, 1 new report, 2 unchanged, 1 without a report." in out.getvalue()
    assert json.loads(run_json(told))["faults"][0]["player"] == "Gone"


def test_brackets_in_a_player_s_name_stand_as_they_are_in_the_terminal() -> None:
    out = StringIO()
    told = (made_outcome("a[/x]", made_speed()), made_outcome("[old]b", made_speed()))
    render_batch(made_account(*told), Console(file=out, width=100))
    assert "a[/x]" in out.getvalue() and "[old]b" in out.getvalue()


@pytest.fixture
def batch_page(page: Page, tmp_path: Path) -> Page:
    names = ("Anna", "Bert", "Carl")
    outcomes = [
        made_outcome(name, made_speed(1500 + 100 * n), alerts=(made_alert(player=name),))
        for n, name in enumerate(names)
    ]
    file = tmp_path / "index.html"
    file.write_text(html_of(*outcomes), encoding="utf-8")
    page.goto(file.as_uri())
    return page


def shown(page: Page) -> list[str]:
    rows = page.locator("tbody th").all()
    return [row.inner_text() for row in rows if row.is_visible()]


def test_a_click_sorts_and_a_few_letters_find(batch_page: Page) -> None:
    batch_page.get_by_role("button", name="Moves", exact=True).click()
    assert shown(batch_page) == ["Carl", "Bert", "Anna"]
    batch_page.get_by_role("button", name="Player").click()
    assert shown(batch_page) == ["Anna", "Bert", "Carl"]
    batch_page.get_by_label("Find a player").fill("ER")
    assert shown(batch_page) == ["Bert"]


def test_everybody_can_use_it(batch_page: Page) -> None:
    assert serious_faults(batch_page) == []
