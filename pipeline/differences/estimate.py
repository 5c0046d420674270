"""Averages with what each game contributes to their error, and how surprising they are.

A game is the unit: moves of one game are not independent. The variance of an average, and of
what is computed from averages, is the sum of the squares of the games' influences (the delta
method; Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 21).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log1p, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from pipeline.records import Measured

Floats = npt.NDArray[np.float64]
_NORMAL = NormalDist()
_MOST_SIGNS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value; `influences[i]` is how far game i moves it; `games` are those that bear on it."""

    value: float
    influences: Floats
    games: int

    def __sub__(self, other: Estimate) -> Estimate:
        """Both may rest on the same games: their errors are not taken for independent."""
        return Estimate(
            value=self.value - other.value,
            influences=self.influences - other.influences,
            games=min(self.games, other.games),
        )

    def log(self) -> Estimate:
        """ValueError unless the value is above 0."""
        influences = self.influences / self.value
        return Estimate(value=log(self.value), influences=influences, games=self.games)

    def times(self, factor: float) -> Estimate:
        """The same in another unit."""
        influences = self.influences * factor
        return Estimate(value=self.value * factor, influences=influences, games=self.games)

    @property
    def standard_error(self) -> float:
        """With Bessel's correction for the games that bear on it."""
        squares = float(np.square(self.influences).sum())
        return sqrt(squares * self.games / max(self.games - 1, 1))

    def p_value(self) -> float:
        """Two-sided, for a true value of 0; 1 where it does not vary."""
        error = self.standard_error
        return two_sided_p(self.value / error, self.games - 1) if error > 0 else 1.0

    def measured(self, coverage: float) -> Measured:
        """With the interval of a normal error, which is right for sums over many games."""
        reach = _NORMAL.inv_cdf(0.5 + coverage / 2) * self.standard_error
        return Measured(value=self.value, low=self.value - reach, high=self.value + reach)


def ratio(numerators: Floats, denominators: Floats) -> Estimate:
    """The sum of the one over that of the other, such as a loss per move. ValueError over 0."""
    total = float(denominators.sum())
    if total <= 0:
        raise ValueError("a ratio needs something to divide by")
    value = float(numerators.sum()) / total
    return Estimate(
        value=value,
        influences=(numerators - value * denominators) / total,
        games=int(np.count_nonzero(denominators)),
    )


def two_sided_p(t: float, degrees_of_freedom: int) -> float:
    """Of Student's t, by Wallace's transformation to a normal deviate.

    Good to 0.002 from 3 degrees of freedom on, too careful below (Wallace, Annals of
    Mathematical Statistics 30, 1959, 1121). 1 with none.
    """
    if degrees_of_freedom < 1:
        return 1.0
    nu = degrees_of_freedom
    z = (8 * nu + 1) / (8 * nu + 3) * sqrt(nu * log1p(t * t / nu))
    return 2 * _NORMAL.cdf(-z)


def discoveries(p_values: Sequence[float], rate: float) -> tuple[bool, ...]:
    """Which of them stand out from all of them.

    Benjamini and Hochberg's procedure (Journal of the Royal Statistical Society B 57, 1995):
    of those that it names, a share of `rate` is false on average; where nothing is true,
    it names anything at all with probability `rate`.
    """
    ordered = sorted(p_values)
    passed = [p for rank, p in enumerate(ordered, start=1) if p <= rate * rank / len(ordered)]
    bound = max(passed, default=-1.0)
    return tuple(p <= bound for p in p_values)


def signs_p(points: Sequence[float]) -> float:
    """Two-sided, for games that were as likely to bring what they cost: by flipping signs.

    Exact up to rounding to hundredths of a point for up to 200 games, normal beyond; games
    that brought nothing say nothing. 1 without any (Pitman, Journal of the Royal
    Statistical Society Supplement 4, 1937).
    """
    hundredths = [round(100 * point) for point in points if round(100 * point)]
    if not hundredths:
        return 1.0
    total = abs(sum(hundredths))
    if len(hundredths) > _MOST_SIGNS:
        return 2 * _NORMAL.cdf(-total / sqrt(sum(size * size for size in hundredths)))
    return min(
        1.0, 2 * float(_sums_of_signs(hundredths)[sum(map(abs, hundredths)) + total :].sum())
    )


def _sums_of_signs(sizes: Sequence[int]) -> Floats:
    """The probability of each sum from minus to plus all of them, every sign a coin's toss."""
    reach = sum(map(abs, sizes))
    chances = np.zeros(2 * reach + 1)
    chances[reach] = 1.0
    for size in map(abs, sizes):
        chances = (np.roll(chances, size) + np.roll(chances, -size)) / 2
    return chances
