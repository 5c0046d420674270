"""Maia-3, the human-move model: how probable a move is for a player of a given rating.

Trained on Lichess games of January 2023 to July 2025. The only file that imports onnxruntime.

Source: Monroe et al., Chessformer, ICLR 2026; https://huggingface.co/UofTCSSLab/Maia3-5M,
AGPL-3.0, which is why movelo is AGPL-3.0-or-later.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from config.errors import InputError, ModelError
from engines.evals import COLORS, Color, PositionSequence
from engines.maia_network import NETWORK_VERSION, VERSION_KEY
from engines.maia_tokens import Choice, choices, open_choice

Floats: TypeAlias = npt.NDArray[np.float64]

RATINGS = (600, 900, 1400, 2000, 2600)
"""Few enough to be quick. A curve through them, fitted on other games, gives the sum of a
player's log-likelihoods in a game at any rating from 600 to 2600 within 0.2 (root mean square,
natural logarithm, up to a constant); through 2800 within 0.24. With six: 0.15."""

FIRST_PLY = 7
"""Before it, moves say more about openings learned than about strength."""

_ERRORS_ONLY = 3
_LEAST_PROBABILITY = 1e-300
"""So that a probability of 0 has a logarithm; it counts nothing in an entropy."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HumanLikelihoods:
    """What Maia expected of some plies of a game: arrays with one row a ply.

    Natural logarithms; softmax over the legal moves; column r (and s) is `ratings[r]`, taken
    as the rating of both players. A ply with one legal move has log p = 0 and no expected
    score (NaN).

    `log_probabilities` [plies, R]: of the move played.
    `expected_log_probabilities` [plies, R, R]: Σ p_r log p_s over the legal moves, what a
    player of rating r would reach at s in the mean; the diagonal is minus the entropy.
    `expected_squares` [plies, R]: Σ p_r (log p_r)².
    `best_log_probabilities` [plies, R]: of the likeliest move.
    `expected_scores` [plies, R]: 0 to 1, for the mover, before the move.
    `legal_move_counts` [plies].
    """

    game_id: str
    ratings: tuple[int, ...]
    plies: npt.NDArray[np.int64]
    legal_move_counts: npt.NDArray[np.int64]
    log_probabilities: Floats
    expected_log_probabilities: Floats
    expected_squares: Floats
    best_log_probabilities: Floats
    expected_scores: Floats

    @property
    def entropies(self) -> Floats:
        """[plies, R], 0 or more: how open the choice was at each rating."""
        return -np.diagonal(self.expected_log_probabilities, axis1=1, axis2=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextMove:
    """What Maia expects in the position that a game has reached.

    `probabilities[i]` (0 to 1, summing to 1) is that of `moves_uci[i]`; every legal move is
    there. `expected_score` is 0 to 1, for the side to move.
    """

    moves_uci: tuple[str, ...]
    probabilities: tuple[float, ...]
    expected_score: float

    @property
    def entropy(self) -> float:
        """0 or more, natural logarithm: how open the choice is."""
        p = np.array(self.probabilities)
        return float(-(p * np.log(np.maximum(p, _LEAST_PROBABILITY))).sum())


class MaiaModel:
    """The network, loaded; use it from several threads at once if you like.

    A batch is one position at all `ratings`, never more: the numbers of a ply are the same
    whatever else is evaluated. They depend, in the second decimal, on the set of ratings.
    """

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        """Load the file that `install_model` made; ModelError when it cannot be used."""
        self._session = _load(path, threads)

    def likelihoods(
        self,
        sequence: PositionSequence,
        *,
        ratings: tuple[int, ...] = RATINGS,
        first_ply: int = FIRST_PLY,
        colors: Collection[Color] = COLORS,
    ) -> HumanLikelihoods:
        """Every ply from `first_ply` on that one of `colors` played; some 20 ms each.

        Raises InputError for a start that is no legal position, IllegalMove for a move that
        does not follow.
        """
        asked = list(choices(sequence, first_ply, colors))
        result = _nothing_expected(sequence.game_id, ratings, asked)
        for row, choice in enumerate(asked):
            if not choice.is_forced:
                self._fill(result, row, choice)
        return result

    def next_move(
        self, sequence: PositionSequence, *, self_rating: int, opponent_rating: int
    ) -> NextMove:
        """What a player of `self_rating`, to move after `sequence`, would play; some 10 ms.

        Raises what `likelihoods` does, and InputError where there is no move left.
        """
        choice = open_choice(sequence)
        if not choice.moves_uci:
            raise InputError(
                f"game {sequence.game_id} is over after ply {len(sequence.moves_uci)}, so that "
                "there is no next move; ask about an earlier position"
            )
        log_p, expected = self._expectations(
            choice.tokens, choice.move_indices, (self_rating,), (opponent_rating,)
        )
        return NextMove(
            moves_uci=choice.moves_uci,
            probabilities=tuple(np.exp(log_p[0]).tolist()),
            expected_score=float(expected[0]),
        )

    def _fill(self, result: HumanLikelihoods, row: int, choice: Choice) -> None:
        log_p, expected = self._expectations(
            choice.tokens, choice.move_indices, result.ratings, result.ratings
        )
        p = np.exp(log_p)
        result.log_probabilities[row] = log_p[:, choice.played]
        result.expected_log_probabilities[row] = p @ log_p.T
        result.expected_squares[row] = (p * log_p**2).sum(axis=1)
        result.best_log_probabilities[row] = log_p.max(axis=1)
        result.expected_scores[row] = expected

    def _expectations(
        self,
        tokens: npt.NDArray[np.float32],
        move_indices: tuple[int, ...],
        self_ratings: tuple[int, ...],
        opponent_ratings: tuple[int, ...],
    ) -> tuple[Floats, Floats]:
        """For each pair of ratings: log p of every legal move, and the mover's expected score."""
        feed = {
            "tokens": tokens,
            "self_elo": np.array(self_ratings, dtype=np.int64),
            "oppo_elo": np.array(opponent_ratings, dtype=np.int64),
        }
        move_logits, value_logits = self._session.run(["logits_move", "logits_value"], feed)
        scores = np.exp(_log_softmax(value_logits)) @ _SCORES
        return _log_softmax(move_logits[:, move_indices]), scores


class _Session(Protocol):
    def run(self, outputs: list[str], feed: dict[str, Any]) -> list[npt.NDArray[np.float32]]: ...


_SCORES = np.array([0.0, 0.5, 1.0])
"""Of loss, draw and win, the order of `logits_value`."""


def _nothing_expected(
    game_id: str, ratings: tuple[int, ...], asked: list[Choice]
) -> HumanLikelihoods:
    """The rows as they stay where a move was forced."""
    plies, width = len(asked), len(ratings)
    return HumanLikelihoods(
        game_id=game_id,
        ratings=ratings,
        plies=np.array([choice.ply for choice in asked], dtype=np.int64),
        legal_move_counts=np.array([len(choice.move_indices) for choice in asked], dtype=np.int64),
        log_probabilities=np.zeros((plies, width)),
        expected_log_probabilities=np.zeros((plies, width, width)),
        expected_squares=np.zeros((plies, width)),
        best_log_probabilities=np.zeros((plies, width)),
        expected_scores=np.full((plies, width), np.nan),
    )


def _log_softmax(logits: npt.NDArray[np.float32]) -> Floats:
    shifted = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def _load(path: Path, threads: int) -> _Session:
    if not path.is_file():
        raise ModelError(
            f"there is no human-move model at {path}; obtain it with: movelo model install"
        )
    try:
        onnxruntime = import_module("onnxruntime")
    except ImportError as error:
        raise ModelError(
            f"the human-move model needs onnxruntime, which cannot be loaded ({error}); "
            "install it with: pip install onnxruntime"
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = threads
    options.log_severity_level = _ERRORS_ONLY
    return _checked(_opened(onnxruntime, path, options), path)


def _opened(onnxruntime: Any, path: Path, options: Any) -> Any:
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own classes are private to it
        raise _unusable(path, str(error).splitlines()[0]) from error


def _checked(session: Any, path: Path) -> _Session:
    version = session.get_modelmeta().custom_metadata_map.get(VERSION_KEY)
    if version != NETWORK_VERSION:
        raise _unusable(path, "it was made by another version of movelo")
    checked: _Session = session
    return checked


def _unusable(path: Path, reason: str) -> ModelError:
    return ModelError(
        f"the human-move model at {path} cannot be used ({reason}); "
        "obtain it again with: movelo model install"
    )
