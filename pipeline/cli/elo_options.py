"""What the `movelo elo` commands share: lists of games, ratings, dates, and how they answer."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from config.language import _, english, retold

if TYPE_CHECKING:
    from pipeline.elo.played import Played
    from reports.elo_answer import Answer

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

    where, unit, lines = lines_of(arguments, source)
    return parse_games(lines, where=where, unit=unit)


def lines_of(arguments: Sequence[str] | None, source: str | None) -> tuple[str, str, list[str]]:
    """Where the entries come from, what one of them is called there, and the entries."""
    given = list(arguments or ())
    if source is not None and given:
        raise typer.BadParameter(_("games come as arguments or from a file, not both."))
    if source is None and given != ["-"]:
        return retold(ON_THE_COMMAND_LINE), _("game"), given
    if source in (None, "-"):
        return (
            _("standard input"),
            _("line"),
            _decoded(sys.stdin.buffer.read(), _("standard input")),
        )
    return str(source), _("line"), _decoded(_bytes_of(str(source)), str(source))


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


def give(
    question: str, asked: Mapping[str, Any], record: object, answer: Answer, *, as_json: bool
) -> None:
    """Print the record as JSON, or the answer for a reader."""
    if as_json:
        from reports.elo_json import answer_to_json

        sys.stdout.write(answer_to_json(question, asked, record))
    else:
        from rich.console import Console

        from reports.terminal_elo import render_answer

        render_answer(answer, Console())


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


def _decoded(data: bytes, where: str) -> list[str]:
    from config.errors import UnreadableFile

    try:
        return data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableFile(
            _("{where}, line {line}: this is no UTF-8 text; save the list as UTF-8.").format(
                where=where, line=line
            )
        ) from error
