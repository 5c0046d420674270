"""Human likelihoods of many games, kept in a folder: computing them takes a second a game.

The folder holds .npz archives of some games each, their moves one after another. Numbers are
kept in half precision, which is far finer than what the features make of them.
"""

from __future__ import annotations

import logging
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from config.errors import InputError, ModelError
from config.language import _, english
from engines.evals import COLORS, Color, PositionSequence
from engines.human_likelihoods import HumanLikelihoods
from pipeline.records import Game
from pipeline.replay import replay
from pipeline.strength.labelled import Progress

_log = logging.getLogger(__name__)

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


UNKNOWN_NETWORK = "unknown"
"""Of likelihoods that were kept before it was written down which network they are from."""

Ask: TypeAlias = Callable[[Sequence[PositionSequence]], Iterator[HumanLikelihoods]]
"""What computes: many games in, the likelihoods of both sides of each out, as they finish.

A game of which nothing comes out has none.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanMoveModel:
    """A human-move model at work; `network` says which, as likelihoods depend on it."""

    ask: Ask
    network: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The likelihoods of the moves of `colors` in one game, and the network they are from."""

    human: HumanLikelihoods
    colors: tuple[Color, ...]
    network: str = UNKNOWN_NETWORK


class HumanCache:
    """The likelihoods in `folder`, and up to `new_games` more, which `model` computes.

    Use it in a `with` block: at its end the last of them are written. What was written
    before an interruption is not computed again.
    """

    def __init__(
        self, folder: Path, *, model: HumanMoveModel | None = None, new_games: int = 0
    ) -> None:
        """Read what the folder has.

        ModelError, with the file, when that is no such archive, and when the likelihoods are
        from another network than `model`.
        """
        self._folder = folder
        self._model = model
        self.new_games = new_games if model is not None else 0
        self._kept: dict[tuple[str, Color], Kept] = {}
        self._unwritten: list[Kept] = []
        for path in sorted(folder.glob("*.npz")):
            for kept in _read(path):
                self._check_network(kept, path)
                self._add(kept)

    def __enter__(self) -> HumanCache:
        """The cache itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Write what is not written yet, whatever happened."""
        self._write()

    def has(self, game_id: str, color: Color) -> bool:
        """Whether it has the likelihoods with the moves of `color`."""
        return (game_id, color) in self._kept

    def likelihoods(self, game_id: str, color: Color) -> HumanLikelihoods | None:
        """With the moves of `color`; None when there are none."""
        kept = self._kept.get((game_id, color))
        return None if kept is None else kept.human

    def compute(self, games: Sequence[Game], progress: Progress) -> None:
        """Ask about `games`, and keep each answer at once; both sides of each are computed.

        Games whose moves cannot be played, or of which the model has no answer, stay without.
        """
        if self._model is None or not games:
            return
        stage = english("asking the human-move model")
        progress(stage, 0, len(games))
        answers = self._model.ask(list(_positions(games)))
        for count, human in enumerate(answers, start=1):
            self.keep(Kept(human=human, colors=COLORS, network=self._model.network))
            progress(stage, count, len(games))

    def networks(self, game_ids: Collection[str]) -> tuple[str, ...]:
        """Those that the likelihoods of these games are from, sorted."""
        return tuple(sorted({network for _, network in self._sources(game_ids)}))

    def sha256(self, game_ids: Collection[str]) -> str:
        """Of which games' likelihoods were used: over the sorted ids, each with its network."""
        lines = [f"{game_id} {network}\n" for game_id, network in sorted(self._sources(game_ids))]
        return sha256("".join(lines).encode()).hexdigest()

    def _sources(self, game_ids: Collection[str]) -> set[tuple[str, str]]:
        found = [self._kept.get((game_id, color)) for game_id in game_ids for color in COLORS]
        return {(kept.human.game_id, kept.network) for kept in found if kept is not None}

    def _check_network(self, kept: Kept, path: Path) -> None:
        if self._model is None:
            return
        if kept.network not in (UNKNOWN_NETWORK, self._model.network):
            raise ModelError(
                _(
                    "{path} holds human likelihoods of another network than the installed "
                    "one; name another folder for those of this one."
                ).format(path=path)
            )

    def keep(self, kept: Kept) -> None:
        """Have it from now on, as it will be read back, and write it in time."""
        self._add(_rounded(kept))
        self._unwritten.append(kept)
        if len(self._unwritten) >= _GAMES_A_FILE:
            self._write()

    def _add(self, kept: Kept) -> None:
        for color in kept.colors:
            self._kept[kept.human.game_id, color] = kept

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
                _(
                    "The human likelihoods could not be kept in {folder} ({error}); free "
                    "some space, or name another folder."
                ).format(folder=self._folder, error=error.strerror)
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
        "networks": np.array([kept.network for kept in games], dtype=np.str_),
        "ratings": np.array([kept.human.ratings for kept in games], dtype=np.int64),
        "counts": np.array([len(kept.human.plies) for kept in games], dtype=np.int64),
        **halves,
    }


def _rounded(kept: Kept) -> Kept:
    """Whether something was computed just now or earlier makes no difference."""
    return _game(_arrays([kept]), 0, slice(0, len(kept.human.plies)))


def _read(path: Path) -> Iterator[Kept]:
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        ends = np.cumsum(arrays["counts"])
        for index, end in enumerate(ends):
            yield _game(arrays, index, slice(int(end - arrays["counts"][index]), int(end)))
    except (OSError, zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError) as error:
        raise ModelError(
            _(
                "{path} holds no human likelihoods that can be read; remove it, and they are "
                "computed anew."
            ).format(path=path)
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
    networks = arrays.get("networks")
    return Kept(
        human=human,
        colors=tuple(color for color in COLORS if color in words),
        network=UNKNOWN_NETWORK if networks is None else str(networks[index]),
    )


def _positions(games: Sequence[Game]) -> Iterator[PositionSequence]:
    for game in games:
        try:
            yield replay(game).positions()
        except InputError as error:
            _log.info("no human likelihoods of game %s: %s", game.id, error)
