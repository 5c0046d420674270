"""Everybody in a file of games, such as a whole Lichess database dump: games into the store, names.

A file is read once and for all: whom it has is kept beside the batch, for the next run.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from pipeline.batch.order import OpenWhole
from pipeline.fetch.files import read_wanted_games
from pipeline.fetch.game_filter import GameFilter
from pipeline.fetch.json_games import ExportedGame
from pipeline.fetch.opened import OnRead
from pipeline.fetch.pgn_skim import Wanted
from pipeline.importing import Imported, import_games
from pipeline.records import SetAside
from pipeline.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpOrder:
    """Which games of `file` are kept, and whose: those who are named, or play `at_least` games."""

    file: Path
    games: GameFilter
    named: tuple[str, ...] = ()
    at_least: int = 1

    def fingerprint(self) -> str:
        """What changes when the file does, or what is wanted of it."""
        stat = self.file.stat()
        wanted = sorted(name.casefold() for name in self.named)
        return repr(
            (str(self.file.resolve()), stat.st_size, stat.st_mtime_ns, self.games, wanted)
        ) + str(self.at_least)


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpPlayers:
    """Whom to report on; `imported` is None where the file had been read before."""

    names: tuple[str, ...]
    imported: Imported | None


def players_of_dump(
    order: DumpOrder,
    store: Store,
    *,
    kept_at: Path,
    open_whole: OpenWhole,
    on_read: Callable[[str], OnRead],
    stdin: BinaryIO,
) -> DumpPlayers:
    """Have the games in the store. `on_read` gets what the reading is for: "count" or "import".

    UnreadableFile where the file cannot be read.
    """
    known = _known(kept_at, order)
    if known is not None:
        return DumpPlayers(names=known, imported=None)
    reader = _Reader(order, on_read, stdin)
    names = order.named or (reader.frequent() if order.at_least > 1 else ())
    wanted = {name.casefold() for name in names} if names or order.at_least > 1 else None
    seen: dict[str, str] = {}
    games = replace(order.games, players=None if wanted is None else frozenset(wanted))
    imported = import_games(_noted(reader.games(games, "import"), seen), store)
    found = names or tuple(seen[key] for key in sorted(seen))
    with open_whole(kept_at) as to:
        told = {"fingerprint": order.fingerprint(), "names": found}
        to.write(json.dumps(told).encode())
    return DumpPlayers(names=found, imported=imported)


class _Reader:
    """The file, from its beginning each time."""

    def __init__(self, order: DumpOrder, on_read: Callable[[str], OnRead], stdin: BinaryIO) -> None:
        self._order = order
        self._on_read = on_read
        self._stdin = stdin

    def games(self, wanted: GameFilter, purpose: str) -> Iterator[ExportedGame | SetAside]:
        """Those that are wanted, and what cannot be read."""
        yield from read_wanted_games(
            self._order.file,
            stdin=self._stdin,
            wanted=Wanted(wanted, Counter()),
            on_read=self._on_read(purpose),
        )

    def frequent(self) -> tuple[str, ...]:
        """Who plays often enough, by name."""
        counts: Counter[str] = Counter()
        seen: dict[str, str] = {}
        for item in self.games(self._order.games, "count"):
            counts.update(_names_in(item, seen))
        often = (key for key, count in counts.items() if count >= self._order.at_least)
        return tuple(seen[key] for key in sorted(often))


def _noted(
    games: Iterator[ExportedGame | SetAside], seen: dict[str, str]
) -> Iterator[ExportedGame | SetAside]:
    for item in games:
        _names_in(item, seen)
        yield item


def _names_in(item: ExportedGame | SetAside, seen: dict[str, str]) -> set[str]:
    """Both players, in lower case; `seen` learns how they write themselves."""
    if isinstance(item, SetAside):
        return set()
    names = [player.name for player in (item.game.white, item.game.black) if player.name]
    for name in names:
        seen.setdefault(name.casefold(), name)
    return {name.casefold() for name in names}


def _known(kept_at: Path, order: DumpOrder) -> tuple[str, ...] | None:
    """None for another file, another wish, or a note that cannot be read."""
    try:
        kept = json.loads(kept_at.read_text("utf-8"))
        is_same = kept["fingerprint"] == order.fingerprint()
        return tuple(kept["names"]) if is_same else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
