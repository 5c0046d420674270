"""A game's reading once the human-move model has seen it too.

Two opinions are weighed against each other: the forest's, from losses, clocks and kinds of
moves, and that of the human-move model. A straight line does it, and so does a second, smaller
forest; their mean errs less than either. Like the first forest's own, it is no estimate but a
reading: the likelihood says how such readings scatter around a rating.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pipeline.strength.boosting import FEW, Grow
from pipeline.strength.forest import Forest, Rows
from pipeline.strength.likelihood import Circumstances, Likelihood
from pipeline.strength.own_moves import Column

Folds: TypeAlias = npt.NDArray[np.int64]

_PENALTY = 20.0
"""Of ridge regression on standardised columns; from 1 to 30 it makes no difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """reading = `intercept` + `forest_weight` · the forest's reading + `weights` · features.

    The features are the first of those of `human_features`, in their order.
    """

    intercept: float
    forest_weight: float
    weights: tuple[float, ...]

    def readings(self, forest_readings: Column, human_rows: Rows) -> Column:
        """One a game."""
        weighed = human_rows @ np.array(self.weights)
        return np.asarray(self.intercept + self.forest_weight * forest_readings + weighed)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Weighing:
    """Both ways of weighing the forest's reading against the features; the mean of them.

    `forest` has the forest's reading as its first column, then those of the line.
    """

    line: Line
    forest: Forest

    def readings(self, forest_readings: Column, human_rows: Rows) -> Column:
        """One a game; of `human_rows` only the columns that the line knows are looked at."""
        rows = human_rows[:, : len(self.line.weights)]
        grown = self.forest.predict(np.column_stack([forest_readings, rows]))
        return np.asarray((self.line.readings(forest_readings, rows) + grown) / 2)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HumanReading:
    """The weighing, the likelihood of what it reads, how much a player's games share of it.

    It was fitted on `player_games`, `repeated_games` of which were further games of a player.
    """

    weighing: Weighing
    likelihood: Likelihood
    shared_variance: float
    player_games: int
    repeated_games: int

    def log_likelihoods(
        self, forest_reading: float, human_row: Column, given: Circumstances
    ) -> Column:
        """For each of `grid.RATINGS`, up to a constant; everything is of one game."""
        reading = self.weighing.readings(np.array([forest_reading]), human_row[np.newaxis])
        return self.likelihood.log_likelihoods(float(reading[0]), given)


def fit_weighing(
    forest_readings: Column, human_rows: Rows, ratings: Column, *, grow: Grow, seed: int
) -> Weighing:
    """No first forest may have been grown on these very games."""
    rows = np.column_stack([forest_readings, human_rows])
    grown = grow(rows, ratings, reference_rows=rows[:1], seed=seed, growth=FEW)
    return Weighing(line=fit_line(forest_readings, human_rows, ratings), forest=grown.forest)


def fit_line(forest_readings: Column, human_rows: Rows, ratings: Column) -> Line:
    """Ridge regression of the ratings."""
    columns = np.column_stack([forest_readings, human_rows])
    centre, scale = columns.mean(axis=0), columns.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    z = (columns - centre) / scale
    gram = z.T @ z + _PENALTY * np.eye(z.shape[1])
    weights = np.linalg.solve(gram, z.T @ (ratings - ratings.mean())) / scale
    return Line(
        intercept=float(ratings.mean() - weights @ centre),
        forest_weight=float(weights[0]),
        weights=tuple(weights[1:].tolist()),
    )


def unseen_readings(folds: Folds, read: Callable[[npt.NDArray[np.bool_]], Column]) -> Column:
    """What `read` makes of each fold's games when only the other folds were fitted on.

    `read` is given where to fit, and returns a reading for every game.
    """
    readings = np.full(len(folds), np.nan)
    for fold in np.unique(folds):
        inside = folds == fold
        readings[inside] = read(~inside)[inside]
    return readings
