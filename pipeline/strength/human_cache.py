"""Human likelihoods of many games, kept in a folder: computing them takes a second a game.

The folder holds .npz archives of some games each, their moves one after another. Numbers are
kept in half precision, which is far finer than what the features make of them.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from config.errors import ModelError
from engines.evals import COLORS, Color, PositionSequence
from engines.maia import HumanLikelihoods
from pipeline.records import Game
from pipeline.replay import replay

_GAMES_A_FILE = 50
_COLUMNS = (
    "plies",
    "legal_move_counts",
    "log_probabilities",
    "expected_log_probabilities",
    "expected_squares",
    "best_log_probabilities",
    "expected_scores",
)
"""One row a ply in each; the rest of a `HumanLikelihoods` is one value a game or a file."""


class HumanMoveModel(Protocol):
    """What computes: `engines.maia.MaiaModel`."""

    def likelihoods(
        self, sequence: PositionSequence, *, colors: Collection[Color]
    ) -> HumanLikelihoods:
        """Of every ply that one of `colors` played."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The likelihoods of the moves of `colors` in one game."""

    human: HumanLikelihoods
    colors: tuple[Color, ...]


class HumanCache:
    """The likelihoods in `folder`, and up to `new_games` more, which `model` computes.

    Use it in a `with` block: at its end the last of them are written. What was written
    before an interruption is not computed again.
    """

    def __init__(
        self, folder: Path, *, model: HumanMoveModel | None = None, new_games: int = 0
    ) -> None:
        """Read what the folder has; ModelError, with the file, when that is no such archive."""
        self._folder = folder
        self._model = model
        self._left = new_games if model is not None else 0
        self._kept: dict[tuple[str, Color], HumanLikelihoods] = {}
        self._unwritten: list[Kept] = []
        for path in sorted(folder.glob("*.npz")):
            for kept in _read(path):
                self._add(kept)

    def __enter__(self) -> HumanCache:
        """The cache itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write what is not written yet, whatever happened."""
        self._write()

    def likelihoods(self, game: Game, color: Color) -> HumanLikelihoods | None:
        """With the moves of `color`; None when there are none, and no more may be computed.

        IllegalMove and InputError as `replay` raises them, when it has to be computed.
        """
        if (game.id, color) not in self._kept and self._model is not None and self._left > 0:
            self._left -= 1
            human = self._model.likelihoods(replay(game).positions(), colors=COLORS)
            self.keep(Kept(human=human, colors=COLORS))
        return self._kept.get((game.id, color))

    def keep(self, kept: Kept) -> None:
        """Have it from now on, and write it in time."""
        self._add(kept)
        self._unwritten.append(kept)
        if len(self._unwritten) >= _GAMES_A_FILE:
            self._write()

    def _add(self, kept: Kept) -> None:
        for color in kept.colors:
            self._kept[kept.human.game_id, color] = kept.human

    def _write(self) -> None:
        if not self._unwritten:
            return
        arrays = _arrays(self._unwritten)
        name = sha256("\n".join(arrays["game_ids"].tolist()).encode()).hexdigest()[:32]
        unfinished = self._folder / f"{name}.part"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as file:
                np.savez_compressed(file, allow_pickle=False, **arrays)
            unfinished.replace(self._folder / f"{name}.npz")
        except OSError as error:
            raise ModelError(
                f"The human likelihoods could not be kept in {self._folder} ({error.strerror}); "
                "free some space, or name another folder."
            ) from error
        self._unwritten = []


def _arrays(games: list[Kept]) -> dict[str, npt.NDArray[Any]]:
    columns = {
        name: np.concatenate([getattr(kept.human, name) for kept in games]) for name in _COLUMNS
    }
    halves = {
        name: column.astype(np.float16 if column.dtype.kind == "f" else np.int16)
        for name, column in columns.items()
    }
    return {
        "game_ids": np.array([kept.human.game_id for kept in games], dtype=np.str_),
        "colors": np.array([" ".join(kept.colors) for kept in games], dtype=np.str_),
        "ratings": np.array([kept.human.ratings for kept in games], dtype=np.int64),
        "counts": np.array([len(kept.human.plies) for kept in games], dtype=np.int64),
        **halves,
    }


def _read(path: Path) -> Iterator[Kept]:
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        ends = np.cumsum(arrays["counts"])
        for index, end in enumerate(ends):
            yield _game(arrays, index, slice(int(end - arrays["counts"][index]), int(end)))
    except (OSError, zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError) as error:
        raise ModelError(
            f"{path} holds no human likelihoods that can be read; remove it, and they are "
            "computed anew."
        ) from error


def _game(arrays: dict[str, npt.NDArray[Any]], index: int, rows: slice) -> Kept:
    columns = {name: arrays[name][rows] for name in _COLUMNS}
    typed: dict[str, npt.NDArray[Any]] = {
        name: column.astype(np.float64 if column.dtype.kind == "f" else np.int64)
        for name, column in columns.items()
    }
    words = set(str(arrays["colors"][index]).split())
    human = HumanLikelihoods(
        game_id=str(arrays["game_ids"][index]),
        ratings=tuple(arrays["ratings"][index].tolist()),
        **typed,
    )
    return Kept(human=human, colors=tuple(color for color in COLORS if color in words))
