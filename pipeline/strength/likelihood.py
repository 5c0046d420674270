"""How the reading of a game scatters around a player's rating: the likelihood of a rating.

The forest turns a game into one number, its reading. A regression's reading shrinks to the
middle and saturates at the ends, so it is no estimate yet. What is wanted is the density of
that reading among games of players of rating R, for every R: it knows no population. The
density is that of games of the same length and time control: who plays short games, or with
which clock, is about the population, not about how this game was played.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pipeline.records import Clock
from pipeline.strength.depth import DepthEffect, shallowness
from pipeline.strength.grid import RATINGS
from pipeline.strength.own_moves import Column

_CENTRE, _SCALE = 1600.0, 400.0
_ROUNDS = 6
# E[ln(chi-squared with one degree of freedom)]: what ln(residual²) falls short of ln(variance).
_LOG_CHI_SQUARED_MEAN = -1.2703628
_INCREMENTS_A_GAME = 40


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Circumstances:
    """What a reading is judged in the light of: one value a game in each column.

    `thinking_seconds` is a player's time for a game, NaN where the clock is not known;
    `shallowness` (0 to 1) is that of the evaluations, see `depth`.
    """

    moves: Column
    thinking_seconds: Column
    shallowness: Column

    def of(self, index: int) -> Circumstances:
        """Those of one game."""
        one = slice(index, index + 1)
        return Circumstances(
            moves=self.moves[one],
            thinking_seconds=self.thinking_seconds[one],
            shallowness=self.shallowness[one],
        )


def circumstances(*, moves: int, clock: Clock | None, nodes: float) -> Circumstances:
    """Of one game: `nodes` a position is how deep the evaluations are."""
    return Circumstances(
        moves=np.array([float(moves)]),
        thinking_seconds=np.array([thinking_seconds(clock)]),
        shallowness=shallowness(np.array([nodes])),
    )


def standardised(ratings: Column) -> Column:
    """In 400 points from 1600."""
    return np.asarray((ratings - _CENTRE) / _SCALE)


def thinking_seconds(clock: Clock | None) -> float:
    """A player's time for a game as Lichess reckons it; NaN without a clock."""
    if clock is None:
        return np.nan
    return float(clock.initial_seconds + _INCREMENTS_A_GAME * clock.increment_seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Likelihood:
    """reading ~ Normal(mean, spread), both functions of the rating and the circumstances.

    The mean is piecewise linear in the rating with `knots`; its level and slope, and the
    logarithm of the spread, also move with the logarithms of the own moves and of the
    thinking time, and with the shallowness of the evaluations. Values outside the `…_range`
    count as its ends, except that the mean runs on in a straight line beyond the ratings.
    """

    knots: tuple[float, ...]
    rating_range: tuple[float, float]
    moves_range: tuple[float, float]
    seconds_range: tuple[float, float]
    usual_moves: float
    usual_seconds: float
    depth: DepthEffect
    mean_weights: tuple[float, ...]
    log_spread_weights: tuple[float, ...]

    def log_likelihoods(self, reading: float, given: Circumstances) -> Column:
        """One value for each of `grid.RATINGS`, up to a constant; `given` is of one game."""
        mean, spread = self.mean_and_spread(RATINGS, given)
        return np.asarray(-0.5 * ((reading - mean) / spread) ** 2 - np.log(spread))

    def mean_and_spread(self, ratings: Column, given: Circumstances) -> tuple[Column, Column]:
        """Of the readings of games at these ratings in these circumstances."""
        mean = self.mean_terms(ratings, given) @ np.array(self.mean_weights)
        log_spread = self.spread_terms(ratings, given) @ np.array(self.log_spread_weights)
        shift, log_stretch = self.depth_terms(ratings, given)
        return mean + shift, np.exp(log_spread + log_stretch)

    def depth_terms(self, ratings: Column, given: Circumstances) -> tuple[Column, Column]:
        """What the depth of the evaluations adds to the mean and to the logarithm of the spread."""
        z, _, _ = self._within(ratings, given)
        shift = given.shallowness * (self.depth.level + self.depth.slope * z)
        return shift, given.shallowness * self.depth.log_spread

    def mean_terms(self, ratings: Column, given: Circumstances) -> Column:
        """What `mean_weights` weigh, one row a game."""
        z, length, time = self._within(ratings, given)
        hinges = [np.maximum(0.0, ratings - knot) / _SCALE for knot in self.knots]
        one = np.ones_like(z)
        return np.stack(
            [one, standardised(ratings), *hinges, length, length * z, time, time * z], axis=1
        )

    def spread_terms(self, ratings: Column, given: Circumstances) -> Column:
        """What `log_spread_weights` weigh, one row a game."""
        z, length, time = self._within(ratings, given)
        return np.stack([np.ones_like(z), z, z * z, length, time], axis=1)

    def _within(self, ratings: Column, given: Circumstances) -> tuple[Column, Column, Column]:
        z = standardised(np.clip(ratings, *self.rating_range))
        length = np.log(np.clip(given.moves, *self.moves_range) / self.usual_moves)
        seconds = np.nan_to_num(given.thinking_seconds, nan=self.usual_seconds)
        time = np.log(np.clip(seconds, *self.seconds_range) / self.usual_seconds)
        z, length, time = np.broadcast_arrays(z, length, time)
        return z, length, time


def fit_likelihood(
    readings: Column,
    ratings: Column,
    given: Circumstances,
    *,
    depth: DepthEffect | None = None,
) -> Likelihood:
    """The maximum-likelihood scatter of `readings`, by alternating weighted least squares."""
    shape = _shape(ratings, given, depth or DepthEffect())
    mean_terms, spread_terms = shape.mean_terms(ratings, given), shape.spread_terms(ratings, given)
    shift, log_stretch = shape.depth_terms(ratings, given)
    spread = np.exp(log_stretch)
    mean_weights = spread_weights = np.zeros(0)
    for _ in range(_ROUNDS):
        mean_weights = _least_squares(mean_terms / spread[:, None], (readings - shift) / spread)
        residual = np.abs(readings - shift - mean_terms @ mean_weights) / np.exp(log_stretch)
        spread_weights = _log_spread_weights(spread_terms, residual)
        spread = np.exp(spread_terms @ spread_weights + log_stretch)
    return replace(
        shape,
        mean_weights=tuple(mean_weights.tolist()),
        log_spread_weights=tuple(spread_weights.tolist()),
    )


def _log_spread_weights(terms: Column, residual: Column) -> Column:
    """The constant comes first among `terms`."""
    log_spread = np.log(np.maximum(residual, 1.0)) - _LOG_CHI_SQUARED_MEAN / 2
    weights = _least_squares(terms, log_spread)
    # ln(residual) is only nearly unbiased where the scatter is not quite normal.
    weights[0] += np.log(np.mean((residual / np.exp(terms @ weights)) ** 2)) / 2
    return weights


def _shape(ratings: Column, given: Circumstances, depth: DepthEffect) -> Likelihood:
    """Everything but the weights."""
    low, *inner, high = np.percentile(ratings, (1, 10, 30, 50, 70, 90, 99)).tolist()
    seconds = given.thinking_seconds[~np.isnan(given.thinking_seconds)]
    seconds = seconds if len(seconds) else np.ones(1)
    return Likelihood(
        knots=tuple(inner),
        rating_range=(low, high),
        moves_range=_range(given.moves),
        seconds_range=_range(seconds),
        usual_moves=float(np.median(given.moves)),
        usual_seconds=float(np.median(seconds)),
        depth=depth,
        mean_weights=(),
        log_spread_weights=(),
    )


def _range(values: Column) -> tuple[float, float]:
    low, high = np.percentile(values, (1, 99)).tolist()
    return low, high


def _least_squares(terms: Column, values: Column) -> Column:
    return np.asarray(np.linalg.lstsq(terms, values, rcond=None)[0], dtype=np.float64)
