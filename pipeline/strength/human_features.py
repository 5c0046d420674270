"""What a player's moves look like to the human-move model: summaries over own moves of a game.

The model says how probable each move played is at five ratings. Summed over the moves that is
a likelihood of the rating; how it deviates from what the model itself expects tells the rest.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from engines.evals import Color
from engines.human_likelihoods import RATINGS as HUMAN_RATINGS
from engines.human_likelihoods import HumanLikelihoods
from pipeline.records import Clock
from pipeline.strength.human_clock_features import HUMAN_CLOCK_FEATURE_NAMES, human_clock_features
from pipeline.strength.own_choices import USUAL, OwnChoices, own_choices
from pipeline.strength.own_moves import Column
from pipeline.strength.rating_curve import curve_weights

HUMAN_FEATURES_VERSION = 2
"""Raised with every change of a feature's meaning."""

ADDED_MOVES = 10
"""Means are drawn towards 0 by so many moves: of few moves they would be mostly chance."""

_CURVE_RATINGS: Column = np.arange(600.0, 2601.0, 20.0)
_USUAL_RATING, _USUAL_SPREAD = 1600.0, 400.0
_EXPECTED_AT = (0, 2, 4)
_STAGES = ((7, 24), (25, 60), (61, 9999))
"""Plies: openings mostly known, the middle, and what only longer games have."""
_LEVEL_SCORE = (0.15, 0.85)
_UNLIKELY = -4.0
"""Natural logarithm: a move that one in fifty-five of the usual players would play."""

_STEPS = tuple(f"{low}_{high}" for low, high in pairwise(HUMAN_RATINGS))
_MOVE_FEATURE_NAMES = (
    "human_rating",
    "human_rating_while_level",
    *(f"human_rating_plies_{first}_to_{last}" for first, last in _STAGES),
    "log_human_moves",
    *(f"log_p_gain_{step}" for step in _STEPS),
    *(f"expected_gain_at_{HUMAN_RATINGS[index]}" for index in _EXPECTED_AT),
    "log_p_gain_of_gaining_moves",
    "log_p_gain_of_losing_moves",
    "surprise",
    "entropy",
    "likeliest_move_share",
    "unlikely_move_share",
    "human_score",
)
HUMAN_FEATURE_NAMES = (*_MOVE_FEATURE_NAMES, *HUMAN_CLOCK_FEATURE_NAMES)
"""The columns of `human_features`; those about the clock are the last.

A `human_rating` is the mean of some moves' likelihood times a broad normal distribution, as a
rating; `log_human_moves` the logarithm of the moves that were not forced. A `log_p_gain` is by
how much the moves are likelier at the higher of two ratings than at the lower, natural
logarithm a move; an `expected_gain` the same from 600 to 2600, not for the moves played but in
the mean over those that a player of that rating would choose from. `human_score` is what the
player could expect from the positions that were before them, 0 to 1: where a game is as good
as over, moves say something else about a player than where it is not.
"""


def human_feature_names(*, with_clocks: bool) -> tuple[str, ...]:
    """The columns that a reading uses: the last of `HUMAN_FEATURE_NAMES` only with clocks."""
    return HUMAN_FEATURE_NAMES if with_clocks else _MOVE_FEATURE_NAMES


def human_features(
    human: HumanLikelihoods,
    color: Color,
    clock: Clock | None = None,
    clocks_centiseconds: tuple[int, ...] = (),
) -> Column:
    """One value for each of `HUMAN_FEATURE_NAMES`, of the moves of `color`.

    The game must have begun from the usual starting position; its clocks are as in a `Game`,
    and without them the columns about the clock are NaN. ModelError when the likelihoods are
    for other ratings than the model knows.
    """
    choices = own_choices(human, color)
    of_moves = np.array(
        [
            *_ratings(choices),
            np.log(max(choices.count, 1)),
            *_mean(np.diff(choices.log_p, axis=1)),
            *_mean(choices.expected[:, :, -1] - choices.expected[:, :, 0])[list(_EXPECTED_AT)],
            _mean(np.maximum(choices.gain, 0.0)),
            _mean(np.minimum(choices.gain, 0.0)),
            _mean(choices.surprise[:, USUAL]),
            _mean(choices.entropy[:, USUAL]),
            _mean(choices.log_p[:, USUAL] >= choices.best_log_p[:, USUAL] - 1e-3),
            _mean(choices.log_p[:, USUAL] < _UNLIKELY),
            choices.score.mean() if choices.count else 0.5,
        ]
    )
    return np.concatenate([of_moves, human_clock_features(choices, clock, clocks_centiseconds)])


def _mean(values: npt.NDArray[np.float64] | npt.NDArray[np.bool_]) -> Column:
    """Over the moves; a few that count as 0 are added."""
    return np.asarray(values.sum(axis=0) / (len(values) + ADDED_MOVES))


def _ratings(choices: OwnChoices) -> list[float]:
    level = (choices.score > _LEVEL_SCORE[0]) & (choices.score < _LEVEL_SCORE[1])
    stages = [(choices.plies >= first) & (choices.plies <= last) for first, last in _STAGES]
    everything = np.ones(choices.count, dtype=np.bool_)
    return [
        _posterior_mean(choices.log_p[chosen].sum(axis=0))
        for chosen in (everything, level, *stages)
    ]


def _posterior_mean(log_likelihoods: Column) -> float:
    curve = _INTERPOLATION @ log_likelihoods
    curve = curve - 0.5 * ((_CURVE_RATINGS - _USUAL_RATING) / _USUAL_SPREAD) ** 2
    weights = np.exp(curve - curve.max())
    return float(weights @ _CURVE_RATINGS / weights.sum())


_INTERPOLATION = curve_weights(_CURVE_RATINGS)
