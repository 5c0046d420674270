"""A random walk in strength over evenly spaced ratings, and how far it may wander."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

WALK_POINTS: Floats = np.array([0.0, 10, 16, 25, 40, 63, 100, 160, 250, 400, 630, 1000])
"""The walks that are weighed against each other: points (one standard deviation) a year."""

_USUAL_WALK_POINTS = 90.0
"""By so much a strength becomes uncertain in a year in Lichess's eyes: from 60 to 110 points of
deviation (`pipeline.elo.lichess_glicko2.PERIODS_PER_DAY`), and 110² - 60² = 92²."""

# Below this a probability is what rounding left of it; so no rating is ever ruled out for good.
_LEAST_PROBABILITY = 1e-15


class Walk:
    """The walk in continuous time on `cells` ratings, `step_points` apart, with firm ends.

    Its strength jumps to a neighbouring rating now and then; the variance grows by exactly that
    of the walk however short the time is, and a time cut in two gives the same as in one.
    """

    def __init__(self, cells: int, step_points: float) -> None:
        wave = np.arange(cells)
        # The walk's generator is diagonal in the cosines (the type II transform).
        self._cosines = np.cos(np.pi * np.outer(wave + 0.5, wave) / cells)
        self._cosines /= np.linalg.norm(self._cosines, axis=0)
        self._rates = (1 - np.cos(np.pi * wave / cells)) / step_points**2

    def spread(self, probabilities: Floats, variances: Floats) -> Floats:
        """Each row after a walk of its own variance (points squared)."""
        waves = probabilities @ self._cosines
        waves *= np.exp(-np.outer(variances, self._rates))
        return np.maximum(waves @ self._cosines.T, _LEAST_PROBABILITY)


def log_walk_prior() -> Floats:
    """Of `WALK_POINTS`: weak, and for a flat line as long as the games do not speak against it.

    An exponential distribution of the standard deviation, its mean what Lichess takes for
    usual: the penalised-complexity prior of Simpson et al., Statistical Science 32 (2017).
    """
    between = np.sqrt(WALK_POINTS[1:-1] * WALK_POINTS[2:])
    edges = np.concatenate(([0.0, WALK_POINTS[1] / 2], between, [np.inf]))
    return np.log(-np.diff(np.exp(-edges / _USUAL_WALK_POINTS)))
