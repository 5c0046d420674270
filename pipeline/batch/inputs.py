"""What a player's report would be made of, in a few letters: equal ones give equal reports."""

from __future__ import annotations

import json
from hashlib import sha256

from config.errors import InputError
from pipeline.fetch.export import game_from_export
from pipeline.selection import Selection, fits
from pipeline.store import Store


def kept_digest(player: str, store: Store) -> str:
    """Of all of a player's games in the store, whatever they are: quick, no game is read."""
    digest = sha256()
    for record_json in store.games_of(player.casefold()):
        digest.update(record_json.encode("utf-8", "replace"))
        digest.update(b"\n")
    return digest.hexdigest()


def inputs_digest(selection: Selection, store: Store) -> str:
    """Of the games that a report on `selection` takes.

    Others come and go with it: a game of another speed, or one that was fetched because it is an
    opponent's too.
    """
    digest = sha256()
    games = 0
    for record_json in store.games_of(selection.player.casefold()):
        if selection.last and games >= selection.last:
            break
        if _is_taken(record_json, selection):
            games += 1
            digest.update(record_json.encode("utf-8", "replace"))
            digest.update(b"\n")
    return digest.hexdigest()


def _is_taken(record_json: str, selection: Selection) -> bool:
    try:
        return fits(game_from_export(json.loads(record_json), where="the store"), selection)
    except InputError:
        return True  # it is named in the report
