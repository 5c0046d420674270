"""Until when Lichess asked to wait, kept in the store: for the next start, and other processes."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from pipeline.store import Store

# Lichess has limits by the day too; whatever says more than that is a mistake.
_LONGEST_MS = 24 * 60 * 60 * 1000


class StoredWaits:
    """The `waits` of a Lichess client; `clock` gives seconds since 1970."""

    def __init__(self, store: Store, host: str, *, clock: Callable[[], float]) -> None:
        self._store = store
        self._host = host
        self._clock = clock

    def seconds_left(self) -> float:
        """0 when it may be asked."""
        return self._store.wait_ms(self._host, now_ms=self._now_ms()) / 1000

    def note(self, seconds: float) -> None:
        """From now on, so long."""
        now_ms = self._now_ms()
        until_ms = now_ms + min(ceil(seconds * 1000), _LONGEST_MS)
        self._store.note_wait(self._host, now_ms=now_ms, until_ms=until_ms)

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)
