"""The ratings at which evidence is stated, and quantiles of a distribution over them."""

from __future__ import annotations

import numpy as np

from pipeline.strength.own_moves import Column

RATINGS: Column = np.arange(400.0, 3201.0, 20.0)
"""Rating i belongs to `Evidence.log_likelihoods[i]`; Lichess's scale starts at 400."""

_HALF_STEP = (RATINGS[1] - RATINGS[0]) / 2
EDGES: Column = np.concatenate(([RATINGS[0] - _HALF_STEP], RATINGS + _HALF_STEP))
"""The probability of rating i is spread evenly from edge i to edge i + 1."""


def normalised(log_weights: Column) -> Column:
    """Probabilities over `RATINGS` from log-weights known up to a constant."""
    weights = np.exp(log_weights - log_weights.max())
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def quantile(probabilities: Column, level: float) -> float:
    """The rating below which `level` (0 to 1) of the probability lies.

    Each probability is spread evenly over the 20 points around its rating.
    """
    return float(np.interp(level, _cumulated(probabilities), EDGES))


def central_range(probabilities: Column, coverage: float) -> tuple[float, float, float]:
    """Low, median and high: `coverage` (0 to 1) of the probability lies between, half below."""
    tail = (1 - coverage) / 2
    low, median, high = (quantile(probabilities, level) for level in (tail, 0.5, 1 - tail))
    return low, median, high


def share_below(probabilities: Column, rating: float) -> float:
    """How much of the probability (0 to 1) lies below `rating`: the inverse of `quantile`."""
    return float(np.interp(rating, EDGES, _cumulated(probabilities)))


def _cumulated(probabilities: Column) -> Column:
    return np.concatenate(([0.0], np.cumsum(probabilities)))
