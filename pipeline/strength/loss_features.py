"""Summaries of what a player's moves lost, as the engine sees it."""

from __future__ import annotations

import numpy as np

from pipeline.strength.own_moves import Column, Mask, OwnMoves

LOSS_THRESHOLDS = (1, 2, 5, 10, 15, 20, 30)
"""Win percent; 5, 10 and 15 are Lichess's inaccuracy, mistake and blunder."""

_LOSS_QUANTILES = (50, 75, 90, 95, 100)
_LEVEL = (30.0, 70.0)
_WINNING, _LOSING = 80.0, 20.0
_STAGES = ((1, 8), (9, 15), (16, 25), (26, 40), (41, 999))
"""Stretches of a game by move number, for what the phases do not separate."""


def loss_features(moves: OwnMoves) -> dict[str, float]:
    """Name -> value; NaN where the game has no such moves (no endgame, never winning …)."""
    return {
        **_overall(moves),
        **_shares(moves.win_percent_loss),
        **_by_situation(moves),
        **_by_stage(moves),
        **_by_kind_of_move(moves),
        **_over_time(moves.win_percent_loss),
    }


def mean(values: Column | Mask) -> float:
    """The mean, of a mask the share that holds; NaN of nothing."""
    return float(values.sum() / len(values)) if len(values) else np.nan


def _overall(moves: OwnMoves) -> dict[str, float]:
    loss = moves.win_percent_loss
    quantiles = np.percentile(loss, _LOSS_QUANTILES)
    return {
        "moves": float(moves.count),
        "loss_mean": mean(loss),
        "loss_sqrt_mean": mean(np.sqrt(loss)),
        "loss_log_mean": mean(np.log1p(loss)),
        "loss_spread": float(loss.std()),
        **{f"loss_quantile_{q}": float(v) for q, v in zip(_LOSS_QUANTILES, quantiles, strict=True)},
        "centipawn_loss_mean": mean(moves.centipawn_loss),
        "centipawn_loss_log_mean": mean(np.log1p(moves.centipawn_loss)),
        "accuracy_mean": mean(moves.accuracy_percent),
        "accuracy_harmonic": 1 / mean(1 / np.maximum(1.0, moves.accuracy_percent)),
    }


def _shares(loss: Column) -> dict[str, float]:
    return {f"share_over_{t}": mean(loss > t) for t in LOSS_THRESHOLDS}


def _by_situation(moves: OwnMoves) -> dict[str, float]:
    before, loss = moves.win_percent_before, moves.win_percent_loss
    level = (before >= _LEVEL[0]) & (before <= _LEVEL[1])
    winning, losing = before > _WINNING, before < _LOSING
    return {
        "level_share": mean(level),
        "level_loss_mean": mean(loss[level]),
        "level_loss_log_mean": mean(np.log1p(loss[level])),
        "level_share_over_5": mean(loss[level] > 5),
        "level_share_over_15": mean(loss[level] > 15),
        "winning_loss_mean": mean(loss[winning]),
        "winning_share_over_5": mean(loss[winning] > 5),
        "winning_centipawn_loss_log_mean": mean(np.log1p(moves.centipawn_loss[winning])),
        "losing_loss_mean": mean(loss[losing]),
        "losing_centipawn_loss_log_mean": mean(np.log1p(moves.centipawn_loss[losing])),
    }


def _by_stage(moves: OwnMoves) -> dict[str, float]:
    loss, features = moves.win_percent_loss, {}
    for number, name in enumerate(("opening", "middlegame", "endgame")):
        there = moves.phase == number
        features[f"{name}_moves"] = float(there.sum())
        features[f"{name}_loss_mean"] = mean(loss[there])
        features[f"{name}_loss_log_mean"] = mean(np.log1p(loss[there]))
    for first, last in _STAGES:
        there = (moves.number >= first) & (moves.number <= last)
        features[f"moves_{first}_to_{last}_loss_log_mean"] = mean(np.log1p(loss[there]))
    return features


def _by_kind_of_move(moves: OwnMoves) -> dict[str, float]:
    loss, log_loss = moves.win_percent_loss, np.log1p(moves.win_percent_loss)
    captures, legal = moves.captures > 0, moves.legal_move_count
    many = legal >= 30
    return {
        "capture_loss_log_mean": mean(log_loss[captures]),
        "quiet_loss_log_mean": mean(log_loss[~captures]),
        "many_choices_loss_log_mean": mean(log_loss[many]),
        "few_choices_loss_log_mean": mean(log_loss[~many]),
        "loss_per_choice": float(log_loss.sum() / max(1.0, np.log(legal).sum())),
        "check_loss_log_mean": mean(log_loss[moves.gives_check > 0]),
        "queen_loss_log_mean": mean(log_loss[moves.piece == 4]),
        "pawn_loss_log_mean": mean(log_loss[moves.piece == 0]),
        "loss_max_number": float(moves.number[loss.argmax()]),
    }


def _over_time(loss: Column) -> dict[str, float]:
    return {
        "longest_run_under_2": _longest_run(loss < 2),
        "longest_run_under_5": _longest_run(loss < 5),
        "moves_before_first_over_5": _first(loss > 5),
        "moves_before_first_over_10": _first(loss > 10),
        "moves_before_first_over_20": _first(loss > 20),
        "after_mistake_loss_log_mean": mean(np.log1p(loss[1:][loss[:-1] > 10])),
        "twice_in_a_row_share": mean((loss[1:] > 5) & (loss[:-1] > 5)),
    }


def _longest_run(holds: Mask) -> float:
    ends = np.flatnonzero(~np.concatenate(([False], holds, [False])))
    return float(np.diff(ends).max() - 1)


def _first(holds: Mask) -> float:
    return float(holds.argmax()) if holds.any() else float(len(holds))
