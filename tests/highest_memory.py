"""The memory of this process and its children at its highest, on Linux."""

from __future__ import annotations

import threading
from contextlib import suppress

import psutil


class HighestMemory:
    """A context manager: looks twice a second at what this process and its children hold."""

    def __init__(self) -> None:
        self.mebibytes = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> HighestMemory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(0.5):
            own = psutil.Process()
            family = [own, *own.children(recursive=True)]
            self.mebibytes = max(self.mebibytes, sum(map(_mebibytes, family)))


def _mebibytes(process: psutil.Process) -> float:
    """What a process has for itself, and its share of what it has with others."""
    with suppress(psutil.Error):
        return float(process.memory_full_info().pss) / 2**20
    return 0.0
