"""How far a game's evaluations are from those that Lichess made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engines.evals import Centipawns, Eval, GameEvals
from pipeline.analysis import analyse, source_evals
from pipeline.records import Game, GameAnalysis, MoveScore
from pipeline.replay import Replay
from pipeline.strength.centipawn_scale import centipawn_scale
from pipeline.strength.measured import Measured, measured


@dataclass(frozen=True, slots=True, kw_only=True)
class LichessAgreement:
    """Over the moves of `games` games that both evaluated; standard errors are by game.

    `win_percent_difference` is the mean absolute one after a move, in points of 0 to 100.
    `judged_alike` (0 to 1) is how often a move got the same word of both (inaccuracy, mistake,
    blunder) or of both none; `judged_alike_where_bad` the same of the moves that got a word of
    either; None where there are no such moves.
    """

    games: int
    moves: int
    win_percent_difference: Measured
    judged_alike: Measured
    judged_alike_where_bad: Measured | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedMove:
    """One move of a game that both evaluated."""

    game_id: str
    win_percent_difference: float
    alike: bool
    bad: bool


def lichess_analysis(game: Game, replay: Replay) -> GameAnalysis | None:
    """By the evaluations that came with the game, in today's centipawns; None without them."""
    given = source_evals(game, replay)
    if given is None:
        return None
    return in_todays_centipawns(game, replay, given, analyse(game, replay, given))


def in_todays_centipawns(
    game: Game, replay: Replay, evals: GameEvals, analysis: GameAnalysis
) -> GameAnalysis:
    """`analysis`, made of `evals`, as it is when these are brought to the scale of new ones."""
    scale = centipawn_scale(game, analysis)
    return analysis if scale == 1 else analyse(game, replay, _scaled(evals, scale))


def compared(lichess: GameAnalysis, local: GameAnalysis) -> tuple[ComparedMove, ...]:
    """The moves that both analyses of one game have, both in today's centipawns."""
    found = {move.ply: move for move in local.moves}
    return tuple(
        _compared(lichess.game_id, move, found[move.ply])
        for move in lichess.moves
        if move.ply in found
    )


def agreement(moves: Sequence[ComparedMove]) -> LichessAgreement | None:
    """None where there is nothing to compare."""
    if not moves:
        return None
    bad = [move for move in moves if move.bad]
    return LichessAgreement(
        games=len({move.game_id for move in moves}),
        moves=len(moves),
        win_percent_difference=_mean([m.win_percent_difference for m in moves], moves),
        judged_alike=_mean([m.alike for m in moves], moves),
        judged_alike_where_bad=_mean([m.alike for m in bad], bad) if bad else None,
    )


def _compared(game_id: str, lichess: MoveScore, local: MoveScore) -> ComparedMove:
    return ComparedMove(
        game_id=game_id,
        win_percent_difference=abs(lichess.win_percent_after - local.win_percent_after),
        alike=lichess.judgement == local.judgement,
        bad=lichess.judgement is not None or local.judgement is not None,
    )


def _mean(values: Sequence[float], moves: Sequence[ComparedMove]) -> Measured:
    return measured(np.array(values, dtype=np.float64), [move.game_id for move in moves])


def _scaled(evals: GameEvals, scale: float) -> GameEvals:
    return replace(evals, evals=tuple(_scaled_eval(e, scale) for e in evals.evals))


def _scaled_eval(evaluation: Eval | None, scale: float) -> Eval | None:
    if isinstance(evaluation, Centipawns):
        return Centipawns(round(evaluation.value * scale))
    return evaluation
