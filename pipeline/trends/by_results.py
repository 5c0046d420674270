"""What the score of each game says of the rating, as for the performance rating."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pipeline.trends.densities import CENTRES, edges_around, in_cells, weighed
from pipeline.trends.smoother import Smoothed

Floats = npt.NDArray[np.float64]

RATINGS: Floats = np.arange(0.0, 4001.0, 20.0)
_FINE_RATINGS: Floats = np.arange(0.0, 4001.0, 2.0)


def score_log_likelihoods(opponents: Floats, scores: Floats, ratings: Floats) -> Floats:
    """A row a game, a column for each of `ratings`.

    The logistic expected score, a draw half a win and half a loss, the opponent's rating taken
    as exact: the model of `pipeline.elo.performance`.
    """
    advantage = _advantage(ratings, opponents)
    log_win, log_loss = -np.logaddexp(0, -advantage), -np.logaddexp(0, advantage)
    return np.asarray(scores[:, None] * log_win + (1 - scores[:, None]) * log_loss)


def log_jeffreys(opponents: Floats, ratings: Floats) -> Floats:
    """Half the logarithm of what games against these opponents tell of a rating."""
    log_information = np.full(len(ratings), -np.inf)
    # One pass a distinct opponent's rating keeps the memory flat over thousands of games.
    for opponent, games in zip(*np.unique(opponents, return_counts=True), strict=True):
        advantage = _advantage(ratings, np.array([opponent]))[0]
        told = np.log(games) - np.logaddexp(0, -advantage) - np.logaddexp(0, advantage)
        log_information = np.logaddexp(log_information, told)
    return np.asarray(0.5 * log_information)


def trend_by_results(smoothed: Smoothed, opponents: Floats) -> Floats:
    """A row a step over the cells; Jeffreys' prior enters once, as for the performance."""
    cells = in_cells(smoothed.edges, smoothed.probabilities)
    return weighed(cells, log_jeffreys(opponents, CENTRES))


def whole_by_results(opponents: Floats, scores: Floats) -> Floats:
    """Over the cells: all games together, as if strength had not moved."""
    log_posterior = log_jeffreys(opponents, _FINE_RATINGS)
    for opponent in np.unique(opponents):
        met = scores[opponents == opponent]
        alike = np.array([opponent]), np.array([met.mean()])
        log_posterior += len(met) * score_log_likelihoods(*alike, _FINE_RATINGS)[0]
    probabilities = np.exp(log_posterior - log_posterior.max())
    edges = edges_around(_FINE_RATINGS)
    (cells,) = in_cells(edges, probabilities[np.newaxis] / probabilities.sum())
    return weighed(cells, np.zeros(len(CENTRES)))


def _advantage(ratings: Floats, opponents: Floats) -> Floats:
    return np.asarray((ratings - opponents[:, None]) * (np.log(10) / 400), dtype=np.float64)
