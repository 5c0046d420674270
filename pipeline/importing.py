"""Games of files -> the store: what is new, and what completes a game that is there already."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from config.language import english
from pipeline.fetch.export import milliseconds
from pipeline.fetch.json_games import ExportedGame
from pipeline.records import Game, SetAside
from pipeline.store import Store, StoredGame

MOST_NAMED = 20
"""So many games that cannot be read are named, the others counted: a dump has millions."""

_BATCH_GAMES = 500
_ONE_SECOND_MS = 1000


@dataclass(slots=True, kw_only=True)
class Imported:
    """How many games came, as it goes: new ones, ones that were there, and not to be read.

    `completed` were there, with fewer fields (a PGN says less than an export, and evaluations
    may have come later); `kept_already` had nothing to learn, or came twice. `unreadable` names
    the first of `unreadable_games`.
    """

    new: int = 0
    completed: int = 0
    kept_already: int = 0
    unreadable_games: int = 0
    unreadable: list[SetAside] = field(default_factory=list)

    @property
    def taken(self) -> int:
        """All those that fit and can be read."""
        return self.new + self.completed + self.kept_already


def import_games(found: Iterable[ExportedGame | SetAside], store: Store) -> Imported:
    """Keep the games, by their ids: whatever is imported twice is there once.

    A field of a kept game is never replaced, only added where it was missing: what was fetched
    from Lichess says more than a dump does. How far a player's games were fetched is not
    touched, for a file need not have all of them. What arrived is kept whatever happens then.
    """
    imported = Imported()
    batch: list[StoredGame] = []
    try:
        for item in found:
            stored = item if isinstance(item, SetAside) else _stored(item.game, item.record)
            if isinstance(stored, SetAside):
                _set_aside(stored, imported)
                continue
            batch.append(stored)
            if len(batch) >= _BATCH_GAMES:
                _keep(batch, store, imported)
                batch = []
    finally:
        _keep(batch, store, imported)
    return imported


def _set_aside(one: SetAside, imported: Imported) -> None:
    imported.unreadable_games += 1
    if len(imported.unreadable) < MOST_NAMED:
        imported.unreadable.append(one)


def _keep(batch: Sequence[StoredGame], store: Store, imported: Imported) -> None:
    kept = store.records(game.id for game in batch)
    written: dict[str, StoredGame] = {}
    for game in batch:
        is_new = game.id not in kept and game.id not in written
        before = written.get(game.id) or _kept(game, kept.get(game.id))
        fuller = game if is_new else _completed(before, game)
        imported.new += is_new
        imported.completed += not is_new and fuller is not None
        imported.kept_already += fuller is None
        if fuller is not None:
            written[game.id] = fuller
    store.add_games(written.values())


def _kept(game: StoredGame, record_json: str | None) -> StoredGame | None:
    """The same game as it is in the store; a PGN knows the second at which it began.

    None if another game has its id: that one stays.
    """
    if record_json is None:
        return None
    created_at_ms = json.loads(record_json)["createdAt"]
    if created_at_ms // _ONE_SECOND_MS != game.created_at_ms // _ONE_SECOND_MS:
        return None
    return replace(game, created_at_ms=created_at_ms, record_json=record_json)


def _completed(kept: StoredGame | None, came: StoredGame) -> StoredGame | None:
    """`kept` with the fields that only `came` has; None if there are none."""
    if kept is None:
        return None
    record, more = json.loads(kept.record_json), json.loads(came.record_json)
    if not more.keys() - record.keys():
        return None
    return replace(kept, record_json=_as_json({**more, **record}))


def _stored(game: Game, record: Mapping[str, object]) -> StoredGame | SetAside:
    stored = StoredGame(
        id=game.id,
        created_at_ms=milliseconds(game.created_at),
        white_id=game.white.name and game.white.name.casefold(),
        black_id=game.black.name and game.black.name.casefold(),
        record_json=_as_json(record),
    )
    text = f"{stored.id}{stored.white_id}{stored.black_id}"
    if "\0" in text or not _is_text(text + stored.record_json):
        reason = english("there are characters in it that belong to no text; take it out")
        return SetAside(where=english("game {id}").format(id=f"{game.id!a}"), reason=reason)
    return stored


def _as_json(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _is_text(text: str) -> bool:
    """JSON can name halves of characters, which no encoding knows."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
