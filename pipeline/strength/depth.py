"""What shallow evaluations do to a reading: a quick search sees losses where there are none.

The same games with Lichess's evaluations and with those of ten thousand nodes read as much as
70 points apart. How deep was searched is known, so that it is part of the circumstances.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.records import GameAnalysis
from pipeline.strength.own_moves import Column

DEEP_NODES = 1_000_000
"""Lichess's own analysis is of this order; more makes no difference that was measured."""
SHALLOW_NODES = 10_000
"""What the local evaluations had that the model was fitted on."""

_LEAST_PAIRS = 30


def evaluation_nodes(analysis: GameAnalysis) -> float:
    """Nodes a position; evaluations that came with a game are taken for Lichess's."""
    return float(DEEP_NODES if analysis.limit is None else analysis.limit.nodes_per_position)


def shallowness(nodes: Column) -> Column:
    """0 from `DEEP_NODES` on, 1 at `SHALLOW_NODES` and below, between them by the logarithm."""
    tenfolds = np.log10(DEEP_NODES / np.asarray(nodes, dtype=np.float64))
    return np.asarray(np.clip(tenfolds / np.log10(DEEP_NODES / SHALLOW_NODES), 0, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthEffect:
    """At shallowness 1: `level` + `slope` · z is added to the mean reading, z being the rating
    in 400 points from 1600, and `log_spread` to the logarithm of its spread.
    """

    level: float = 0.0
    slope: float = 0.0
    log_spread: float = 0.0

    def carried(self, weight: float) -> DepthEffect:
        """On a reading of which the one it was measured on is only a part of this weight."""
        return DepthEffect(level=weight * self.level, slope=weight * self.slope)


def fit_depth_effect(deep: Column, shallow: Column, z: Column) -> DepthEffect:
    """From the readings of the same player-games by deep and by shallow evaluations.

    With fewer than 30 of them nothing can be said, and no effect is assumed.
    """
    if len(z) < _LEAST_PAIRS:
        return DepthEffect()
    level, slope = _line(shallow - deep, z)
    spreads = [_spread_around_line(readings, z) for readings in (deep, shallow)]
    return DepthEffect(level=level, slope=slope, log_spread=float(np.log(spreads[1] / spreads[0])))


def _line(values: Column, z: Column) -> tuple[float, float]:
    terms = np.stack([np.ones_like(z), z], axis=1)
    level, slope = np.linalg.lstsq(terms, values, rcond=None)[0].tolist()
    return level, slope


def _spread_around_line(values: Column, z: Column) -> float:
    level, slope = _line(values, z)
    return float((values - level - slope * z).std())
