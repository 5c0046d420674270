"""Everything about one game or one player, ready to be shown: data, no looks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from engines.evals import Color, EngineId, SearchLimit
from pipeline.records.differences import Differences
from pipeline.records.games import Clock, GamePlayer, Opening, SetAside
from pipeline.records.moves import MoveScore, SideSummary
from pipeline.records.results import NoEstimate, ResultEstimate
from pipeline.records.strength import Explanation, StrengthRange
from pipeline.records.trends import SpeedTrends


@dataclass(frozen=True, slots=True, kw_only=True)
class SideReport:
    """One side of one reported game."""

    player: GamePlayer
    score: float | None
    expected_score: float | None
    strength: StrengthRange | NoEstimate
    explanation: Explanation | NoEstimate
    summary: SideSummary | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameReport:
    """One game: both sides, what evaluated it, and the moves for whoever wants to look.

    `moves` are those that were evaluated; `moves_san` all of them, as they were written.
    `initial_fen` is None where the game began as usual.
    `human_model_missing`: its ranges would be narrower with the human-move model, which is not
    installed, or not usable.
    """

    id: str
    url: str | None
    created_at: datetime
    speed: str
    variant: str
    rated: bool
    color: Color | None
    status: str | None
    opening: Opening | None
    clock: Clock | None
    plies: int
    engine: EngineId | None
    limit: SearchLimit | None
    white: SideReport
    black: SideReport
    human_model_missing: bool
    moves: tuple[MoveScore, ...] = ()
    moves_san: tuple[str, ...] = ()
    initial_fen: str | None = None

    def side(self, color: Color) -> SideReport:
        """One side of the game."""
        return self.white if color == "white" else self.black

    def opponent(self, color: Color) -> SideReport:
        """The side that played against `color`."""
        return self.black if color == "white" else self.white


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedReport:
    """The two views side by side, over all of a player's games at one speed."""

    speed: str
    scale: str
    games: int
    first_game_at: datetime
    last_game_at: datetime
    rating_first: int | None
    rating_last: int | None
    result: ResultEstimate | NoEstimate
    strength: StrengthRange | NoEstimate
    trends: SpeedTrends | NoEstimate
    differences: Differences | NoEstimate
    accuracy_percent: float | None
    average_centipawn_loss: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReport:
    """Everything about one player: data, no looks. Games are newest first.

    `notes` are sentences about the whole (a cut stream, a cached answer, demo data).
    """

    player: str
    created_at: datetime
    movelo_version: str
    model_name: str
    speeds: tuple[SpeedReport, ...]
    games: tuple[GameReport, ...]
    set_aside: tuple[SetAside, ...] = ()
    notes: tuple[str, ...] = ()
