"""The page: self-contained, escaped, complete, and readable without looking."""

import base64
import hashlib
import re
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from statistics import fmean
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_reports import (
    made_alone,
    made_game_report,
    made_player_report,
    made_short_game,
    made_speed_report,
)
from parsed_page import Page

from pipeline.records import (
    GamePlayer,
    GameReport,
    NoEstimate,
    Opening,
    PlayerReport,
    SetAside,
)
from reports.to_html import GAMES_LISTED, GAMES_WITH_DETAILS, report_to_html

SHORT = made_short_game()


def _page(report: PlayerReport) -> Page:
    page = Page(report_to_html(report))
    assert page.open == []
    return page


def _with_opponent(name: str, **fields: object) -> GameReport:
    game = made_game_report(1)
    player = GamePlayer(name=name, rating=1500)
    return replace(game, black=replace(game.black, player=player), **fields)  # type: ignore[arg-type]


def test_nothing_is_fetched_when_the_page_is_opened() -> None:
    html = report_to_html(made_player_report(6))
    page = Page(html)
    assert not any("src" in attributes for _, attributes in page.tags)
    assert [link["href"] for link in page.all("link")] == ["data:,"]
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    addresses = re.findall(r"url\(['\"]?(.{5})", style)
    assert set(addresses) == {"data:"} and "@import" not in html
    hrefs = [a["href"] for a in page.all("a")]
    assert all(href.startswith(("#", "https://lichess.org/")) for href in hrefs)


def test_the_policy_lets_only_our_own_script_run() -> None:
    html = report_to_html(made_player_report(2))
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = next(
        m["content"] for m in Page(html).all("meta") if "Policy" in m.get("http-equiv", "")
    )
    assert policy.startswith("default-src 'none';")
    assert f"script-src 'sha256-{digest}';" in policy


def test_the_answer_is_at_the_top_in_words_and_as_a_chart() -> None:
    page = _page(made_player_report(3))
    assert "Your results say 1,640–1,830, your moves say 1,700–1,790" in page.text
    assert page.text.index("Your results say") < page.text.index("The two views in figures")
    assert "Your moves: 1,700–1,790, 80 % range. Lichess rating: 1,698." in page.text
    assert "How strong did Rosalind_Vey play?" in page.text


def test_a_missing_range_shows_its_reason_in_the_text() -> None:
    page = _page(made_player_report(2))
    assert "— too few moves outside the opening" in page.text
    assert "Your moves give no range: too few analysed moves." in page.text


def test_no_chart_is_drawn_where_neither_view_has_a_range() -> None:
    none = NoEstimate(reason="nothing to go by")
    speed = made_speed_report(result=none, strength=none, differences=none)
    page = _page(made_player_report(0, speeds=(speed,)))
    assert "ranges" not in [chart.get("class") for chart in page.all("svg")]
    assert "Neither view gives a range. Results: nothing to go by." in page.text


def test_what_was_set_aside_and_what_made_the_numbers_is_told() -> None:
    text = _page(made_player_report(5)).text
    assert "2 × variant: crazyhouse" in text
    assert "game Ab3kQ9zz of 2026-02-01 , game x81LmnoP of 2026-01-20" in text
    assert "Set aside and not used: 3." in text
    assert "Stockfish 15.1 (nn-ad9b42354671.nnue), up to 100,000 nodes a position" in text
    assert "movelo-blitz-rapid-2026-09" in text and "movelo 0.1.0 on 15 March 2026" in text
    for limit in ("One game proves little", "no cheat detector", "45–75 points", "these games"):
        assert limit in text


def test_who_looked_at_the_moves_is_told_for_the_speed_for_each_game_and_for_all() -> None:
    text = _page(made_player_report(0, games=(made_alone(1), made_game_report(2)))).text
    assert "612 own moves, from Stockfish's view and a human-move model" in text
    assert "Strength: from Stockfish's view and a human-move model." in text
    assert "1 game: strength from Stockfish's view and a human-move model" in text
    advice = "view alone: ranges are wider; `movelo model install` adds the human-move model"
    assert text.count(advice) == 2


def test_a_game_can_be_looked_into() -> None:
    game = made_game_report(1)
    page = _page(made_player_report(0, games=(game,)))
    judged = [move for move in game.moves if move.judgement and move.color == "white"]
    worst = max(judged, key=lambda move: move.win_percent_before - move.win_percent_after)
    assert worst.best_move_san is not None
    assert f"{worst.san}??" in page.text and worst.best_move_san in page.text
    assert "White's win percent through the game" in page.text
    assert "https://lichess.org/made0001" in [a["href"] for a in page.all("a")]


def test_headings_tables_and_labels_carry_their_meaning() -> None:
    page = _page(made_player_report(4))
    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("h1")) == 1
    assert len(page.all("caption")) == len(page.all("table"))
    assert all("scope" in th for th in page.all("th"))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    labels = " ".join(a.get("aria-labelledby", "") for _, a in page.tags).split()
    anchors = [a["href"][1:] for a in page.all("a") if a["href"].startswith("#")]
    assert labels and anchors and set(labels + anchors) <= set(ids)
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_days_are_those_of_the_zone_and_the_zone_is_named() -> None:
    late = datetime(2026, 3, 14, 23, 30, tzinfo=UTC)
    report = made_player_report(0, games=(made_game_report(1, created_at=late),))
    html = report_to_html(report, zone=ZoneInfo("Europe/Berlin"))
    assert re.findall(r'class="date"[^>]*>(?:<a[^>]*>)?([\d-]+)<', html) == ["2026-03-15"] * 2
    assert "Days are Europe/Berlin." in html


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "' onmouseover='alert(1)",
        "</title></style><script>alert(1)</script>",
        "{{ 7*7 }}{% raw %}",
        "]]><svg onload=alert(1)>",
    ],
)
def test_hostile_names_are_shown_and_never_run(hostile: str) -> None:
    game = _with_opponent(
        hostile, opening=Opening(eco=hostile, name=hostile), url=hostile, status=hostile,
        variant=hostile, id=hostile,
    )  # fmt: skip
    report = made_player_report(
        0, player=hostile, games=(game,), notes=(hostile,), model_name=hostile,
        movelo_version=hostile, set_aside=(SetAside(where=hostile, reason=hostile),),
    )  # fmt: skip
    page = _page(report)
    assert len(page.all("script")) == 1 and not page.all("img")
    assert not [a for _, attributes in page.tags for a in attributes if a.startswith("on")]
    assert hostile in page.text or " ".join(hostile.split()) in page.text
    assert all(a["href"].startswith("#") for a in page.all("a"))


def test_names_cannot_turn_their_surroundings_around() -> None:
    html = report_to_html(made_player_report(0, games=(_with_opponent("abc\u202edef"),)))
    assert "\u202e" not in html
    assert "<bdi>abcdef</bdi>" in html


def test_a_megabyte_of_name_does_not_make_a_megabyte_of_page() -> None:
    long = "x" * 1_000_000
    game = _with_opponent(long, opening=Opening(eco="C52", name=long))
    plain = len(report_to_html(made_player_report(0, games=(_with_opponent("x"),))))
    html = report_to_html(made_player_report(0, player=long, games=(game,)))
    assert len(html) < plain + 5_000


@settings(max_examples=15, deadline=None)
@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_any_name_gives_a_well_formed_page_that_can_be_written(name: str) -> None:
    game = replace(SHORT, opening=Opening(eco="C52", name=name))
    page = _page(made_player_report(0, player=name, games=(game,), notes=(name,)))
    assert len(page.all("script")) == 1
    assert report_to_html(made_player_report(0, player=name)).encode("utf-8")


def test_a_hundred_games_with_clocks_stay_under_a_megabyte_and_a_half() -> None:
    games = tuple(_timed(made_game_report(seed)) for seed in range(1, 101))
    assert fmean(game.plies for game in games) > 65
    html = report_to_html(made_player_report(0, games=games))
    assert html.count('class="viewer"') == 1 and html.count("data-changes=") == 100
    assert html.count("ChessgroundModule=") == 1
    assert len(html.encode("utf-8")) < 1_500_000


def _timed(game: GameReport) -> GameReport:
    moves = (replace(move, seconds_left=300 - 2 * move.ply) for move in game.moves)
    return replace(game, moves=tuple(moves))


def test_huge_reports_are_cut_and_say_so() -> None:
    games = (made_short_game(),) * (GAMES_LISTED + 1234)
    page = _page(made_player_report(0, games=games))
    rows = [a for tag, a in page.tags if tag == "tr" and a.get("role") == "row"]
    assert len(rows) == GAMES_LISTED + 1
    assert "The 1,234 oldest games are not listed here" in page.text
    assert f"The newest {GAMES_WITH_DETAILS} games." in page.text
    assert sum(a.get("id", "").startswith("game-") for a in page.all("div")) == GAMES_WITH_DETAILS


def test_a_report_without_games_says_so() -> None:
    assert "There are no games to show." in _page(made_player_report(0, speeds=())).text
