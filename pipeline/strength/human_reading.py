"""A game's reading once the human-move model has seen it too.

A line through two opinions: the forest's, from losses, clocks and kinds of moves, and that of
the human-move model. Like the forest's own, it is no estimate but a reading: the likelihood
says how such readings scatter around a rating.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pipeline.strength.forest import Rows
from pipeline.strength.likelihood import Circumstances, Likelihood
from pipeline.strength.own_moves import Column

Folds: TypeAlias = npt.NDArray[np.int64]

_PENALTY = 5.0
"""Of ridge regression on standardised columns; from 1 to 30 it makes no difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """reading = `intercept` + `forest_weight` · the forest's reading + `weights` · features.

    The features are those of `human_features`, in their order.
    """

    intercept: float
    forest_weight: float
    weights: tuple[float, ...]

    def readings(self, forest_readings: Column, human_rows: Rows) -> Column:
        """One a game."""
        weighed = human_rows @ np.array(self.weights)
        return np.asarray(self.intercept + self.forest_weight * forest_readings + weighed)


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanReading:
    """The line, the likelihood of what it reads, and how much a player's games share of it.

    It was fitted on `player_games`, `repeated_games` of which were further games of a player.
    """

    line: Line
    likelihood: Likelihood
    shared_variance: float
    player_games: int
    repeated_games: int

    def log_likelihoods(
        self, forest_reading: float, human_row: Column, given: Circumstances
    ) -> Column:
        """For each of `grid.RATINGS`, up to a constant; everything is of one game."""
        reading = self.line.readings(np.array([forest_reading]), human_row[np.newaxis])
        return self.likelihood.log_likelihoods(float(reading[0]), given)


def fit_line(forest_readings: Column, human_rows: Rows, ratings: Column) -> Line:
    """Ridge regression of the ratings; no forest may have been grown on these very games."""
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
