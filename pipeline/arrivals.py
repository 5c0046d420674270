"""What a stream of games from Lichess has brought, and how far down it can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pipeline.spans import Span

_ENOUGH_TO_KNOW_THE_ORDER = 5


@dataclass(slots=True, kw_only=True)
class Arrivals:
    """What came, in games, as it goes: new ones and ones that the store had.

    `nameless` had no id or no time, and were not kept. `look_at` sees each record.
    """

    look_at: Callable[[Mapping[str, object]], None]
    new: int = 0
    known: int = 0
    nameless: int = 0


class NewestFirst:
    """Whether the games of a stretch come newest first, and how far they have come.

    As long as they do, nothing is missing above the oldest; as soon as one does not, nobody
    knows what is missing. A few games in order may be chance.
    """

    def __init__(self, span: Span) -> None:
        self._span = span
        self._oldest_ms: int | None = None
        self._is_ordered = True
        self.games = 0

    def came(self, created_at_ms: int) -> None:
        """One more of this stretch."""
        self.games += 1
        if self._oldest_ms is not None and created_at_ms > self._oldest_ms:
            self._is_ordered = False
        self._oldest_ms = created_at_ms

    def complete_part(self) -> Span | None:
        """The newest part of the stretch, of which all games have come."""
        is_known = self._is_ordered and self.games >= _ENOUGH_TO_KNOW_THE_ORDER
        if self._oldest_ms is None or not is_known:
            return None
        # Others may have begun in the same millisecond as the oldest, so that one is still open.
        return Span(self._oldest_ms + 1, self._span.newest_ms)
