"""What a player's report is made of, in a few letters: equal ones give equal reports."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from pipeline.kept_games import records_kept_of
from pipeline.records import Game, SetAside
from pipeline.selection import Selection, fits
from pipeline.store import Store


def kept_digest(player: str, store: Store) -> str:
    """Of all of a player's games in the store, whatever they are: quick, no game is read."""
    digest = sha256()
    for record_json in store.games_of(player.casefold()):
        digest.update(_as_bytes(record_json))
    return digest.hexdigest()


def inputs_digest(selection: Selection, store: Store) -> str:
    """Of the games that a report on `selection` takes."""
    inputs = Inputs(selection, store)
    for _game in inputs.games():
        pass
    return inputs.digest


class Inputs:
    """A player's games in the store, and the digest of those that a report on `selection` takes.

    Others come and go with it: a game of another speed, or one that was fetched because it is an
    opponent's too.
    """

    def __init__(self, selection: Selection, store: Store) -> None:
        self._selection = selection
        self._store = store
        self._digest = sha256()
        self._taken = 0

    @property
    def digest(self) -> str:
        """Of what `games` has given so far."""
        return self._digest.hexdigest()

    def games(self) -> Iterator[Game | SetAside]:
        """As `pipeline.kept_games.games_kept_of` gives them; to be read once, to the end."""
        for record_json, found in records_kept_of(self._selection.player, self._store):
            if self._is_taken(found):
                self._taken += 1
                self._digest.update(_as_bytes(record_json))
            yield found

    def _is_taken(self, found: Game | SetAside) -> bool:
        if self._selection.last and self._taken >= self._selection.last:
            return False
        # One that cannot be read is named in the report.
        return isinstance(found, SetAside) or fits(found, self._selection)


def _as_bytes(record_json: str) -> bytes:
    return record_json.encode("utf-8", "replace") + b"\n"
