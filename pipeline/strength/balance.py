"""How much the evidence and the population weigh against each other in a range.

With the full prior the mean error is smallest, and a range holds 80 % over all players; but
those far from the middle are drawn towards it, and their ranges hold far less. So the prior
counts only as much as players of every level can bear, and the evidence as much as makes the
ranges hold what they promise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipeline.strength.forest import Rows
from pipeline.strength.grid import EDGES
from pipeline.strength.own_moves import Column

PRIOR_WEIGHTS = (1.0, 0.7, 0.5, 0.3)
BAND_WIDTH = 200
MIN_BAND_GAMES, MIN_BAND_SHARE = 50, 0.02
"""Player-games of a band, and their share of all: with fewer it says too little about coverage,
and is too small a part of the players to widen the ranges of all others for."""
_BAND_COVERAGE = (0.7, 0.9)
_EVIDENCE_WEIGHTS = np.arange(0.6, 1.41, 0.02)


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """By what the logarithms of the prior and of the likelihood are multiplied."""

    prior_weight: float = 1.0
    evidence_weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unseen:
    """Player-games by a model that has not seen their players, and the players' ratings.

    `log_likelihoods` has a row a player-game and a column for each of `grid.RATINGS`.
    """

    log_likelihoods: Rows
    ratings: Column


def fit_balance(unseen: Unseen, log_prior: Column, *, coverage: float) -> Balance:
    """The strongest prior with which ranges of single games hold 70 to 90 % in every band.

    A band of 200 points may miss that by two standard errors of its coverage, as chance would
    have it. Where no prior does it, the one whose worst band is least wrong is taken. The
    evidence's weight is the one with which all ranges together hold `coverage`.
    """
    found = [_at(weight, unseen, log_prior, coverage) for weight in PRIOR_WEIGHTS]
    return next(
        (balance for balance, misses in found if misses <= 0),
        min(found, key=lambda pair: pair[1])[0],
    )


def places(log_weights: Rows, ratings: Column) -> Column:
    """How much of each row's probability (0 to 1) lies below the rating."""
    weights = np.exp(log_weights - log_weights.max(axis=1, keepdims=True))
    cumulated = np.cumsum(weights, axis=1) / weights.sum(axis=1, keepdims=True)
    step = np.clip(np.searchsorted(EDGES, ratings, side="right") - 1, 0, weights.shape[1] - 1)
    row = np.arange(len(ratings))
    below = np.where(step > 0, cumulated[row, np.maximum(step - 1, 0)], 0.0)
    share = np.clip((ratings - EDGES[step]) / (EDGES[step + 1] - EDGES[step]), 0, 1)
    return np.asarray(below + share * (cumulated[row, step] - below))


def _at(
    prior_weight: float, unseen: Unseen, log_prior: Column, coverage: float
) -> tuple[Balance, float]:
    """The balance with this prior, and by how much its worst band misses."""
    tail = (1 - coverage) / 2
    inside = []
    for weight in _EVIDENCE_WEIGHTS:
        log_weights = prior_weight * log_prior + weight * unseen.log_likelihoods
        place = places(log_weights, unseen.ratings)
        inside.append((place >= tail) & (place <= 1 - tail))
    best = int(np.argmin([abs(holds.mean() - coverage) for holds in inside]))
    balance = Balance(
        prior_weight=prior_weight, evidence_weight=round(float(_EVIDENCE_WEIGHTS[best]), 2)
    )
    holds = inside[best].astype(np.float64)
    return balance, max(_misses(holds, unseen.ratings, coverage), default=0.0)


def _misses(holds: Column, ratings: Column, coverage: float) -> Iterator[float]:
    """For each band, how far its coverage is out of bounds beyond chance; 0 or less is inside."""
    bands = ratings // BAND_WIDTH
    for band in np.unique(bands):
        found = holds[bands == band]
        if len(found) >= max(MIN_BAND_GAMES, MIN_BAND_SHARE * len(ratings)):
            chance = 2 * float(np.sqrt(coverage * (1 - coverage) / len(found)))
            low, high = _BAND_COVERAGE
            yield max(low - float(found.mean()), float(found.mean()) - high) - chance
