"""Which ratings are how common among the players of one speed: applied once, at the end."""

from __future__ import annotations

import numpy as np

from pipeline.strength.grid import RATINGS
from pipeline.strength.own_moves import Column

_BANDWIDTH = 80.0
_EVEN_SHARE = 0.02
"""No rating on the grid is ruled out: this share is spread evenly over all of it."""


def log_prior(ratings: Column) -> Column:
    """Log-probabilities over `grid.RATINGS`: the smoothed histogram of `ratings`."""
    counts = np.zeros(len(RATINGS))
    nearest = np.abs(RATINGS[None, :] - np.unique(ratings)[:, None]).argmin(axis=1)
    np.add.at(counts, nearest, np.unique(ratings, return_counts=True)[1])
    kernel = np.exp(-0.5 * ((RATINGS[:, None] - RATINGS[None, :]) / _BANDWIDTH) ** 2)
    smooth = kernel @ counts
    even = np.full(len(RATINGS), 1 / len(RATINGS))
    mixed = (1 - _EVEN_SHARE) * smooth / smooth.sum() + _EVEN_SHARE * even
    return np.asarray(np.log(mixed), dtype=np.float64)
