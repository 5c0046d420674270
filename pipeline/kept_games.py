"""A player's games as they are in the store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from config.errors import InputError
from config.language import english, speaking
from pipeline.fetch.export import game_from_export
from pipeline.records import Game, SetAside
from pipeline.store import Store


def games_kept_of(player: str, store: Store) -> Iterator[Game | SetAside]:
    """Newest first, capitals in the name do not matter; one that cannot be read is named."""
    for _record_json, found in records_kept_of(player, store):
        yield found


def records_kept_of(
    player: str, store: Store, *, is_wanted: Callable[[str], bool] = lambda _record_json: True
) -> Iterator[tuple[str, Game | SetAside]]:
    """The same, each with the record that it was read from; what is not wanted is not read."""
    for record_json in filter(is_wanted, store.games_of(player.casefold())):
        record = json.loads(record_json)
        where = english("game {game_id} from Lichess").format(game_id=record.get("id"))
        try:
            with speaking("en"):  # the sentence is kept
                game = game_from_export(record, where=where)
        except InputError as error:
            yield record_json, SetAside(where=where, reason=str(error))
        else:
            yield record_json, game
