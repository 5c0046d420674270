"""The memory of this process and its children at its highest, where there is a /proc."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path


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
            self.mebibytes = max(self.mebibytes, sum(map(_mebibytes, _family())))


def _family() -> list[int]:
    found = [os.getpid()]
    for pid in found:
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, children.read_text("ascii").split())
    return found


def _mebibytes(pid: int) -> float:
    """What a process has for itself, and its share of what it has with others."""
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
    return 0.0
