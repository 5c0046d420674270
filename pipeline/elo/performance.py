"""The rating at which a player would have been expected to score what they scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

_REACH = 4000
"""Points beyond the weakest and strongest opponent: the posterior is below 1e-5 there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """A performance rating and the interval that holds it with probability `coverage`."""

    low: float
    rating: float
    high: float
    coverage: float


def performance(
    opponent_ratings: Sequence[float], scores: Sequence[float], *, coverage: float = 0.8
) -> Performance:
    """The likelihood of `scores` (0, ½ or 1 each) in the player's rating, made an interval.

    A draw counts as half a win and half a loss. Jeffreys' prior keeps rating and interval
    finite at 0 % and 100 % (the rating is then Firth's penalised likelihood estimate,
    Biometrika 80, 1993): against equals that is half a win and half a loss more than there was.
    The opponents' ratings are taken as exact. ValueError without games or at unequal lengths.
    """
    if not opponent_ratings or len(opponent_ratings) != len(scores):
        raise ValueError("a performance needs one score for each opponent, and one at least")
    opponents = np.asarray(opponent_ratings, dtype=float)
    ratings = np.arange(opponents.min() - _REACH, opponents.max() + _REACH)
    log_posterior = _log_posterior(ratings, opponents, np.asarray(scores, dtype=float))
    cumulative = np.cumsum(np.exp(log_posterior - log_posterior.max()))
    tail = (1 - coverage) / 2
    low, high = np.interp([tail, 1 - tail], cumulative / cumulative[-1], ratings)
    mode = _peak(ratings, log_posterior)
    return Performance(low=float(low), rating=mode, high=float(high), coverage=coverage)


Floats = npt.NDArray[np.float64]


def _log_posterior(ratings: Floats, opponents: Floats, scores: Floats) -> Floats:
    log_likelihood = np.zeros_like(ratings)
    information = np.zeros_like(ratings)
    # One pass per distinct opponent rating keeps memory flat over thousands of games.
    for opponent in np.unique(opponents):
        met = opponents == opponent
        games, score = met.sum(), scores[met].sum()
        advantage = (ratings - opponent) * log(10) / 400
        log_win, log_loss = -np.logaddexp(0, -advantage), -np.logaddexp(0, advantage)
        log_likelihood += score * log_win + (games - score) * log_loss
        information += games * np.exp(log_win + log_loss)
    return log_likelihood + 0.5 * np.log(information)


def _peak(ratings: Floats, log_posterior: Floats) -> float:
    """The maximum to a fraction of a point: a parabola through the three highest points."""
    top = int(np.argmax(log_posterior))
    left, middle, right = log_posterior[top - 1 : top + 2]
    return float(ratings[top] + 0.5 * (left - right) / (left - 2 * middle + right))
