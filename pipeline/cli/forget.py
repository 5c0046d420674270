"""`movelo forget`: delete all that is kept of a player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pipeline.store import Forgotten, Store


def forget(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The player's Lichess name.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
) -> None:
    """Delete a player's games and all that was computed from them.

    Reports that were written before stay where they are, and so does what was computed of games
    from files: there it names nobody.

    Example: movelo forget DrNykterstein
    """
    from config.settings import load_settings
    from pipeline.cli.storage import open_store

    player = name.strip()
    with open_store(load_settings()) as store:
        if not yes:
            _confirm(player, store)
        found = store.forget(player.casefold())
    for line in _told(player, found):
        typer.echo(line)


def _confirm(player: str, store: Store) -> None:
    games = _counted(store.count_games_of(player.casefold()), "game")
    question = f"Delete all that {store.place} keeps of {player} ({games})?"
    typer.confirm(question, abort=True, err=True)


def _told(player: str, found: Forgotten) -> Iterator[str]:
    counts = (
        (found.games, "game"),
        (found.fetched_spans, "note of what was fetched"),
        (found.evaluations, "evaluation by an engine"),
        (found.human_likelihoods, "reading by the human-move model"),
        (found.evidence, "piece of evidence"),
        (found.reports, "report kept for the page of movelo serve"),
    )
    deleted = [_counted(count, what) for count, what in counts if count]
    yield f"{player}: {', '.join(deleted)} deleted." if deleted else f"Nothing is kept of {player}."
    for other, games in found.also_of:
        shared = _counted(games, "game")
        yield (
            f"{shared} of these {'was' if games == 1 else 'were'} {other}'s too, whose reports "
            f"are now without: to fetch them again, forget {other} as well."
        )
    if found.unattributed:
        kept = _counted(found.unattributed, "result")
        yield f"Computed by an older movelo, naming nobody, and kept: {kept} of unknown games."


def _counted(count: int, what: str) -> str:
    first, *rest = what.split(" ")
    plural = f"{first[:-1]}ies" if first.endswith("y") else f"{first}s"
    return f"{count} {' '.join([first if count == 1 else plural, *rest])}"
