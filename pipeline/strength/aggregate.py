"""Many games of one player -> one distribution over ratings.

Games of one player are not independent: what the model misreads in a style, it misreads in
every game. With a share `shared_variance` of a reading's variance common to all games of a
player, N games weigh as much as N / (1 + (N - 1) · shared_variance) independent ones (Kish's
design effect): never more than 1 / shared_variance, however many are played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.records import Evidence
from pipeline.strength.balance import Balance
from pipeline.strength.grid import normalised
from pipeline.strength.own_moves import Column


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pooling:
    """What the games of one player are pooled with, for those who do it step by step.

    `log_prior` is over `grid.RATINGS`, by what it counts; `evidence_weight` and
    `shared_variance` are those of each game, before tempering.
    """

    log_prior: Column
    evidence_weight: float
    shared_variance: float


def pooled_posterior(
    evidences: Sequence[Evidence],
    *,
    log_prior: Column,
    shared_variance: float,
    balance: Balance = Balance(),  # noqa: B008 (frozen)
) -> Column:
    """Probabilities over `grid.RATINGS`; the prior enters once, whatever the number of games."""
    summed = np.sum([evidence.log_likelihoods for evidence in evidences], axis=0)
    weight = balance.evidence_weight * tempering(len(evidences), shared_variance)
    return normalised(balance.prior_weight * log_prior + weight * summed)


def tempering(games: int, shared_variance: float) -> float:
    """What each of `games` games counts: 1 for one game, less for each of many."""
    return 1 / (1 + (games - 1) * shared_variance)
