"""Games from a file or from standard input, with progress."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from config.language import english
from pipeline.fetch.files import read_games
from pipeline.progress import Progress
from pipeline.records import Game, SetAside


def games_in(path_or_dash: str | Path, progress: Progress) -> Iterator[Game | SetAside]:
    """Every game of the file, in its order, and what could not be read of it."""
    shown = english("standard input") if str(path_or_dash) == "-" else Path(path_or_dash).name
    stage = english("Reading {source}").format(source=shown)
    progress.begin(stage, None)
    for item in read_games(path_or_dash, stdin=sys.stdin.buffer):
        progress.advance(stage)
        yield item
