"""What the moves of each game say of the rating, and what they all misread alike.

The pooled estimate lets N games count as N / (1 + (N - 1) ρ): a share ρ of a reading's variance
is the player's style, the same in every game. Over time the two parts are taken asunder. What
differs from game to game is smoothed; the style's part, which no number of games averages out,
is added to every point afterwards. It is as wide as makes a trend that never moves as wide as
the pooled estimate.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pipeline.strength.aggregate import Pooling, tempering
from pipeline.strength.grid import EDGES as RATING_EDGES
from pipeline.strength.grid import RATINGS, normalised
from pipeline.trends.densities import (
    CENTRES,
    edges_around,
    in_cells,
    mean_and_variance,
    shifted,
    weighed,
)
from pipeline.trends.smoother import Smoothed, cubic_weights

Floats = npt.NDArray[np.float64]

_FINE_RATINGS: Floats = np.arange(RATINGS[0], RATINGS[-1] + 1, 2.5)


def game_log_likelihoods(evidence: Floats, pooling: Pooling) -> Floats:
    """Of what differs from game to game: a row a game, a column for each of `grid.RATINGS`."""
    weight = pooling.evidence_weight / (1 - pooling.shared_variance)
    return np.asarray(weight * evidence)


def trend_by_moves(smoothed: Smoothed, evidence: Floats, pooling: Pooling) -> Floats:
    """A row a step over the cells; the prior enters once, as it does for the pooled estimate."""
    cells = in_cells(smoothed.edges, smoothed.probabilities)
    return weighed(shifted(cells, *style(evidence, pooling)), _log_prior(pooling))


def whole_by_moves(evidence: Floats, pooling: Pooling) -> Floats:
    """Over the cells: all games together, the distribution that the range is cut from."""
    weight = pooling.evidence_weight * tempering(len(evidence), pooling.shared_variance)
    posterior = normalised(pooling.log_prior + weight * evidence.sum(axis=0))
    (cells,) = in_cells(RATING_EDGES, posterior[np.newaxis])
    return weighed(cells, np.zeros(len(CENTRES)))


def style(evidence: Floats, pooling: Pooling) -> tuple[Floats, Floats]:
    """Edges in rating points around 0 and probabilities between them: what style may add.

    In shape and place what pooling makes of these games, without what differs between games.
    """
    summed = evidence.sum(axis=0) @ cubic_weights(RATINGS, _FINE_RATINGS)
    weight = pooling.evidence_weight
    pooled = normalised(weight * tempering(len(evidence), pooling.shared_variance) * summed)
    differing = normalised(weight / (1 - pooling.shared_variance) * summed)
    mean, variance = mean_and_variance(_FINE_RATINGS, pooled)
    centre, averaged_out = mean_and_variance(_FINE_RATINGS, differing)
    narrowing = np.sqrt(max(1 - averaged_out / variance, 1e-6))
    return narrowing * (edges_around(_FINE_RATINGS) - mean) + mean - centre, pooled


def _log_prior(pooling: Pooling) -> Floats:
    return np.interp(CENTRES, RATINGS, pooling.log_prior, left=-np.inf, right=-np.inf)
