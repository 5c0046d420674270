"""What is fitted on calibration players, whom the forest has not seen: how far to trust it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pipeline.strength.balance import Unseen
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


def unseen_likelihoods(readings: Column, examples: Examples, likelihood: Likelihood) -> Unseen:
    """What readings of players whom no model has seen say about their ratings."""
    given = circumstances(examples)
    rows = [
        likelihood.log_likelihoods(float(reading), given.of(index))
        for index, reading in enumerate(readings)
    ]
    return Unseen(log_likelihoods=np.array(rows), ratings=examples.ratings)


def depth_effect(readings: Column, examples: Examples) -> DepthEffect:
    """From the player-games that have deep evaluations, and shallow ones beside them."""
    deep, shallow = examples.nodes >= DEEP_NODES, examples.nodes <= SHALLOW_NODES
    one, other = _pairs(examples, deep, shallow)
    z = standardised(examples.ratings[one])
    return fit_depth_effect(readings[one], readings[other], z)


def _pairs(
    examples: Examples, one: npt.NDArray[np.bool_], other: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where the same player-game stands once among `one` and once among `other`."""
    keys = list(zip(examples.game_ids.tolist(), examples.players.tolist(), strict=True))
    places = {keys[i]: int(i) for i in np.flatnonzero(other)}
    found = [(int(i), places[keys[i]]) for i in np.flatnonzero(one) if keys[i] in places]
    first, second = np.array(found, dtype=np.int64).reshape(-1, 2).T
    return first, second


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


def repeated_games(examples: Examples) -> int:
    """What `shared_variance` rests on: the games of each player less one, up to 50 of them."""
    _, games = np.unique(examples.players, return_counts=True)
    return int(np.minimum(games - 1, _MOST_WEIGHT).sum())


def _pair_products(errors: Column, players: npt.NDArray[np.str_]) -> tuple[Column, Column]:
    """For each player with two games or more: the mean product of two errors, the weight."""
    _, player, games = np.unique(players, return_inverse=True, return_counts=True)
    sums = np.bincount(player, weights=errors)
    squares = np.bincount(player, weights=errors**2)
    several = games > 1
    n = games[several]
    products = (sums[several] ** 2 - squares[several]) / (n * (n - 1))
    return products, np.minimum(n - 1, _MOST_WEIGHT).astype(np.float64)
