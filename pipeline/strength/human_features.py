"""What a player's moves look like to the human-move model: summaries over own moves of a game.

The model says how probable each move played is at five ratings. Summed over the moves that is
a likelihood of the rating; how it deviates from what the model itself expects tells the rest.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from config.errors import ModelError
from engines.evals import Color
from engines.maia import RATINGS as HUMAN_RATINGS
from engines.maia import HumanLikelihoods
from pipeline.strength.own_moves import Column, Mask

HUMAN_FEATURES_VERSION = 1
"""Raised with every change of a feature's meaning."""

_CURVE_RATINGS: Column = np.arange(600.0, 2601.0, 20.0)
_USUAL_RATING, _USUAL_SPREAD = 1600.0, 400.0
_ADDED_MOVES = 10
"""Means are drawn towards 0 by so many moves: of few moves they would be mostly chance."""
_EXPECTED_AT = (0, 2, 4)

_STEPS = tuple(f"{low}_{high}" for low, high in pairwise(HUMAN_RATINGS))
HUMAN_FEATURE_NAMES = (
    "human_rating",
    "log_human_moves",
    *(f"log_p_gain_{step}" for step in _STEPS),
    *(f"expected_gain_at_{HUMAN_RATINGS[index]}" for index in _EXPECTED_AT),
)
"""The columns of `human_features`.

`human_rating` is the mean of the moves' likelihood times a broad normal distribution, as a
rating; `log_human_moves` the logarithm of the moves that were not forced. A `log_p_gain` is by
how much the moves are likelier at the higher of two ratings than at the lower, natural
logarithm a move; an `expected_gain` the same from 600 to 2600, not for the moves played but in
the mean over those that a player of that rating would choose from.
"""


def human_features(human: HumanLikelihoods, color: Color) -> Column:
    """One value for each of `HUMAN_FEATURE_NAMES`, of the moves of `color`.

    The game must have begun from the usual starting position. ModelError when the
    likelihoods are for other ratings than the model knows.
    """
    if human.ratings != HUMAN_RATINGS:
        raise ModelError(
            f"The human likelihoods of game {human.game_id} are for the ratings {human.ratings}, "
            f"but the model reads those for {HUMAN_RATINGS}; compute them again."
        )
    chosen = _own_choices(human, color)
    log_p, expected = human.log_probabilities[chosen], human.expected_log_probabilities[chosen]
    moves = len(log_p)
    gains = np.diff(log_p, axis=1).sum(axis=0) / (moves + _ADDED_MOVES)
    expected_gains = (expected[:, :, -1] - expected[:, :, 0]).sum(axis=0) / (moves + _ADDED_MOVES)
    return np.array(
        [
            _posterior_mean(log_p.sum(axis=0)),
            np.log(max(moves, 1)),
            *gains,
            *expected_gains[list(_EXPECTED_AT)],
        ]
    )


def _own_choices(human: HumanLikelihoods, color: Color) -> Mask:
    """Where `color` had more than one legal move; White's plies are odd in a usual start."""
    own = human.plies % 2 == (1 if color == "white" else 0)
    return np.asarray(own & (human.legal_move_counts > 1), dtype=np.bool_)


def _posterior_mean(log_likelihoods: Column) -> float:
    curve = _INTERPOLATION @ log_likelihoods
    curve = curve - 0.5 * ((_CURVE_RATINGS - _USUAL_RATING) / _USUAL_SPREAD) ** 2
    weights = np.exp(curve - curve.max())
    return float(weights @ _CURVE_RATINGS / weights.sum())


def _interpolation() -> npt.NDArray[np.float64]:
    """From values at `HUMAN_RATINGS` to the polynomial through them at `_CURVE_RATINGS`."""
    known, wanted = [
        np.vander((np.asarray(ratings) - _USUAL_RATING) / _USUAL_SPREAD, len(HUMAN_RATINGS))
        for ratings in (HUMAN_RATINGS, _CURVE_RATINGS)
    ]
    return np.asarray(wanted @ np.linalg.inv(known), dtype=np.float64)


_INTERPOLATION = _interpolation()
