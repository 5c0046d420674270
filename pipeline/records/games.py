"""A game as it was played, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from engines.evals import Color, EngineId, Eval, SearchLimit

READABLE_VARIANTS = ("standard", "chess960", "fromPosition")
"""The variants whose rules are those of chess from some starting position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LichessSummary:
    """Lichess's own figures for one side of an analysed game."""

    inaccuracies: int
    mistakes: int
    blunders: int
    average_centipawn_loss: int | None
    accuracy_percent: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlayer:
    """One side. `name` is None for an anonymous player and for the computer."""

    name: str | None = None
    title: str | None = None
    rating: int | None = None
    rating_diff: int | None = None
    provisional: bool = False
    computer_level: int | None = None
    berserk: bool = False
    lichess_summary: LichessSummary | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A time control with increment."""

    initial_seconds: int
    increment_seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """As Lichess names it; `ply` is the last ply that belongs to the name."""

    eco: str
    name: str
    ply: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceEval:
    """What came with the game about the position after a ply.

    `best_move_uci` and `judgement` (Lichess's word) concern the ply itself: what should have
    been played instead, and how bad it was.
    """

    evaluation: Eval | None
    best_move_uci: str | None = None
    judgement: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game, moves still in SAN as written; `replay` checks them.

    `speed` is Lichess's word (blitz, rapid, …). `clocks_centiseconds[i]` is the mover's time
    left after ply i + 1. `source_evals[i]` is the evaluation after ply i + 1; empty when the
    game came without any; `source_limit` is
    known where movelo itself wrote them. `result_known` is False for a game without a result ("*").
    """

    id: str
    variant: str
    speed: str
    rated: bool
    created_at: datetime
    white: GamePlayer
    black: GamePlayer
    winner: Color | None
    result_known: bool = True
    status: str | None = None
    source: str | None = None
    url: str | None = None
    clock: Clock | None = None
    opening: Opening | None = None
    initial_fen: str | None = None
    moves_san: tuple[str, ...] = ()
    clocks_centiseconds: tuple[int, ...] = ()
    source_evals: tuple[SourceEval, ...] = ()
    source_engine: EngineId | None = None
    source_limit: SearchLimit | None = None

    @property
    def where(self) -> str:
        """Its address, or its id: by what a person finds it."""
        return self.url or f"game {self.id}"

    def without_moves(self) -> Game:
        """Who played, when, and how it ended: a tenth of the memory."""
        return replace(self, moves_san=(), clocks_centiseconds=(), source_evals=())

    def player(self, color: Color) -> GamePlayer:
        """Who had `color`."""
        return self.white if color == "white" else self.black

    def opponent(self, color: Color) -> GamePlayer:
        """Who played against `color`."""
        return self.black if color == "white" else self.white

    def score(self, color: Color) -> float | None:
        """1, ½ or 0 for `color`; None without a result."""
        if not self.result_known:
            return None
        if self.winner is None:
            return 0.5
        return 1.0 if self.winner == color else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside:
    """Something that was left out, where it stood and why: counted and named, never silent."""

    where: str
    reason: str
