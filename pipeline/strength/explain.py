"""Which of a side's moves spoke for more than its range shows, and which for less."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from engines.evals import Color
from engines.human_likelihoods import RATINGS as HUMAN_RATINGS
from engines.human_likelihoods import HumanLikelihoods
from pipeline.records import (
    Explanation,
    GameAnalysis,
    MoveEvidence,
    MoveScore,
    Phase,
    PhaseEvidence,
)
from pipeline.strength.own_choices import OwnChoices, own_choices
from pipeline.strength.rating_curve import curve_weights

DISTANCE = 300
"""In rating points: the two ratings that are compared lie so far from the level."""

STRONGEST = 3
"""So many moves are named either way."""

LEAST_LOG_RATIO = math.log(1.25)
"""A move that says less is not named: the curve through the ratings errs by half as much."""

_LEVEL_STEP = 100


def explain(
    human: HumanLikelihoods, analysis: GameAnalysis, color: Color, *, level: float
) -> Explanation:
    """What each move of `color` says about players around `level`, a rating.

    The two ratings that are compared lie between the first and the last that the human-move
    model was asked about. The game must have begun from the usual starting position; moves
    without an evaluation are absent. ModelError when the likelihoods are for other ratings
    than the model knows.
    """
    lower, higher = _compared(level)
    scored = {move.ply: move for move in analysis.own_moves(color)}
    moves = tuple(
        said for said in _said(own_choices(human, color), lower, higher) if said.ply in scored
    )
    return Explanation(
        lower_rating=lower,
        higher_rating=higher,
        moves=moves,
        for_higher=_strongest(moves, sign=1),
        for_lower=_strongest(moves, sign=-1),
        phases=tuple(_phases(moves, scored)),
    )


def _compared(level: float) -> tuple[int, int]:
    """Round numbers, as people think of them."""
    middle = math.floor(level / _LEVEL_STEP + 0.5) * _LEVEL_STEP
    middle = min(max(middle, HUMAN_RATINGS[0] + DISTANCE), HUMAN_RATINGS[-1] - DISTANCE)
    return middle - DISTANCE, middle + DISTANCE


def _said(choices: OwnChoices, lower: int, higher: int) -> Iterator[MoveEvidence]:
    at_lower, at_higher = curve_weights([lower, higher])
    ratios = choices.log_p @ (at_higher - at_lower)
    for ply, ratio in zip(choices.plies.tolist(), ratios.tolist(), strict=True):
        yield MoveEvidence(ply=ply, log_likelihood_ratio=ratio)


def _strongest(moves: Sequence[MoveEvidence], *, sign: int) -> tuple[MoveEvidence, ...]:
    """Strongest first; of two that say as much, the earlier."""
    ordered = sorted(moves, key=lambda move: -sign * move.log_likelihood_ratio)
    named = ordered[:STRONGEST]
    return tuple(move for move in named if sign * move.log_likelihood_ratio >= LEAST_LOG_RATIO)


def _phases(
    moves: Sequence[MoveEvidence], scored: Mapping[int, MoveScore]
) -> Iterator[PhaseEvidence]:
    for phase in Phase:
        ratios = [m.log_likelihood_ratio for m in moves if scored[m.ply].phase is phase]
        if ratios:
            yield PhaseEvidence(phase=phase, moves=len(ratios), log_likelihood_ratio=sum(ratios))
