"""Reports for the terminal: readable at 80 columns, fuller from 130 on.

Everything goes through `Text`, so that nothing a stranger wrote is taken for markup.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, tzinfo

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from config.language import _
from config.localized import number_text
from pipeline.records import PlayerReport
from reports.counts import counted
from reports.difference_statements import terminal_statements
from reports.footnotes import Footnotes
from reports.lines import ABSENT, one_line, sentence_part
from reports.rows import GameRow, SpeedRow, game_row, speed_row
from reports.statements import (
    counted_games,
    engines_statement,
    limits,
    opponents_statement,
    set_aside_groups,
    strength_coverage,
    verdict,
    views_statement,
)
from reports.terminal_game import render_game
from reports.terms import speed_name
from reports.trend_statements import trend_sentences
from reports.words import long_date_text, told, zone_text

__all__ = ["GAMES_SHOWN", "render_game", "render_report"]

GAMES_SHOWN = 20
_PLACES_SHOWN = 5
_WIDE_COLUMNS = 130
_OPPONENT_COLUMNS_WIDE = 28
_LINK_COLUMNS = 26
_OTHER_COLUMNS_WIDE = 120
_OTHER_COLUMNS_NARROW = 55
_OUTCOME_STYLES = {"win": "green", "loss": "red"}


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
        _print_heading(
            _("{speed} · {games} games · {period}").format(
                speed=row.speed, games=row.games, period=row.period
            ),
            console,
        )
        console.print(Text(verdict(speed), style="bold"))
        console.print(_totals_table(row))
        console.print(Text(counted_games(speed), style="dim"))
        _print_points(trend_sentences(speed.trends), console)
    _print_differences(report, console)
    _print_games(report, console, zone)
    _print_left_out(report, console)
    _print_made_by(report, console, zone)
    _print_heading(_("What this cannot know"), console)
    _print_points(limits(), console)


def _print_differences(report: PlayerReport, console: Console) -> None:
    for speed in report.speeds:
        _print_heading(
            _("Where the points went: {speed}").format(speed=speed_name(speed.speed)), console
        )
        _print_points(terminal_statements(speed.differences), console)


def _print_heading(heading: str, console: Console) -> None:
    console.print()
    console.print(Text(heading, style="bold cyan"))


def _print_points(points: Iterable[str], console: Console) -> None:
    table = Table.grid(padding=(0, 1, 0, 0))
    for point in points:
        table.add_row(Text("•"), Text(point))
    console.print(table)


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


# --- the games -----------------------------------------------------------------------------


def _print_games(report: PlayerReport, console: Console, zone: tzinfo) -> None:
    if not report.games:
        return
    shown, footnotes = report.games[:GAMES_SHOWN], Footnotes()
    table = _games_table(console.width)
    for game in shown:
        table.add_row(*_game_cells(game_row(game, zone), footnotes, console.width))
    _print_heading(_games_title(len(report.games), len(shown)), console)
    console.print(table)
    coverage = strength_coverage(report)
    if coverage:
        _print_dim(
            _("you, they: {coverage} ranges on the scale of the game's speed").format(
                coverage=coverage
            ),
            console,
        )
    _print_dim(_("exp: the score that the ratings promise · acc: accuracy in percent"), console)
    _print_dim(_("○ you had White · ● you had Black · ? provisional rating"), console)
    for line in footnotes.lines():
        _print_dim(line, console)


def _print_dim(line: str, console: Console) -> None:
    console.print(Text(line, style="dim"))


def _games_title(games: int, shown: int) -> str:
    if shown == games:
        return counted(games, "game")
    return _("The newest {shown} of {games} games ({more} more in the HTML and CSV)").format(
        shown=shown, games=number_text(games), more=number_text(games - shown)
    )


def _games_table(width: int) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=0)
    for heading in (_("date"), _("speed"), _("opponent"), ""):
        table.add_column(heading, no_wrap=True)
    for heading in (_("exp"), _("you"), _("they"), _("acc")):
        table.add_column(heading, justify="right", no_wrap=True)
    if width >= _WIDE_COLUMNS:
        table.padding = (0, 1, 0, 0)
        table.add_column(_("opening"), no_wrap=True)
        table.add_column(_("link"), no_wrap=True)
    return table


def _game_cells(row: GameRow, footnotes: Footnotes, width: int) -> Iterable[Text]:
    wide = width >= _WIDE_COLUMNS
    yield Text(row.date)
    yield Text(row.speed.lower())
    yield _opponent_cell(
        row, _OPPONENT_COLUMNS_WIDE if wide else max(16, width - _OTHER_COLUMNS_NARROW)
    )
    yield Text(row.score, style=_OUTCOME_STYLES.get(row.result, ""))
    yield Text(row.expected)
    yield footnotes.mark(row.own_strength, row.own_reason)
    yield footnotes.mark(row.opponent_strength, row.opponent_reason)
    yield Text(row.accuracy.rstrip("\N{NARROW NO-BREAK SPACE} %"))
    if wide:
        yield Text(one_line(row.opening, max(10, width - _OTHER_COLUMNS_WIDE)))
        yield Text(one_line((row.link or ABSENT).removeprefix("https://"), _LINK_COLUMNS))


def _opponent_cell(row: GameRow, longest: int) -> Text:
    # The rating is worth more than the end of a long name.
    piece = "○" if row.side == "white" else "●"
    rating = "" if row.opponent_rating == ABSENT else f" {row.opponent_rating}"
    return Text(f"{piece} {one_line(row.opponent, longest - 2 - len(rating))}{rating}")


# --- what stands below ---------------------------------------------------------------------


def _print_left_out(report: PlayerReport, console: Console) -> None:
    opponents, groups = opponents_statement(report.games), set_aside_groups(report.set_aside)
    if not opponents and not groups:
        return
    _print_heading(_("Out of the ordinary"), console)
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
    _print_points((_group_line(group.reason, group.places) for group in groups), console)


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
    _print_heading(_("What made the numbers"), console)
    points = (*engines_statement(report.games), *views_statement(report.games))
    _print_points(points, console)
    made = _("movelo {movelo_version}, model {model_name}").format(
        movelo_version=one_line(report.movelo_version), model_name=one_line(report.model_name)
    )
    day, name = long_date_text(report.created_at, zone), zone_text(zone, report.created_at)
    console.print(
        Text(_("{made}; made on {day}, days are {name}.").format(made=made, day=day, name=name))
    )
