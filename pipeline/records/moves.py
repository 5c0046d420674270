"""What evaluations make of the moves of a game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engines.evals import Color, EngineId, SearchLimit


class Judgement(Enum):
    """Lichess's three words for a bad move."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class Phase(Enum):
    """Lichess's three phases of a game."""

    OPENING = "opening"
    MIDDLEGAME = "middlegame"
    ENDGAME = "endgame"


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """First position (0 = start) of the middlegame and of the endgame, where they exist."""

    middlegame: int | None
    endgame: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveScore:
    """One move, everything from the mover's point of view.

    Win percent is 0 to 100; `centipawn_loss` is 0 or more, both evaluations clamped to
    ±1000; the clock fields are None where the game has no clocks.
    """

    ply: int
    color: Color
    san: str
    move_uci: str
    win_percent_before: float
    win_percent_after: float
    centipawn_loss: int
    accuracy_percent: float
    judgement: Judgement | None
    phase: Phase
    legal_move_count: int
    is_best_move: bool | None
    best_move_san: str | None
    gives_check: bool
    captures: bool
    seconds_left: float | None = None
    seconds_spent: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SideSummary:
    """One side of an analysed game; None where there is too little to say."""

    moves: int
    accuracy_percent: float | None
    average_centipawn_loss: int | None
    inaccuracies: int
    mistakes: int
    blunders: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAnalysis:
    """A game with every evaluated move scored. Moves without evaluations are absent."""

    game_id: str
    engine: EngineId
    limit: SearchLimit | None
    moves: tuple[MoveScore, ...]
    white: SideSummary
    black: SideSummary
    division: Division

    def side(self, color: Color) -> SideSummary:
        """The summary of one side."""
        return self.white if color == "white" else self.black

    def own_moves(self, color: Color) -> tuple[MoveScore, ...]:
        """The moves that `color` made."""
        return tuple(move for move in self.moves if move.color == color)
