"""Fitting what the human-move model adds: few games have it, so that none may be wasted.

Asking the model takes a second a game, so that it is asked about thousands of games where the
forest was grown on many more. Both training and calibration players serve for the weighing and
for its likelihood: every reading that something is learned from is made by a forest and a
weighing that have not seen its player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pipeline.strength.balance import Unseen
from pipeline.strength.boosting import Grow
from pipeline.strength.calibrate import (
    circumstances,
    repeated_games,
    shared_variance,
    unseen_likelihoods,
)
from pipeline.strength.examples import Examples, in_training
from pipeline.strength.human_features import human_feature_names
from pipeline.strength.human_reading import (
    Folds,
    HumanReading,
    Weighing,
    fit_weighing,
    unseen_readings,
)
from pipeline.strength.likelihood import fit_likelihood
from pipeline.strength.model import Channel, SpeedModel
from pipeline.strength.own_moves import Column
from pipeline.strength.split import fold_of

MIN_HUMAN_GAMES = 500
"""Player-games of a channel; with fewer, the human-move model is left out of it."""
MIN_REPEATED_GAMES = 300
"""Further games of players with several; with fewer, a channel's shared variance is all chance."""
_FOREST_FOLDS, _WEIGHING_FOLDS = 4, 10


def fit_human(
    examples: Examples,
    columns: list[int],
    channel: Channel,
    *,
    seed: int,
    grow: Grow,
    least: int = MIN_HUMAN_GAMES,
) -> tuple[HumanReading, Unseen] | None:
    """None when fewer than `least` of `examples`, the channel's own, have human likelihoods.

    Beside it, what readings by weighings that have not seen the player say.
    """
    asked = examples.where(examples.have_human)
    if len(asked) < least:
        return None
    forest_readings = _unseen_forest_readings(examples, columns, channel, seed, grow)
    human_rows = asked.human_rows[:, : len(human_feature_names(with_clocks=channel.with_clocks))]

    def weighed(chosen: npt.NDArray[np.bool_]) -> Weighing:
        rows = (forest_readings[chosen], human_rows[chosen])
        return fit_weighing(*rows, asked.ratings[chosen], grow=grow, seed=seed)

    readings = unseen_readings(
        _folds(asked, _WEIGHING_FOLDS),
        lambda chosen: weighed(chosen).readings(forest_readings, human_rows),
    )
    weighing = weighed(np.ones(len(asked), dtype=np.bool_))
    depth = channel.likelihood.depth.carried(weighing.line.forest_weight)
    likelihood = fit_likelihood(readings, asked.ratings, circumstances(asked), depth=depth)
    reading = HumanReading(
        weighing=weighing,
        likelihood=likelihood,
        shared_variance=shared_variance(readings, asked, likelihood),
        player_games=len(asked),
        repeated_games=repeated_games(asked),
    )
    return reading, unseen_likelihoods(readings, asked, likelihood)


def with_common_shared_variance(speeds: Sequence[SpeedModel]) -> tuple[SpeedModel, ...]:
    """The mean by repeated games for those human readings that rest on too few to tell."""
    found = [c.human for speed in speeds for c in speed.channels if c.human is not None]
    weights = [human.repeated_games for human in found]
    if not any(weights):
        return tuple(speeds)
    common = float(np.average([human.shared_variance for human in found], weights=weights))
    return tuple(
        replace(speed, channels=tuple(_sharing(channel, common) for channel in speed.channels))
        for speed in speeds
    )


def _sharing(channel: Channel, shared_variance: float) -> Channel:
    if channel.human is None or channel.human.repeated_games >= MIN_REPEATED_GAMES:
        return channel
    return replace(channel, human=replace(channel.human, shared_variance=shared_variance))


def _unseen_forest_readings(
    examples: Examples, columns: list[int], channel: Channel, seed: int, grow: Grow
) -> Column:
    """Of the games with human likelihoods; those of training players by forests grown anew."""
    asked, training = examples.have_human, in_training(examples)
    folds = _folds(examples, _FOREST_FOLDS)
    rows = examples.rows[:, columns]
    readings = np.full(len(examples), np.nan)
    readings[asked] = channel.forest.predict(rows[asked])
    for fold in range(_FOREST_FOLDS):
        wanted, grown_on = asked & training & (folds == fold), training & (folds != fold)
        if wanted.any():
            grown = grow(
                rows[grown_on], examples.ratings[grown_on], reference_rows=rows[:1], seed=seed
            )
            readings[wanted] = grown.forest.predict(rows[wanted])
    return np.asarray(readings[asked])


def _folds(examples: Examples, folds: int) -> Folds:
    found: npt.NDArray[np.int64] = np.array([fold_of(p, folds) for p in examples.players.tolist()])
    return found
