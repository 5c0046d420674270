"""What is fitted on calibration players, whom the forest has not seen: how far to trust it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pipeline.strength.depth import (
    DEEP_NODES,
    SHALLOW_NODES,
    DepthEffect,
    fit_depth_effect,
    shallowness,
)
from pipeline.strength.examples import Examples
from pipeline.strength.likelihood import Circumstances, Likelihood, standardised
from pipeline.strength.own_moves import Column

_MOST_WEIGHT = 50


def circumstances(examples: Examples) -> Circumstances:
    """Those of each example."""
    return Circumstances(
        moves=examples.moves,
        thinking_seconds=examples.thinking_seconds,
        shallowness=shallowness(examples.nodes),
    )


def depth_effect(readings: Column, examples: Examples) -> DepthEffect:
    """From the player-games that have deep evaluations and shallow ones beside them."""
    places: dict[tuple[str, str], dict[bool, int]] = {}
    for i in np.flatnonzero((examples.nodes <= SHALLOW_NODES) | (examples.nodes >= DEEP_NODES)):
        of_game = places.setdefault((str(examples.game_ids[i]), str(examples.players[i])), {})
        of_game[bool(examples.nodes[i] >= DEEP_NODES)] = int(i)
    pairs = [(found[True], found[False]) for found in places.values() if len(found) == 2]
    deep, shallow = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    z = standardised(examples.ratings[deep])
    return fit_depth_effect(readings[deep], readings[shallow], z)


def shared_variance(readings: Column, examples: Examples, likelihood: Likelihood) -> float:
    """The share (0 to 1) of a reading's variance that all games of one player have in common.

    The intraclass correlation of the standardised errors: the mean product over pairs of
    games of the same player. A player counts by games less one, up to 50.
    """
    mean, spread = likelihood.mean_and_spread(examples.ratings, circumstances(examples))
    errors = (readings - mean) / spread
    products, weights = _pair_products(errors, examples.players)
    if not weights.sum():
        return 0.0
    return float(np.clip(np.average(products, weights=weights), 0.0, 0.95))


def _pair_products(errors: Column, players: npt.NDArray[np.str_]) -> tuple[Column, Column]:
    """For each player with two games or more: the mean product of two errors, the weight."""
    _, player, games = np.unique(players, return_inverse=True, return_counts=True)
    sums = np.bincount(player, weights=errors)
    squares = np.bincount(player, weights=errors**2)
    several = games > 1
    n = games[several]
    products = (sums[several] ** 2 - squares[several]) / (n * (n - 1))
    return products, np.minimum(n - 1, _MOST_WEIGHT).astype(np.float64)
