"""What the human-move model says of moves: how probable each is for a player of a given rating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engines.maia_tokens import Choice

Floats: TypeAlias = npt.NDArray[np.float64]

RATINGS = (600, 900, 1400, 2000, 2600)
"""Few enough to be quick. A curve through them, fitted on other games, gives the sum of a
player's log-likelihoods in a game at any rating from 600 to 2600 within 0.2 (root mean square,
natural logarithm, up to a constant); through 2800 within 0.24. With six: 0.15."""

FIRST_PLY = 7
"""Before it, moves say more about openings learned than about strength."""

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


def nothing_expected(
    game_id: str, ratings: tuple[int, ...], asked: Sequence[Choice]
) -> HumanLikelihoods:
    """Of the choices of a game: the rows as they stay where a move was forced."""
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
