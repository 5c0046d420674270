"""What the model looks at: numbers about a player's own moves of one game.

Never an input: a rating, a name, a result, how well the opponent moved. Neither is the time
control, which says more about who plays than about how this game was played; the likelihood
takes it into account.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from pipeline.records import Clock
from pipeline.strength.clock_features import clock_features
from pipeline.strength.loss_features import loss_features
from pipeline.strength.own_moves import Column, OwnMoves
from pipeline.strength.play_features import play_features

FEATURES_VERSION = 2
"""Raised with every change of a feature's meaning: a model and a cache hold for one version."""


def game_features(moves: OwnMoves, clock: Clock | None) -> dict[str, float]:
    """Name -> value for at least one move; the clock's features only where there are clocks."""
    features = {**loss_features(moves), **play_features(moves)}
    if clock is not None and moves.have_clocks:
        features.update(clock_features(moves, clock))
    return features


def feature_row(features: dict[str, float], names: tuple[str, ...]) -> Column:
    """The values of `names` in that order; NaN for those that the game does not have."""
    return np.array([features.get(name, np.nan) for name in names])


@cache
def all_feature_names() -> tuple[str, ...]:
    """Every name that `game_features` can give, in its order."""
    return tuple(game_features(_MADE_UP_MOVES, Clock(initial_seconds=60, increment_seconds=0)))


@cache
def clock_feature_names() -> frozenset[str]:
    """Those that only a game with clocks has."""
    return frozenset(all_feature_names()) - frozenset(game_features(_MADE_UP_MOVES, None))


_MADE_UP_MOVES = OwnMoves(**dict.fromkeys(OwnMoves.__dataclass_fields__, np.ones(3)))
