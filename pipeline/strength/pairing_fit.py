"""Fitting how rated games pair their players, and how alike both sides of a game are misread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from config.errors import NoGames
from config.language import _, english
from pipeline.records import Game
from pipeline.strength.calibrate import circumstances
from pipeline.strength.examples import Examples
from pipeline.strength.features import all_feature_names
from pipeline.strength.human_reading import HumanReading
from pipeline.strength.labelled import GameSource, LeftOut, Progress, games_of, labels, silent
from pipeline.strength.model import Channel, SpeedModel
from pipeline.strength.own_moves import Column
from pipeline.strength.pairing import Pairing
from pipeline.strength.split import is_held_out

MIN_PAIRED_GAMES = 500
MOST_CORRELATION = 0.95
MIN_BOTH_READ = 100

_PROGRESS_EVERY = 1000
_ROUNDS = 500
_LEAST_VARIANCE = 1.0
_TINY = 1e-300


def rating_differences(
    sources: Sequence[GameSource], left_out: LeftOut, progress: Progress = silent
) -> dict[str, Column]:
    """By speed: White's rating less Black's in rated games where both are steady.

    Held-out players are left out. Where games were chosen by their ratings when a file was put
    together, nothing is to be learned from it: give games as they were played.
    """
    found: dict[str, list[float]] = {}
    count = 0
    for source in sources:
        for game in games_of(source.games, left_out):
            count += 1
            found.setdefault(game.speed, []).extend(_difference(game))
            if count % _PROGRESS_EVERY == 0:
                progress(english("reading pairs in {source}").format(source=source.name), count)
    return {speed: np.array(values, dtype=np.float64) for speed, values in found.items()}


def _difference(game: Game) -> Iterator[float]:
    known = labels(game, LeftOut()) if game.rated else ()
    used = [label for label in known if label.steady and not is_held_out(label.player)]
    if len(used) == 2:
        yield float(used[0].rating - used[1].rating)


def with_pairing(model: SpeedModel, examples: Examples, differences: Column) -> SpeedModel:
    """The model with the pairing of its speed; as it was where there is too little to learn from.

    That is fewer than `MIN_PAIRED_GAMES`, or than `MIN_BOTH_READ` games of which the human-move
    model has read both sides.
    """
    correlation = same_game_correlation(model, examples)
    if correlation is None or len(differences) < MIN_PAIRED_GAMES:
        return model
    return replace(model, pairing=fit_pairing(differences, same_game_correlation=correlation))


def fit_pairing(differences: Column, *, same_game_correlation: float) -> Pairing:
    """The maximum-likelihood mixture for the rating differences of rated games, one a game.

    Who of the two comes first makes no difference. NoGames when there are fewer than
    `MIN_PAIRED_GAMES`.
    """
    if len(differences) < MIN_PAIRED_GAMES:
        raise NoGames(
            _(
                "Only {number} rated games have two steady ratings, and it takes "
                "{min_paired_games} to say how players are paired; give more games."
            ).format(number=len(differences), min_paired_games=MIN_PAIRED_GAMES)
        )
    near_spread, wide_spread, wide_share = _mixture(differences)
    return Pairing(
        near_spread=near_spread,
        wide_spread=wide_spread,
        wide_share=wide_share,
        same_game_correlation=same_game_correlation,
        games=len(differences),
    )


def same_game_correlation(model: SpeedModel, examples: Examples) -> float | None:
    """The correlation (0 to 1) of the standardised errors of both sides of a game.

    Of readings with the human-move model; without it the correlation is 0.6 to 0.8, and an
    opponent's moves are worth next to nothing. None where there are fewer than `MIN_BOTH_READ`.
    """
    at_speed = (examples.speeds == model.speed) & examples.first & examples.have_human
    known = examples.where(at_speed)
    errors = _errors(model, known)
    read = ~np.isnan(errors)
    errors = errors[read]
    one, other = _both_sides(known.where(read))
    if len(one) < MIN_BOTH_READ:
        return None
    variance = (errors[one] ** 2 + errors[other] ** 2).sum() / 2
    return float(np.clip(errors[one] @ errors[other] / variance, 0.0, MOST_CORRELATION))


def _errors(model: SpeedModel, examples: Examples) -> Column:
    """Reading less the mean at the player's rating, in spreads; NaN where there is no reading."""
    errors = np.full(len(examples), np.nan)
    for have_clocks in (False, True):
        part = examples.have_clocks == have_clocks
        channel = model.channel(have_clocks)
        if part.any() and channel.human is not None:
            errors[part] = _channel_errors(channel, channel.human, examples.where(part))
    return errors


def _channel_errors(channel: Channel, human: HumanReading, examples: Examples) -> Column:
    columns = [all_feature_names().index(name) for name in channel.feature_names]
    forest_readings = channel.forest.predict(examples.rows[:, columns])
    readings = human.weighing.readings(forest_readings, examples.human_rows)
    given = circumstances(examples)
    mean, spread = human.likelihood.mean_and_spread(examples.ratings, given)
    return np.asarray((readings - mean) / spread)


def _both_sides(examples: Examples) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where the two sides of each game stand that has both."""
    order = np.argsort(examples.game_ids, kind="stable")
    ids, players = examples.game_ids[order], examples.players[order]
    first = np.flatnonzero((ids[1:] == ids[:-1]) & (players[1:] != players[:-1]))
    return order[first], order[first + 1]


def _mixture(differences: Column) -> tuple[float, float, float]:
    """Near spread, wide spread, wide share, by expectation-maximisation."""
    squares = differences**2 + _LEAST_VARIANCE
    near, wide, share = float(np.median(squares)), float(4 * squares.mean()), 0.1
    for _round in range(_ROUNDS):
        of_wide = share * _density(squares, wide)
        is_wide = of_wide / np.maximum(of_wide + (1 - share) * _density(squares, near), _TINY)
        near = float(np.average(squares, weights=np.maximum(1 - is_wide, _TINY)))
        wide = float(np.average(squares, weights=np.maximum(is_wide, _TINY)))
        share = float(is_wide.mean())
    return float(np.sqrt(near)), float(np.sqrt(wide)), share


def _density(squares: Column, variance: float) -> Column:
    """Of a normal, up to a constant."""
    return np.asarray(np.exp(-0.5 * squares / variance) / np.sqrt(variance))
