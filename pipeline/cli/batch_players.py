"""Whom a batch is about: a list, a team, an arena, everybody in a dump."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from config.errors import UnreadableFile
from config.language import _

if TYPE_CHECKING:
    from config.settings import Settings
    from pipeline.batch.folder import BatchFolder
    from pipeline.fetch.rosters import Roster
    from pipeline.progress import Progress
    from pipeline.selection import Selection
    from pipeline.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Players:
    """Each once; `title` is what the batch is called."""

    names: tuple[str, ...]
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What the command line says of whom; `names` is a file or "-"."""

    names: str | None
    team: str | None
    arena: str | None
    dump: Path | None
    min_games: int

    def check(self) -> None:
        """typer.BadParameter for no source at all, and for those that do not go together."""
        if not (self.names or self.team or self.arena or self.dump):
            raise typer.BadParameter(
                _("say whom: a file of names, --team, --arena or --dump."), param_hint="NAMES.txt"
            )
        if self.dump and (self.team or self.arena):
            raise typer.BadParameter(
                _("a dump goes with a file of names or alone: leave --team and --arena out."),
                param_hint="--dump",
            )
        if self.min_games > 1 and (self.dump is None or self.names):
            raise typer.BadParameter(
                _("it chooses among all players of a dump: give --dump, and no names."),
                param_hint="--min-games",
            )


def players_of(
    sources: Sources,
    settings: Settings,
    tools: Workshop,
    folder: BatchFolder,
    selection: Selection,
) -> Players:
    """Whoever is named; a dump's games are in the store then. MoveloError says what is wrong."""
    from pipeline.batch.names import names_in_list, once
    from pipeline.fetch.rosters import arena_of, team_of

    names, team, arena = sources.names, sources.team, sources.arena
    listed = names_in_list(_text_of(names), source=names) if names else ()
    if sources.dump is not None:
        found = _of_dump(sources.dump, sources.min_games, listed, tools, folder, selection)
        return Players(names=found, title=sources.dump.name)
    rosters = [*([team_of(team)] if team else []), *([arena_of(arena)] if arena else [])]
    members = [name for roster in rosters for name in _members(settings, tools, roster)]
    titles = [roster.id for roster in rosters] + ([_stem_of(names)] if names else [])
    return Players(names=once([*listed, *members]), title=", ".join(titles))


def _members(settings: Settings, tools: Workshop, roster: Roster) -> tuple[str, ...]:
    from pipeline.cli.lichess_client import lichess

    client = lichess(settings.lichess, tools.progress, tools.store, sleep=time.sleep)
    return client.players(roster)


def _of_dump(
    dump: Path,
    min_games: int,
    listed: tuple[str, ...],
    tools: Workshop,
    folder: BatchFolder,
    selection: Selection,
) -> tuple[str, ...]:
    from pipeline.batch.dumps import DumpOrder, players_of_dump
    from pipeline.cli.file_watch import COUNTING, READING, watch
    from pipeline.cli.whole_file import whole_file
    from pipeline.fetch.game_filter import GameFilter

    _check_file(dump)
    games = GameFilter(
        speeds=selection.speeds,
        casual=selection.casual,
        since=selection.since,
        until=selection.until,
    )
    said = {"count": COUNTING, "import": READING}
    order = DumpOrder(file=dump, games=games, named=listed, at_least=min_games)
    found = players_of_dump(
        order,
        tools.store,
        kept_at=folder.dump_names,
        open_whole=whole_file,
        on_read=lambda purpose: watch(str(dump), tools.progress, purpose=said[purpose]),
        stdin=sys.stdin.buffer,
    )
    if found.imported is not None:
        _tell_unreadable(found.imported.unreadable_games, tools.progress)
    return found.names


def _tell_unreadable(games: int, progress: Progress) -> None:
    from config.language import ngettext

    if games:
        said = ngettext(
            "{count} game of the file cannot be read and was left out; movelo import names it.",
            "{count} games of the file cannot be read and were left out; movelo import names them.",
            games,
        )
        progress.say(said.format(count=games))


def _check_file(file: Path) -> None:
    if not file.is_file():
        raise UnreadableFile(_("there is no file {name}; check the path").format(name=file))


def _text_of(path_or_dash: str) -> str:
    from pipeline.cli.names_file import text_of_names
    from pipeline.fetch.text_bytes import text_of

    is_dash = path_or_dash == "-"
    return text_of(sys.stdin.buffer.read()) if is_dash else text_of_names(Path(path_or_dash))


def _stem_of(path_or_dash: str) -> str:
    return _("A list of players") if path_or_dash == "-" else Path(path_or_dash).stem
