"""A straight line in average centipawn loss: the simplest thing that is fitted, to compare with.

It is a baseline of `movelo evaluate` and takes part in no estimate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.strength.own_moves import Column


@dataclass(frozen=True, slots=True, kw_only=True)
class AcplLine:
    """rating = `intercept` + `slope` · average loss of the own moves, in today's centipawns."""

    intercept: float
    slope: float

    def ratings(self, centipawn_losses: Column) -> Column:
        """One a game, or a pool with the mean of its games' losses."""
        return np.asarray(self.intercept + self.slope * centipawn_losses)


def fit_acpl_line(centipawn_losses: Column, ratings: Column) -> AcplLine:
    """Least squares; a level line where all losses are the same."""
    terms = np.stack([np.ones_like(centipawn_losses), centipawn_losses], axis=1)
    intercept, slope = np.linalg.lstsq(terms, ratings, rcond=None)[0].tolist()
    return AcplLine(intercept=intercept, slope=slope)
