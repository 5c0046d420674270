"""Summaries of how a player used the clock; only for games that have clocks."""

from __future__ import annotations

import numpy as np

from pipeline.records import Clock
from pipeline.strength.loss_features import mean
from pipeline.strength.own_moves import Column, OwnMoves

_CHECKPOINTS = (10, 15, 20, 30, 40)


def clock_features(moves: OwnMoves, clock: Clock) -> dict[str, float]:
    """Name -> value, in seconds or as a share of the initial time (`_of_initial`).

    Whole seconds only: a database dump has no more, and the two must give the same answer.
    """
    left = np.floor(moves.seconds_left)
    spent = np.maximum(0.0, left[:-1] - left[1:] + clock.increment_seconds)
    initial = max(1, clock.initial_seconds)
    return {
        **_spending(spent, initial),
        **_by_situation(moves, spent),
        **_remaining(moves, left / initial),
    }


def _spending(spent: Column, initial: int) -> dict[str, float]:
    return {
        "spent_mean": mean(spent),
        "spent_mean_of_initial": mean(spent) / initial,
        "spent_log_mean": mean(np.log1p(spent)),
        "spent_log_spread": float(np.log1p(spent).std()) if len(spent) else np.nan,
        "spent_max_of_initial": float(spent.max(initial=0)) / initial,
        "spent_instantly_share": mean(spent <= 1),
        "spent_long_share": mean(spent > 0.05 * initial),
    }


def _by_situation(moves: OwnMoves, spent: Column) -> dict[str, float]:
    log_spent, log_loss = np.log1p(spent), np.log1p(moves.win_percent_loss[1:])
    captures = moves.captures[1:] > 0
    number, phase = moves.number[1:], moves.phase[1:]
    return {
        "spent_log_moves_2_to_8": mean(log_spent[number <= 8]),
        "spent_log_moves_9_to_15": mean(log_spent[(number > 8) & (number <= 15)]),
        "spent_log_moves_16_to_25": mean(log_spent[(number > 15) & (number <= 25)]),
        "spent_log_moves_26_on": mean(log_spent[number > 25]),
        "spent_log_endgame": mean(log_spent[phase == 2]),
        "spent_log_captures": mean(log_spent[captures]),
        "spent_log_quiet": mean(log_spent[~captures]),
        "instant_loss_log_mean": mean(log_loss[spent <= 1]),
        "slow_loss_log_mean": mean(log_loss[spent > 5]),
        "spent_and_loss_correlation": _correlation(log_spent, log_loss),
        "spent_and_choices_correlation": _correlation(
            log_spent, np.log(moves.legal_move_count[1:])
        ),
    }


def _remaining(moves: OwnMoves, left_share: Column) -> dict[str, float]:
    log_loss = np.log1p(moves.win_percent_loss)
    short = left_share < 0.1
    return {
        "left_end_of_initial": float(left_share[-1]),
        "short_of_time_share": mean(short),
        "short_of_time_loss_log_mean": mean(log_loss[short]),
        "enough_time_loss_log_mean": mean(log_loss[~short]),
        **{f"left_at_{n}_of_initial": _at(moves, n, left_share) for n in _CHECKPOINTS},
    }


def _at(moves: OwnMoves, number: int, values: Column) -> float:
    found = values[moves.number == number]
    return float(found[0]) if len(found) else np.nan


def _correlation(a: Column, b: Column) -> float:
    if len(a) < 5 or a.std() == 0 or b.std() == 0:
        return np.nan
    return float(np.corrcoef(a, b)[0, 1])
