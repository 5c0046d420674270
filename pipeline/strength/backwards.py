"""What movelo's own search does to a reading, measured on games that Lichess evaluated too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from config.errors import InputError
from engines.evals import Color
from pipeline.analysis import analyse, source_evals
from pipeline.records import Game, GameAnalysis
from pipeline.replay import replay
from pipeline.strength.centipawn_scale import centipawn_scale
from pipeline.strength.depth import fit_depth_effect
from pipeline.strength.evaluations_file import EvaluationsFile
from pipeline.strength.features import feature_row, game_features
from pipeline.strength.labelled import GameSource, Label, LeftOut, games_of, labels
from pipeline.strength.likelihood import standardised
from pipeline.strength.model import Channel, FittedModel
from pipeline.strength.own_moves import own_moves
from pipeline.strength.reasons import why_no_estimate
from pipeline.strength.split import Part, part_of

Features = dict[str, float]
_Pair = tuple[Label, Features, Features]


def with_backwards_effect(
    model: FittedModel,
    sources: Sequence[GameSource],
    evaluations: Sequence[EvaluationsFile],
) -> FittedModel:
    """The model with every channel's `backwards_depth` from the games of `evaluations`.

    Only games that came with evaluations tell; held-out players' are not looked at. Without
    30 such player-games at a speed no effect is assumed there.
    """
    pairs: dict[str, list[_Pair]] = {speed.speed: [] for speed in model.speeds}
    for source in sources:
        for game in games_of(source.games, LeftOut()):
            file = next((file for file in evaluations if game.id in file), None)
            if file is not None and game.speed in pairs:
                pairs[game.speed] += _pairs(game, file)
    speeds = tuple(
        replace(speed, channels=tuple(_measured(c, pairs[speed.speed]) for c in speed.channels))
        for speed in model.speeds
    )
    return replace(model, speeds=speeds)


def _pairs(game: Game, file: EvaluationsFile) -> Iterator[_Pair]:
    try:
        checked = replay(game)
        given, own = source_evals(game, checked), file.of(checked)
    except InputError:
        return  # counted where the model itself was fitted
    if given is None or own is None:
        return
    analyses = [analyse(game, checked, evals) for evals in (given, own)]
    for label in labels(game, LeftOut()):
        if label.steady and part_of(label.player) is not Part.HELD_OUT:
            both = [_features(game, analysis, label.color) for analysis in analyses]
            if both[0] is not None and both[1] is not None:
                yield label, both[0], both[1]


def _features(game: Game, analysis: GameAnalysis, color: Color) -> Features | None:
    scored = analysis.own_moves(color)
    if why_no_estimate(game, len(scored), (game.speed,)):
        return None
    moves = own_moves(scored, centipawn_scale=centipawn_scale(game, analysis))
    return game_features(moves, game.clock)


def _measured(channel: Channel, pairs: Sequence[_Pair]) -> Channel:
    if not pairs:
        return channel
    given, own = (
        channel.forest.predict(np.array([feature_row(f, channel.feature_names) for f in side]))
        for side in ([pair[1] for pair in pairs], [pair[2] for pair in pairs])
    )
    z = standardised(np.array([float(label.rating) for label, _, _ in pairs]))
    effect = fit_depth_effect(given, own, z)
    return replace(channel, likelihood=replace(channel.likelihood, backwards_depth=effect))
