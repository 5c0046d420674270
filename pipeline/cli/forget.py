"""`movelo forget`: delete all that is kept of a player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from config.language import _, ngettext
from pipeline.cli.completion import completed_players

if TYPE_CHECKING:
    from pipeline.store import Forgotten, Store


def forget(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="The player's Lichess name.", autocompletion=completed_players
        ),
    ],
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
    count = store.count_games_of(player.casefold())
    games = ngettext("{count} game", "{count} games", count).format(count=count)
    question = _("Delete all that {place} keeps of {player} ({games})?").format(
        place=store.place, player=player, games=games
    )
    typer.confirm(question, abort=True, err=True)


def _told(player: str, found: Forgotten) -> Iterator[str]:
    deleted = [said.format(count=count) for count, said in _counts(found) if count]
    yield (
        _("{player}: {deleted} deleted.").format(player=player, deleted=", ".join(deleted))
        if deleted
        else _("Nothing is kept of {player}.").format(player=player)
    )
    for other, games in found.also_of:
        yield ngettext(
            "{count} game of these was {other}'s too, whose reports are now without: to fetch "
            "them again, forget {other} as well.",
            "{count} games of these were {other}'s too, whose reports are now without: to fetch "
            "them again, forget {other} as well.",
            games,
        ).format(count=games, other=other)
    if found.unattributed:
        yield ngettext(
            "Computed by an older movelo, naming nobody, and kept: {count} result of unknown "
            "games.",
            "Computed by an older movelo, naming nobody, and kept: {count} results of unknown "
            "games.",
            found.unattributed,
        ).format(count=found.unattributed)


def _counts(found: Forgotten) -> Iterator[tuple[int, str]]:
    yield found.games, ngettext("{count} game", "{count} games", found.games)
    yield (
        found.fetched_spans,
        ngettext(
            "{count} note of what was fetched",
            "{count} notes of what was fetched",
            found.fetched_spans,
        ),
    )
    yield (
        found.evaluations,
        ngettext(
            "{count} evaluation by an engine",
            "{count} evaluations by an engine",
            found.evaluations,
        ),
    )
    yield (
        found.human_likelihoods,
        ngettext(
            "{count} reading by the human-move model",
            "{count} readings by the human-move model",
            found.human_likelihoods,
        ),
    )
    yield (
        found.evidence,
        ngettext("{count} piece of evidence", "{count} pieces of evidence", found.evidence),
    )
    yield (
        found.reports,
        ngettext(
            "{count} report kept for the page of movelo serve",
            "{count} reports kept for the page of movelo serve",
            found.reports,
        ),
    )
    yield (
        found.outcomes,
        ngettext(
            "{count} outcome of a batch (its files stay in its folder)",
            "{count} outcomes of batches (their files stay in their folders)",
            found.outcomes,
        ),
    )
