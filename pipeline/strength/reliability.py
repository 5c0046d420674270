"""Does a stated probability happen as often as stated: at every level, not only at 80 %."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.strength.measured import Measured, measured
from pipeline.strength.pools import Pool

LEVELS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelReached:
    """How often (0 to 1) the rating lay below the `level` quantile of the distribution."""

    level: float
    below: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """For one speed, selection and size of pool: a true model reaches each level as often.

    The differences between neighbouring levels are the histogram of the probability integral
    transform.
    """

    speed: str
    selection: str
    games_per_pool: int
    pools: int
    levels: tuple[LevelReached, ...]


def reliability(
    pools: Sequence[Pool], *, speed: str, selection: str, games_per_pool: int
) -> Reliability:
    """Of at least one pool."""
    probability = np.array([pool.probability_below for pool in pools])
    players = [pool.player for pool in pools]
    return Reliability(
        speed=speed,
        selection=selection,
        games_per_pool=games_per_pool,
        pools=len(pools),
        levels=tuple(
            LevelReached(
                level=level, below=measured((probability < level).astype(np.float64), players)
            )
            for level in LEVELS
        ),
    )
