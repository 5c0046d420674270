"""Files of games as the strength stage's measuring and fitting take them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline.fetch.files import read_games
from pipeline.strength.digest import file_sha256
from pipeline.strength.labelled import GameSource


def game_sources(files: Sequence[Path]) -> list[GameSource]:
    """Nothing is read yet but for the digests, by which a file is known again."""
    return [
        GameSource(
            name=file.name,
            sha256=file_sha256(file),
            games=read_games(file, stdin=sys.stdin.buffer),
        )
        for file in files
    ]
