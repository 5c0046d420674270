"""How far a file is read, as it lies on the disk: its games cannot be counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from config.language import english

if TYPE_CHECKING:
    from pipeline.fetch.opened import OnRead
    from pipeline.progress import Progress

_MIB = 1024 * 1024

READING = english("Reading {source}, MiB")
COUNTING = english("Counting the games in {source}, MiB")


def watch(path_or_dash: str, progress: Progress, *, purpose: str = READING) -> OnRead:
    """Begins a stage of `progress`, and takes the bytes that are read; `purpose` names `source`."""
    name = english("standard input") if path_or_dash == "-" else Path(path_or_dash).name
    stage = purpose.format(source=name)
    is_file = path_or_dash != "-" and Path(path_or_dash).is_file()
    progress.begin(stage, _begun_mebibytes(Path(path_or_dash).stat().st_size) if is_file else None)
    read = 0

    def on_read(count: int) -> None:
        nonlocal read
        steps = _begun_mebibytes(read + count) - _begun_mebibytes(read)
        read += count
        if steps:
            progress.advance(stage, steps)

    return on_read


def _begun_mebibytes(count: int) -> int:
    """The last one need not be full, or a small file would never be read."""
    return -(-count // _MIB)
