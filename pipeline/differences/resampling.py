"""Intervals by drawing the games again: the bootstrap, by game, for many figures at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.differences.estimate import Floats
from pipeline.records import Measured

RESAMPLES = 400
"""Enough for the ends of an 80 % interval to repeat within a twentieth of its width."""
_GAMES_AT_ONCE = 500_000


def resampled(
    numerators: Sequence[Floats], denominators: Sequence[Floats], *, coverage: float, seed: int
) -> tuple[Measured, ...]:
    """Sum over sum, for each pair of arrays with an entry for each game.

    The interval is that of the percentiles (Efron and Tibshirani 1993, chapter 13), where the
    same draws serve all figures. Games are drawn one by one: that a bad evening spoils
    several is not in it. ValueError where a denominator sums to 0.
    """
    if not numerators:
        return ()
    above, below = np.stack(numerators, axis=1), np.stack(denominators, axis=1)
    if not np.all(below.sum(axis=0) > 0):
        raise ValueError("a figure needs something to divide by")
    found = _drawn(above, below, np.random.default_rng(seed))
    tail = (1 - coverage) / 2
    lows, highs = np.nanquantile(found, (tail, 1 - tail), axis=0)
    values = above.sum(axis=0) / below.sum(axis=0)
    return tuple(
        Measured(value=float(value), low=float(low), high=float(high))
        for value, low, high in zip(values, lows, highs, strict=True)
    )


def _drawn(above: Floats, below: Floats, rng: np.random.Generator) -> Floats:
    games = len(above)
    at_once = max(1, _GAMES_AT_ONCE // games)
    found = []
    for start in range(0, RESAMPLES, at_once):
        drawn = min(at_once, RESAMPLES - start)
        weights = _weights(games, drawn, rng)
        sums = weights @ below
        # A draw without any game of a small group says nothing about the group.
        found.append(
            np.divide(weights @ above, sums, out=np.full_like(sums, np.nan), where=sums > 0)
        )
    return np.concatenate(found)


def _weights(games: int, draws: int, rng: np.random.Generator) -> Floats:
    """How often each game is drawn, a row for each draw."""
    chosen = rng.integers(games, size=(draws, games))
    chosen += games * np.arange(draws)[:, None]
    return np.bincount(chosen.ravel(), minlength=draws * games).reshape(draws, games).astype(float)
