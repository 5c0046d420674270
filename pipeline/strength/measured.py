"""Means over games and their standard errors by player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.strength.own_moves import Column


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A figure and its standard error, by player: one player's games are not independent.

    `standard_error` is None where a single player is all there is.
    """

    value: float
    standard_error: float | None


def measured(values: Column, players: Sequence[str]) -> Measured:
    """The mean of `values`; its standard error treats each player's values as one draw."""
    mean = float(values.mean())
    return Measured(value=mean, standard_error=_standard_error(values - mean, players))


def r_squared(ratings: Column, errors: Column, players: Sequence[str]) -> Measured | None:
    """The share of the ratings' variance that is explained; None where they do not vary.

    1 less the mean squared error over the variance; the standard error is that of its linear
    approximation, by player.
    """
    deviations = (ratings - ratings.mean()) ** 2
    variance = float(deviations.mean())
    if variance <= 0:
        return None
    unexplained = float((errors**2).mean()) / variance
    influence = (errors**2 - unexplained * deviations) / variance
    return Measured(value=1 - unexplained, standard_error=_standard_error(influence, players))


def _standard_error(deviations: Column, players: Sequence[str]) -> float | None:
    """Of a mean, from each value's deviation from it."""
    _, player = np.unique(np.array(players), return_inverse=True)
    sums = np.bincount(player, weights=deviations)
    count = len(sums)
    if count < 2:
        return None
    return float(np.sqrt((sums**2).sum() * count / (count - 1)) / len(deviations))
