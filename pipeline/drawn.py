"""A few of many, always the same ones: those whose game ids have the smallest hash."""

from __future__ import annotations

import heapq
from hashlib import sha256
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Drawn(Generic[Item]):
    """Up to `size` items, whatever the order in which they are offered; no more are kept."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[tuple[int, int, Item]] = []
        self._offered = 0

    def offer(self, game_id: str, item: Item) -> Item | None:
        """Whichever item is not drawn because of this one: an earlier one, itself, or none."""
        self._offered += 1
        # The count keeps items themselves from being compared, and the first of equals drawn.
        entry = (-_hash(game_id), -self._offered, item)
        if len(self._heap) < self._size:
            heapq.heappush(self._heap, entry)
            return None
        return heapq.heappushpop(self._heap, entry)[2] if self._heap else item

    def items(self) -> list[Item]:
        """The first of them first: a smaller draw would have begun with the same."""
        return [item for _, _, item in sorted(self._heap, key=lambda e: e[:2], reverse=True)]


def id_hash(game_id: bytes) -> bytes:
    """By what games are drawn, here and as a share: N drawn of a share are those of the whole."""
    return sha256(game_id).digest()


def _hash(game_id: str) -> int:
    return int.from_bytes(id_hash(game_id.encode())[:8], "big")
