"""Reports for the terminal: readable at 80 columns, fuller from 130 on.

Everything goes through `Text`, so that nothing a stranger wrote is taken for markup.
"""

from __future__ import annotations

from datetime import UTC, tzinfo

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from config.language import _
from config.localized import number_text
from pipeline.records import PlayerReport
from reports.difference_statements import terminal_statements
from reports.lines import ABSENT, one_line, sentence_part
from reports.method import limits
from reports.speed_rows import SpeedRow, speed_row
from reports.statements import (
    counted_games,
    engines_statement,
    opponents_statement,
    set_aside_groups,
    views_statement,
)
from reports.terminal_games import print_games
from reports.terminal_parts import print_heading, print_points
from reports.terms import speed_name
from reports.trend_statements import trend_sentences
from reports.verdict import verdict
from reports.words import long_date_text, told, zone_text

_PLACES_SHOWN = 5


def render_report(report: PlayerReport, console: Console, *, zone: tzinfo = UTC) -> None:
    """Print a player's report; days are those of `zone`."""
    console.print(
        Rule(Text(_("movelo · {player}").format(player=one_line(report.player)), style="bold"))
    )
    for note in report.notes:
        console.print(
            Text(_("Note: {note}.").format(note=sentence_part(told(note))), style="yellow")
        )
    for speed in report.speeds:
        row = speed_row(speed, zone)
        print_heading(
            _("{speed} · {games} games · {period}").format(
                speed=row.speed, games=row.games, period=row.period
            ),
            console,
        )
        console.print(Text(verdict(speed), style="bold"))
        console.print(_totals_table(row))
        console.print(Text(counted_games(speed), style="dim"))
        print_points(trend_sentences(speed.trends), console)
    _print_differences(report, console)
    print_games(report, console, zone)
    _print_left_out(report, console)
    _print_made_by(report, console, zone)
    print_heading(_("What this cannot know"), console)
    print_points(limits(), console)


def _print_differences(report: PlayerReport, console: Console) -> None:
    for speed in report.speeds:
        print_heading(
            _("Where the points went: {speed}").format(speed=speed_name(speed.speed)), console
        )
        print_points(terminal_statements(speed.differences), console)


def _totals_table(row: SpeedRow) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("", _("on {scale}").format(scale=row.scale), _("from")):
        table.add_column(Text(heading), overflow="fold")
    luck = "" if row.luck == ABSENT else _("; {luck}").format(luck=row.luck)
    results = row.performance_reason or (
        _(
            "score {score}, expected {expected}{luck}; {record}; opponents "
            "{average_opponent} on average; performance {performance}"
        ).format(
            score=row.score,
            expected=row.expected,
            luck=luck,
            record=row.record,
            average_opponent=row.average_opponent,
            performance=row.performance,
        )
    )
    moves = row.strength_reason or (
        _(
            "{strength_basis}; accuracy {accuracy}, average centipawn loss {average_centipawn_loss}"
        ).format(
            strength_basis=row.strength_basis,
            accuracy=row.accuracy,
            average_centipawn_loss=row.average_centipawn_loss,
        )
    )
    performance = _range_cell(row.performance_range, row.performance_coverage)
    table.add_row(Text(_("results")), performance, Text(results))
    table.add_row(Text(_("moves")), _range_cell(row.strength, row.strength_coverage), Text(moves))
    table.add_row(
        Text(_("rating")), Text(row.rating), Text(_("before the first and the last game"))
    )
    return table


def _range_cell(shown: str, coverage: str) -> Text:
    note = _(" ({coverage} range)").format(coverage=coverage) if coverage else ""
    return Text.assemble((shown, "bold"), (note, "dim"))


def _print_left_out(report: PlayerReport, console: Console) -> None:
    opponents, groups = opponents_statement(report.games), set_aside_groups(report.set_aside)
    if not opponents and not groups:
        return
    print_heading(_("Out of the ordinary"), console)
    if opponents:
        console.print(Text(opponents))
    if groups:
        console.print(
            Text(
                _("Set aside and not used: {number}").format(
                    number=number_text(len(report.set_aside))
                )
            )
        )
    print_points((_group_line(group.reason, group.places) for group in groups), console)


def _group_line(reason: str, places: tuple[str, ...]) -> str:
    named = ", ".join(one_line(place) for place in places[:_PLACES_SHOWN])
    more = len(places) - _PLACES_SHOWN
    rest = (
        _(" and {more} more (all named in the JSON)").format(more=number_text(more))
        if more > 0
        else ""
    )
    return f"{number_text(len(places))} × {reason}: {named}{rest}"


def _print_made_by(report: PlayerReport, console: Console, zone: tzinfo) -> None:
    print_heading(_("What made the numbers"), console)
    points = (*engines_statement(report.games), *views_statement(report.games))
    print_points(points, console)
    made = _("movelo {movelo_version}, model {model_name}").format(
        movelo_version=one_line(report.movelo_version), model_name=one_line(report.model_name)
    )
    day, name = long_date_text(report.created_at, zone), zone_text(zone, report.created_at)
    console.print(
        Text(_("{made}; made on {day}, days are {name}.").format(made=made, day=day, name=name))
    )
