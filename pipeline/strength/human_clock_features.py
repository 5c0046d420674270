"""Time against choice: what the clock adds to the human-move model's view of own moves.

The human-move model knows no clock. A weak move after a second with a second left speaks less
against a player than after a minute's thought; and strong players spend their time where the
choice is open.
"""

from __future__ import annotations

import numpy as np

from pipeline.records import Clock
from pipeline.strength.own_choices import USUAL, OwnChoices
from pipeline.strength.own_moves import Column, Mask

_ADDED_MOVES = 8
"""Means are drawn towards 0 by so many moves: of few moves they would be mostly chance."""
_INSTANT_SECONDS = 1.0
_SHORT_SHARE = 0.15
"""Of the initial time: with less than this left, the clock decides what is played."""

HUMAN_CLOCK_FEATURE_NAMES = (
    "gain_instant",
    "gain_considered",
    "gain_short_of_time",
    "gain_with_time",
    "surprise_instant",
    "surprise_considered",
    "surprise_short_of_time",
    "entropy_instant",
    "entropy_considered",
    "log_seconds_open_choices",
    "log_seconds_clear_choices",
    "log_seconds_and_entropy_correlation",
    "log_seconds_and_gain_correlation",
    "log_seconds_and_decisiveness_correlation",
)
"""Gains are from the lowest to the highest rating of the model, surprises and entropies at the
usual one, natural logarithm a move; a choice is open where its entropy is above the game's
median. Decisiveness is how far a move tells ratings apart, either way."""


def human_clock_features(
    choices: OwnChoices, clock: Clock | None, clocks_centiseconds: tuple[int, ...]
) -> Column:
    """One value for each of `HUMAN_CLOCK_FEATURE_NAMES`; all NaN without clocks.

    Whole seconds only: a database dump has no more, and the two must give the same answer.
    """
    last = int(choices.plies.max(initial=0))
    if clock is None or not clocks_centiseconds or len(clocks_centiseconds) < last:
        return np.full(len(HUMAN_CLOCK_FEATURE_NAMES), np.nan)
    left = np.array(clocks_centiseconds, dtype=np.int64) // 100
    after, before = left[choices.plies - 1], left[choices.plies - 3]
    spent = np.maximum(0.0, before - after + clock.increment_seconds)
    short = after < _SHORT_SHARE * max(1, clock.initial_seconds)
    return np.array([*_gains(choices, spent, short), *_times(choices, np.log1p(spent))])


def _gains(choices: OwnChoices, spent: Column, short: Mask) -> list[float]:
    instant = spent <= _INSTANT_SECONDS
    gain, entropy = choices.gain, choices.entropy[:, USUAL]
    surprise = choices.surprise[:, USUAL]
    return [
        *(_mean(gain, where) for where in (instant, ~instant, short, ~short)),
        *(_mean(surprise, where) for where in (instant, ~instant, short)),
        *(_mean(entropy, where) for where in (instant, ~instant)),
    ]


def _times(choices: OwnChoices, log_seconds: Column) -> list[float]:
    entropy, gain = choices.entropy[:, USUAL], choices.gain
    is_open = entropy > (np.median(entropy) if choices.count else 0.0)
    return [
        _mean(log_seconds, is_open),
        _mean(log_seconds, ~is_open),
        *(_correlation(log_seconds, other) for other in (entropy, gain, np.abs(gain))),
    ]


def _mean(values: Column, where: Mask) -> float:
    return float(values[where].sum() / (where.sum() + _ADDED_MOVES))


def _correlation(one: Column, other: Column) -> float:
    """0 where there is none to speak of."""
    if len(one) < 6 or one.std() == 0 or other.std() == 0:
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])
