"""Inaccuracy, mistake or blunder, by Lichess's rules.

Source: lila `Advice.scala`. Lichess judges a move only if its engine preferred another;
that is the caller's to know.
"""

from __future__ import annotations

from engines.evals import Centipawns, Color, Eval, Mate
from pipeline.formulas.win_percent import winning_chances
from pipeline.records import Judgement


def judge(before: Eval, after: Eval, mover: Color) -> Judgement | None:
    """How bad the move that led from `before` to `after` (White's view) was for `mover`."""
    if isinstance(before, Centipawns) and isinstance(after, Centipawns):
        return _by_lost_chances(_signed(before, mover), _signed(after, mover))
    if isinstance(before, Centipawns) and isinstance(after, Mate):
        return _mate_allowed(_signed(before, mover)) if after.winner != mover else None
    if isinstance(before, Mate) and before.winner == mover:
        return _mate_lost(after, mover)
    return None


def _by_lost_chances(before: int, after: int) -> Judgement | None:
    loss = winning_chances(before) - winning_chances(after)
    if loss >= 0.3:
        return Judgement.BLUNDER
    if loss >= 0.2:
        return Judgement.MISTAKE
    return Judgement.INACCURACY if loss >= 0.1 else None


def _mate_allowed(before: int) -> Judgement:
    """The worse it stood before, the less the mate that follows tells."""
    if before < -999:
        return Judgement.INACCURACY
    return Judgement.MISTAKE if before < -700 else Judgement.BLUNDER


def _mate_lost(after: Eval, mover: Color) -> Judgement | None:
    """The better it still stands, the less the mate that is gone tells."""
    if isinstance(after, Mate):
        return Judgement.BLUNDER if after.winner != mover else None
    advantage = _signed(after, mover)
    if advantage > 999:
        return Judgement.INACCURACY
    return Judgement.MISTAKE if advantage > 700 else Judgement.BLUNDER


def _signed(evaluation: Centipawns, mover: Color) -> int:
    return evaluation.value if mover == "white" else -evaluation.value
