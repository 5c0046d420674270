"""Where an export stands, so that a cut stream can be taken up again."""

from __future__ import annotations

import hashlib
import json
from typing import Any


class ExportCursor:
    """Knows the games that have come, and from which time on to ask for the rest.

    `until` is in milliseconds since 1970, None for "now". It is one more than the creation of the
    oldest game so far: whichever way Lichess reads the bound, that game comes again, and so
    do those of the same millisecond that were still to come. As soon as games arrive out of
    order, nothing is known about what is missing, and `until` stays where it was.
    """

    def __init__(self, *, until: int | None) -> None:
        self.until = until
        self._asked = until
        self._oldest: int | None = None
        self._is_ordered = True
        self._seen: set[str] = set()

    def is_new(self, record: dict[str, Any]) -> bool:
        """Take note of a record; False if it has come before."""
        key = _key(record)
        if key in self._seen:
            return False
        self._seen.add(key)
        self._move(record.get("createdAt"))
        return True

    def _move(self, created: object) -> None:
        if not isinstance(created, int):
            return
        if self._oldest is not None and created > self._oldest:
            self._is_ordered = False
        self._oldest = created if self._oldest is None else min(created, self._oldest)
        self.until = self._oldest + 1 if self._is_ordered else self._asked


def _key(record: dict[str, Any]) -> str:
    game_id = record.get("id")
    if isinstance(game_id, str):
        return game_id
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
