"""A player's report as one self-contained HTML page: nothing is fetched when it is opened."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any

from config.language import _
from pipeline.records import GameReport, NoEstimate, PlayerReport, SpeedReport
from reports.counts import counted
from reports.details import GameDetail, game_detail
from reports.difference_rows import difference_sections
from reports.difference_statements import glance
from reports.explanations import FOR_HIGHER, explanation_note, phase_names
from reports.game_rows import GameRow, game_row
from reports.html_page import rendered
from reports.lines import one_line, sentence_part
from reports.method import limits, method
from reports.speed_rows import SpeedRow, speed_row
from reports.statements import (
    counted_games,
    engines_statement,
    opponents_statement,
    set_aside_groups,
    strength_coverage,
    views_statement,
)
from reports.svg import Interval, range_chart, win_chart
from reports.terms import scale_name, speed_name
from reports.trend_statements import trend_section
from reports.verdict import verdict
from reports.words import coverage_text, long_date_text, period_text, told, zone_text

GAMES_LISTED = 1000
GAMES_WITH_DETAILS = 100
PLACES_NAMED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedCard:
    """One speed at the top of the page; `chart` is SVG, empty without any range."""

    row: SpeedRow
    games: str
    verdict: str
    glance: str
    counted: str
    chart: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEntry:
    """One game on the page; `detail` and `chart` only for the newest ones."""

    number: int
    row: GameRow
    detail: GameDetail | None
    chart: str


def report_to_html(
    report: PlayerReport, *, zone: tzinfo = UTC, back_href: str | None = None
) -> str:
    """The whole page; days are those of `zone`, `back_href` leads to where the reader came from.

    The newest 1,000 games are listed and the newest 100 told in detail; the page says how
    many more there are. `back_href` is the caller's own address, never a stranger's.
    """
    entries = [
        _game_entry(game, number, zone)
        for number, game in enumerate(report.games[:GAMES_LISTED], start=1)
    ]
    with_board = any(entry.detail and entry.detail.board for entry in entries)
    return rendered(
        "report.html.j2",
        with_board=with_board,
        back_href=back_href,
        **_about_the_player(report, zone),
        **_about_the_games(report, entries),
        **_about_the_numbers(report, zone),
    )


def _about_the_player(report: PlayerReport, zone: tzinfo) -> dict[str, Any]:
    return {
        "player": one_line(report.player),
        "subtitle": _subtitle(report.speeds, zone),
        "notes": [sentence_part(told(note)) for note in report.notes],
        "speeds": [_speed_card(speed, zone) for speed in report.speeds],
        "trends": [trend_section(speed, zone) for speed in report.speeds],
        "differences": difference_sections(report, zone),
    }


def _about_the_games(report: PlayerReport, entries: list[GameEntry]) -> dict[str, Any]:
    return {
        "games": entries,
        "explanation_note": explanation_note() if any(_is_explained(e) for e in entries) else "",
        "for_higher": FOR_HIGHER,
        "phase_names": phase_names(),
        "games_not_listed": len(report.games) - len(entries),
        "games_with_details": min(len(entries), GAMES_WITH_DETAILS),
        "coverage": strength_coverage(report),
    }


def _about_the_numbers(report: PlayerReport, zone: tzinfo) -> dict[str, Any]:
    return {
        "opponents": opponents_statement(report.games),
        "set_aside": set_aside_groups(report.set_aside),
        "set_aside_count": len(report.set_aside),
        "places_named": PLACES_NAMED,
        "engines": (*engines_statement(report.games), *views_statement(report.games)),
        "method": method(),
        "limits": limits(),
        "model_name": one_line(report.model_name),
        "movelo_version": one_line(report.movelo_version),
        "made_on": long_date_text(report.created_at, zone),
        "zone": zone_text(zone, report.created_at),
    }


def _is_explained(entry: GameEntry) -> bool:
    return entry.detail is not None and bool(entry.detail.explanations)


def _subtitle(speeds: tuple[SpeedReport, ...], zone: tzinfo) -> str:
    if not speeds:
        return _("no games")
    games = [
        _("{speed}: {games}").format(
            speed=speed_name(speed.speed), games=counted(speed.games, "game")
        )
        for speed in speeds
    ]
    first = min(speed.first_game_at for speed in speeds)
    last = max(speed.last_game_at for speed in speeds)
    return " · ".join((*games, period_text(first, last, zone)))


def _speed_card(speed: SpeedReport, zone: tzinfo) -> SpeedCard:
    intervals = _intervals(speed)
    return SpeedCard(
        row=speed_row(speed, zone),
        games=counted(speed.games, "game"),
        verdict=verdict(speed),
        glance=glance(speed),
        counted=counted_games(speed),
        chart=range_chart(
            intervals,
            speed.rating_last,
            scale=scale_name(speed.scale),
            key=f"ranges-{speed.speed}",
        )
        if intervals
        else "",
    )


def _intervals(speed: SpeedReport) -> tuple[Interval, ...]:
    """The ranges on the speed's own scale: only those share an axis with its rating."""
    intervals = []
    result, strength = speed.result, speed.strength
    if not isinstance(result, NoEstimate) and result.scale == speed.scale:
        note, low, high = _note(result.coverage), result.performance_low, result.performance_high
        intervals.append(
            Interval(kind="results", label=_("Your results"), note=note, low=low, high=high)
        )
    if not isinstance(strength, NoEstimate) and strength.scale == speed.scale:
        note, low, high = _note(strength.coverage), strength.low, strength.high
        intervals.append(
            Interval(kind="moves", label=_("Your moves"), note=note, low=low, high=high)
        )
    return tuple(intervals)


def _note(coverage: float) -> str:
    return _("{coverage} range").format(coverage=coverage_text(coverage))


def _game_entry(game: GameReport, number: int, zone: tzinfo) -> GameEntry:
    row = game_row(game, zone)
    if number > GAMES_WITH_DETAILS:
        return GameEntry(number=number, row=row, detail=None, chart="")
    chart = win_chart(game.moves, key=f"chances-{number}")
    return GameEntry(number=number, row=row, detail=game_detail(game, zone), chart=chart)
