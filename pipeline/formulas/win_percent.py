"""From an evaluation to the chance of winning, as Lichess computes it.

Source: scalachess `eval.scala` and https://lichess.org/page/accuracy.
"""

from __future__ import annotations

from math import exp

from engines.evals import Centipawns, Color, Eval

CENTIPAWN_CEILING = 1000
"""Lichess clamps evaluations, and counts any mate, at ±1000 centipawns."""

# Fitted by Lichess on games of players rated 2300, lila pull request 11148.
_MULTIPLIER = -0.00368208


def win_percent(evaluation: Eval) -> float:
    """White's win percent, 0 to 100: 50 + 50 · winning_chances, between 2.46 and 97.54."""
    return 50 + 50 * winning_chances(clamped_centipawns(evaluation))


def winning_chances(centipawns: float) -> float:
    """-1 (lost) to +1 (won) for the side whose advantage `centipawns` is; not clamped first."""
    # exp overflows far beyond any evaluation an engine gives; the limit is exact there.
    if centipawns < -100_000:
        return -1.0
    return 2 / (1 + exp(_MULTIPLIER * centipawns)) - 1


def clamped_centipawns(evaluation: Eval) -> int:
    """White's advantage between -1000 and +1000; a mate, however far, is ±1000."""
    if isinstance(evaluation, Centipawns):
        return max(-CENTIPAWN_CEILING, min(CENTIPAWN_CEILING, evaluation.value))
    return CENTIPAWN_CEILING if evaluation.winner == "white" else -CENTIPAWN_CEILING


def mover_win_percent(evaluation: Eval, mover: Color) -> float:
    """`win_percent` as `mover` sees it, 0 to 100."""
    white = win_percent(evaluation)
    return white if mover == "white" else 100 - white


def mover_centipawns(evaluation: Eval, mover: Color) -> int:
    """`clamped_centipawns` as `mover` sees it, -1000 to +1000."""
    white = clamped_centipawns(evaluation)
    return white if mover == "white" else -white
