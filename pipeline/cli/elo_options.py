"""What the `movelo elo` commands share: lists of games, ratings, dates, and how they answer."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from config.language import _, english, retold

if TYPE_CHECKING:
    from pipeline.calculators.calculator import Solution
    from pipeline.calculators.game_lines import GameLines
    from pipeline.elo.played import Played

GamesArgument: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GAMES",
        help="Opponent's rating and result, such as 1800:1 1750:½ 1900:0; - reads lines from "
        "standard input.",
    ),
]
FromOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--from", metavar="FILE", help="Read the games from this file, one a line."),
]
RatingArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="RATING", help="The rating before the games.")
]
DateOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--on", metavar="DATE", help="The day whose rules hold: 2025-11-01; today."),
]

ON_THE_COMMAND_LINE = english("the command line")


def games_of(arguments: Sequence[str] | None, source: str | None) -> tuple[Played, ...]:
    """The games of the arguments, of standard input (`-`), or of the file `source`.

    InputError for a file that cannot be read and for what is no game; typer.BadParameter when
    games come from two places.
    """
    from pipeline.elo.game_list import parse_games

    listed = lines_of(arguments, source)
    return parse_games(listed.lines, where=listed.where, unit=listed.unit)


def lines_of(arguments: Sequence[str] | None, source: str | None) -> GameLines:
    """The same games as they are written; errors as for `games_of`, less what is no game."""
    from pipeline.calculators.game_lines import GameLines

    given = list(arguments or ())
    if source is not None and given:
        raise typer.BadParameter(_("games come as arguments or from a file, not both."))
    if source is None and given != ["-"]:
        return GameLines(lines=tuple(given), where=retold(ON_THE_COMMAND_LINE), unit=_("game"))
    if source is None or source == "-":
        where, data = _("standard input"), sys.stdin.buffer.read()
    else:
        where, data = source, _bytes_of(source)
    return GameLines(lines=_decoded(data, where), where=where, unit=_("line"))


def rating_of(text: str, *, whose: str = "RATING") -> float:
    """A rating argument; InputError for what is no number of 0 or more."""
    from config.errors import InputError
    from pipeline.elo.game_list import is_rating

    if not is_rating(text):
        raise InputError(
            _("{whose}: {text} is no rating; write a number such as 1850.").format(
                whose=whose, text=f"{text!r}"
            )
        )
    return float(text)


def day_of(text: str | None, *, option: str = "--on") -> date:
    """The day that is named, or today; typer.BadParameter for what is no date."""
    if text is None:
        return date.today()
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise typer.BadParameter(
            _("{text} is no date: write it as 2025-11-01.").format(text=f"{text!r}"),
            param_hint=option,
        ) from error


def give(found: Solution, *, as_json: bool) -> None:
    """Print the record as JSON, or the answer for a reader."""
    if as_json:
        from reports.elo_json import answer_to_json

        sys.stdout.write(answer_to_json(found.question, found.asked, found.record))
    else:
        from rich.console import Console

        from reports.terminal_elo import render_answer

        render_answer(found.answer, Console())


def _bytes_of(path: str) -> bytes:
    from pathlib import Path

    from config.errors import UnreadableFile

    try:
        return Path(path).read_bytes()
    except OSError as error:
        why = error.strerror or error
        raise UnreadableFile(
            _("{path} cannot be read: {why}; check the name.").format(path=path, why=why)
        ) from error


def _decoded(data: bytes, where: str) -> tuple[str, ...]:
    from config.errors import UnreadableFile

    try:
        return tuple(data.decode("utf-8").splitlines())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableFile(
            _("{where}, line {line}: this is no UTF-8 text; save the list as UTF-8.").format(
                where=where, line=line
            )
        ) from error
