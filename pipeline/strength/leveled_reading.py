"""One game by one way to spend nodes: what it costs, its ranges, and how far from Lichess's."""

from __future__ import annotations

from dataclasses import dataclass

from engines.human_likelihoods import HumanLikelihoods
from pipeline.analysis import analyse
from pipeline.records import GameAnalysis, NoEstimate, StrengthRange
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.labelled import Label
from pipeline.strength.leveled_games import LeveledGame
from pipeline.strength.lichess_agreement import ComparedMove, compared, in_todays_centipawns
from pipeline.strength.staged import Policy, searched


@dataclass(frozen=True, slots=True, kw_only=True)
class LeveledReading:
    """`ranges[i]` is that of the game's `labels[i]`; `compared` is empty without Lichess's."""

    nodes: int
    ranges: tuple[StrengthRange | NoEstimate, ...]
    compared: tuple[ComparedMove, ...]


def leveled_reading(
    model: StrengthModel, leveled: LeveledGame, policy: Policy, lichess: GameAnalysis | None
) -> LeveledReading:
    """`leveled` has the levels of `policy`; `lichess` is in today's centipawns."""
    game, checked = leveled.game, leveled.replay
    found = searched(policy, checked, leveled.levels)
    analysis = analyse(game, checked, found.evals)
    moves: tuple[ComparedMove, ...] = ()
    if lichess is not None:
        moves = compared(lichess, in_todays_centipawns(game, checked, found.evals, analysis))
    return LeveledReading(
        nodes=found.nodes,
        ranges=tuple(
            _range(model, leveled, analysis, label, human)
            for label, human in zip(leveled.labels, leveled.human, strict=True)
        ),
        compared=moves,
    )


def _range(
    model: StrengthModel,
    leveled: LeveledGame,
    analysis: GameAnalysis,
    label: Label,
    human: HumanLikelihoods | None,
) -> StrengthRange | NoEstimate:
    evidence = model.evidence(leveled.game, analysis, label.color, human)
    if isinstance(evidence, NoEstimate):
        return evidence
    return model.strength_range([evidence], speed=leveled.game.speed)
