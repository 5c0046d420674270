"""The list of games for the terminal: eight columns, ten from 130 characters on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import tzinfo

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from config.language import _
from config.localized import number_text
from pipeline.records import PlayerReport
from reports.counts import counted
from reports.footnotes import Footnotes
from reports.game_rows import GameRow, game_row
from reports.lines import ABSENT, one_line
from reports.statements import strength_coverage
from reports.terminal_parts import print_dim, print_heading

GAMES_SHOWN = 20
_WIDE_COLUMNS = 130
_OPPONENT_COLUMNS_WIDE = 28
_LINK_COLUMNS = 26
_OTHER_COLUMNS_WIDE = 120
_OTHER_COLUMNS_NARROW = 55
_OUTCOME_STYLES = {"win": "green", "loss": "red"}


def print_games(report: PlayerReport, console: Console, zone: tzinfo) -> None:
    """The newest `GAMES_SHOWN`, and what the columns mean; days are those of `zone`."""
    if not report.games:
        return
    shown, footnotes = report.games[:GAMES_SHOWN], Footnotes()
    table = _games_table(console.width)
    for game in shown:
        table.add_row(*_game_cells(game_row(game, zone), footnotes, console.width))
    print_heading(_games_title(len(report.games), len(shown)), console)
    console.print(table)
    print_dim((*_captions(strength_coverage(report)), *footnotes.lines()), console)


def _captions(coverage: str) -> Iterator[str]:
    if coverage:
        yield _("you, they: {coverage} ranges on the scale of the game's speed").format(
            coverage=coverage
        )
    yield _("exp: the score that the ratings promise · acc: accuracy in percent")
    yield _("○ you had White · ● you had Black · ? provisional rating")


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
