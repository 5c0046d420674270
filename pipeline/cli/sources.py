"""Files of games as the strength stage's measuring and fitting take them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.fetch.files import read_games
from pipeline.records import Game, SetAside
from pipeline.strength.digest import file_sha256
from pipeline.strength.labelled import GameSource


def game_sources(files: Sequence[Path]) -> list[GameSource]:
    """Nothing is read yet but for the digests, by which a file is known again."""
    return [
        GameSource(
            name=file.name,
            sha256=file_sha256(file),
            games=_GamesOfFile(file),
        )
        for file in files
    ]


@dataclass(frozen=True, slots=True)
class _GamesOfFile:
    """Can be gone through more than once, as fitting does."""

    file: Path

    def __iter__(self) -> Iterator[Game | SetAside]:
        return read_games(self.file, stdin=sys.stdin.buffer)
