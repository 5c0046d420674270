"""A random walk in strength over evenly spaced ratings, and how far it may wander."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_JUMP_POINTS = 200.0
"""The standard deviation of a jump, where there are any."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Wanderings:
    """How strength may wander, an entry for each way.

    Steadily, by `points` in a year (one standard deviation), and by so many `jumps` a year.
    """

    points: Floats
    jumps: Floats

    @property
    def yearly_points(self) -> Floats:
        """The standard deviation of a year's wandering, jumps included."""
        return np.asarray(np.sqrt(self.points**2 + self.jumps * _JUMP_POINTS**2))

    def those(self, kept: npt.NDArray[np.bool_]) -> Wanderings:
        """Some of the ways."""
        return Wanderings(points=self.points[kept], jumps=self.jumps[kept])


_STEADY: Floats = np.array([0.0, 10, 16, 25, 40, 63, 100, 160, 250, 400, 630, 1000])
_BETWEEN_JUMPS: Floats = np.array([0.0, 25, 63])
WANDERINGS = Wanderings(
    points=np.concatenate((_STEADY, _BETWEEN_JUMPS)),
    jumps=np.repeat([0.0, 2.0], [len(_STEADY), len(_BETWEEN_JUMPS)]),
)
"""The ways that are weighed against each other."""

_JUMPERS_PROBABILITY = 0.3
_USUAL_POINTS = 180.0
"""Twice what Lichess reckons with: in its eyes a deviation grows from 60 to 110 points in a year
(`pipeline.elo.lichess_glicko2.PERIODS_PER_DAY`), and 110² - 60² = 92². With 92 a player who
truly wanders by 150 a year was held in 72 % instead of 80 % (`tests/bench_trends.py`)."""

# Below this a probability is what rounding left of it; so no rating is ever ruled out for good.
_LEAST_PROBABILITY = 1e-15


class Walk:
    """Walks in continuous time on `cells` ratings, `step_points` apart, with firm ends.

    Strength moves on to a neighbouring rating now and then, so that the variance grows by
    exactly that of the walk however short the time is, and a time cut in two gives the same as
    in one. A jump is such a walk within no time.
    """

    def __init__(self, cells: int, step_points: float, ways: Wanderings) -> None:
        wave = np.arange(cells)
        # The walk's generator is diagonal in the cosines (the type II transform).
        self._cosines = np.cos(np.pi * np.outer(wave + 0.5, wave) / cells)
        self._cosines /= np.linalg.norm(self._cosines, axis=0)
        slow = (1 - np.cos(np.pi * wave / cells)) / step_points**2
        jumping = np.outer(ways.jumps, 1 - np.exp(-(_JUMP_POINTS**2) * slow))
        self._rates = np.outer(ways.points**2, slow) + jumping
        self.ways = len(ways.points)
        self._decays: dict[float, Floats] = {}

    def spread(self, probabilities: Floats, years: float) -> Floats:
        """Each row after wandering for `years` in its own way."""
        if years not in self._decays:
            self._decays[years] = np.exp(-years * self._rates)
        waves = (probabilities @ self._cosines) * self._decays[years]
        return np.asarray(np.maximum(waves @ self._cosines.T, _LEAST_PROBABILITY))


def log_prior() -> Floats:
    """Of `WANDERINGS`: weak, and for a flat line as long as the games do not speak against it.

    An exponential distribution of the standard deviation: the penalised-complexity prior of
    Simpson et al., Statistical Science 32 (2017). Three in ten are taken to jump.
    """
    between = np.sqrt(_STEADY[1:-1] * _STEADY[2:])
    edges = np.concatenate(([0.0, _STEADY[1] / 2], between, [np.inf]))
    steady = -np.diff(np.exp(-edges / _USUAL_POINTS)) * (1 - _JUMPERS_PROBABILITY)
    jumping = np.full(len(_BETWEEN_JUMPS), _JUMPERS_PROBABILITY / len(_BETWEEN_JUMPS))
    return np.asarray(np.log(np.concatenate((steady, jumping))))
