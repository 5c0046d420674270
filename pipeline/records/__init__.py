"""The nouns that travel between the stages. They describe, and compute nothing.

Move n (`ply`, from 1) leads from position n - 1 to position n; n plies have n + 1
evaluations. An `Eval` speaks for White, a `MoveScore` for the mover. Percent is 0 to 100;
score, probability and coverage are 0 to 1. Times are UTC. Ratings are those before the game.
"No answer" is a value with a reason (`NoEstimate`), never a made-up number.
"""

from pipeline.records.differences import (
    Aspect,
    Chances,
    ChancesClaim,
    Claim,
    DifferenceGroup,
    Differences,
    Ending,
    EndingCount,
    Figure,
    GroupClaim,
    Measured,
    Part,
    PartClaim,
    PointsPart,
    TurnedGame,
)
from pipeline.records.games import (
    READABLE_VARIANTS,
    Clock,
    Game,
    GamePlayer,
    LichessSummary,
    Opening,
    SetAside,
    SourceEval,
)
from pipeline.records.moves import (
    Division,
    GameAnalysis,
    Judgement,
    MoveScore,
    Phase,
    SideSummary,
)
from pipeline.records.report import (
    GameReport,
    PlayerReport,
    SideReport,
    SpeedReport,
)
from pipeline.records.results import (
    NoEstimate,
    OpponentCounts,
    ResultEstimate,
    ResultGroup,
    ScoreLuck,
)
from pipeline.records.strength import (
    Evidence,
    Explanation,
    MoveEvidence,
    PhaseEvidence,
    StrengthRange,
)
from pipeline.records.trends import (
    RatingPoint,
    SpeedTrends,
    Trend,
    TrendDifference,
    TrendPoint,
    TrendStep,
)

__all__ = [
    "READABLE_VARIANTS",
    "Aspect",
    "Chances",
    "ChancesClaim",
    "Claim",
    "Clock",
    "DifferenceGroup",
    "Differences",
    "Division",
    "Ending",
    "EndingCount",
    "Evidence",
    "Explanation",
    "Figure",
    "Game",
    "GameAnalysis",
    "GamePlayer",
    "GameReport",
    "GroupClaim",
    "Judgement",
    "LichessSummary",
    "Measured",
    "MoveEvidence",
    "MoveScore",
    "NoEstimate",
    "Opening",
    "OpponentCounts",
    "Part",
    "PartClaim",
    "Phase",
    "PhaseEvidence",
    "PlayerReport",
    "PointsPart",
    "RatingPoint",
    "ResultEstimate",
    "ResultGroup",
    "ScoreLuck",
    "SetAside",
    "SideReport",
    "SideSummary",
    "SourceEval",
    "SpeedReport",
    "SpeedTrends",
    "StrengthRange",
    "Trend",
    "TrendDifference",
    "TrendPoint",
    "TrendStep",
    "TurnedGame",
]
