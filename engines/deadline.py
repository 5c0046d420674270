"""A thread that acts when something takes too long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_LATE_SECONDS = 1.0


class Deadline(threading.Thread):
    """Calls `on_missed`, once, when a deadline passes; `missed` says so from then on.

    Setting a later deadline, for one piece of work after another, costs next to nothing.
    """

    def __init__(self, on_missed: Callable[[], None]) -> None:
        super().__init__(name="movelo deadline", daemon=True)
        self.missed = False
        self._on_missed = on_missed
        self._changed = threading.Condition()
        self._seconds = 0.0
        self._due_at: float | None = None
        self._closed = False

    def set(self, seconds: float) -> None:
        """From now on; any earlier deadline is met."""
        was_idle = self._due_at is None
        self._seconds = seconds
        self._due_at = time.monotonic() + seconds
        if was_idle:
            self._wake()

    def clear(self) -> None:
        """Nothing is awaited."""
        self._due_at = None

    def close(self) -> None:
        """Let the thread end."""
        self._closed = True
        self._wake()

    def run(self) -> None:
        """Wakes up about once for each deadline that is met long before, not for each set."""
        with self._changed:
            while not self._closed and not self.missed:
                due_at, now = self._due_at, time.monotonic()
                if due_at is None or now < due_at:
                    self._changed.wait(None if due_at is None else due_at - now)
                elif now > due_at + _LATE_SECONDS:
                    # This thread was stopped (Ctrl-Z, a full machine), and whoever is awaited
                    # too; nobody knows for how long.
                    self._due_at = now + self._seconds
                else:
                    self.missed = True
                    self._on_missed()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify()
