"""`movelo import`: games of files into the store, such as a whole Lichess database dump."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from config.language import _
from pipeline.cli.options import (
    CasualOption,
    JsonOption,
    SinceOption,
    SpeedOption,
    UntilOption,
    end_of,
    speeds_of,
    start_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.fetch.json_games import ExportedGame
    from pipeline.fetch.pgn_skim import Wanted
    from pipeline.progress import Progress
    from pipeline.records import SetAside

_PERCENTAGE = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*%", re.ASCII)


def import_games(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Lichess's NDJSON, or PGN of any origin; plain, .gz or .zst, - for standard "
            "input. Nothing is unpacked to disk.",
        ),
    ],
    speed: SpeedOption = None,
    min_rating: Annotated[
        int | None,
        typer.Option(
            "--min-rating", min=0, metavar="N", help="Leave out games with a player rated lower."
        ),
    ] = None,
    max_rating: Annotated[
        int | None,
        typer.Option(
            "--max-rating", min=0, metavar="N", help="Leave out games with a player rated higher."
        ),
    ] = None,
    sample: Annotated[
        str | None,
        typer.Option("--sample", metavar="PERCENT", help="Such as 1%: always the same games."),
    ] = None,
    players: Annotated[
        Path | None,
        typer.Option("--players", metavar="FILE", help="Only games of these: one name a line."),
    ] = None,
    with_evals: Annotated[
        bool, typer.Option("--with-evals", help="Only games that come with evaluations.")
    ] = False,
    since: SinceOption = None,
    until: UntilOption = None,
    casual: CasualOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put the games of files into the store, where `movelo report NAME` finds them.

    What is left out is counted by its reason. It may be stopped at any moment and started
    again: no game is there twice. A PGN that Lichess wrote is read without checking its moves,
    which is done where they are used.

    Example: movelo import lichess_db_standard_rated_2026-10.pgn.zst --speed blitz --sample 1%
    """
    from collections import Counter

    from rich.console import Console

    from config.settings import load_settings
    from pipeline.cli.import_outcome import tell
    from pipeline.cli.progress import TerminalProgress
    from pipeline.cli.storage import open_store
    from pipeline.fetch.game_filter import GameFilter
    from pipeline.fetch.pgn_skim import Wanted
    from pipeline.importing import import_games as keep

    settings = load_settings()
    games = GameFilter(
        speeds=speeds_of(speed) if speed else (),
        casual=settings.games.casual if casual is None else casual,
        since=start_of(since) if since else None,
        until=end_of(until) if until else None,
        min_rating=min_rating,
        max_rating=max_rating,
        players=_players_in(players) if players else None,
        share=_share_of(sample) if sample else 1.0,
        with_evals=with_evals,
    )
    wanted = Wanted(games, Counter())
    started_at = time.monotonic()
    with open_store(settings) as store, TerminalProgress(Console(stderr=True)) as progress:
        imported = keep(_games_in(files, wanted, progress), store)
    seconds = time.monotonic() - started_at
    tell(imported, wanted.left_out, seconds=seconds, as_json=as_json)


def _games_in(
    files: list[str], wanted: Wanted, progress: Progress
) -> Iterator[ExportedGame | SetAside]:
    from pipeline.cli.file_watch import watch
    from pipeline.fetch.files import read_wanted_games

    for file in files:
        yield from read_wanted_games(
            file, stdin=sys.stdin.buffer, wanted=wanted, on_read=watch(file, progress)
        )


def _players_in(file: Path) -> frozenset[str]:
    """The names in the file, in lower case; UnreadableFile or InputError where there are none."""
    from config.errors import InputError
    from pipeline.cli.names_file import text_of_names

    lines = map(str.strip, text_of_names(file).splitlines())
    names = frozenset(line.casefold() for line in lines if line)
    if not names:
        raise InputError(_("{file} names no player; write one name a line").format(file=file))
    return names


def _share_of(text: str) -> float:
    """0 to 1; typer.BadParameter for what is no percentage above 0."""
    percentage = _PERCENTAGE.fullmatch(text.strip())
    if percentage is None or not 0 < float(percentage[1]) <= 100:
        raise typer.BadParameter(
            _("{text} is no percentage: write it as 1%, or 0.5%.").format(text=f"{text!r}"),
            param_hint="--sample",
        )
    return float(percentage[1]) / 100
