"""The nouns that travel between the stages. They describe, and compute nothing.

Move n (`ply`, from 1) leads from position n - 1 to position n; n plies have n + 1
evaluations. An `Eval` speaks for White, a `MoveScore` for the mover. Percent is 0 to 100;
score, probability and coverage are 0 to 1. Times are UTC. Ratings are those before the game.
"No answer" is a value with a reason (`NoEstimate`), never a made-up number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from engines.evals import Color, EngineId, Eval, SearchLimit

READABLE_VARIANTS = ("standard", "chess960", "fromPosition")
"""The variants whose rules are those of chess from some starting position."""


# --- a game as it was played ---------------------------------------------------------------


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
    game came without any. `result_known` is False for a game without a result ("*").
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


# --- what the moves say --------------------------------------------------------------------


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


# --- the two estimates ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class NoEstimate:
    """There is no honest number; `reason` is a sentence fragment a player understands."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLuck:
    """How likely a score is if every game goes as the ratings before it let one expect.

    Probabilities are 0 to 1 and both count the score itself. `equals_draw_probability` is how
    often equals would draw, as estimated from the same games.
    """

    score_or_luckier_probability: float
    score_or_unluckier_probability: float
    equals_draw_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentCounts:
    """Who stands behind a result-based number, and who was left out of it, in games.

    `provisional` and `bots` are counted like everybody else. Left out: `computer` (Lichess's
    Stockfish levels), `anonymous`, `unrated` (a name, but no rating) and `without_result`.
    """

    counted: int
    provisional: int
    bots: int
    computer: int
    anonymous: int
    unrated: int
    without_result: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEstimate:
    """What the results say, against the ratings of the opponents before each game.

    `score` and `expected_score` are sums over `games` (expected from the player's own rating
    before each game, over `games_with_expectation` of them, which earned
    `score_with_expectation`); the performance rating is on `scale`, its interval covers
    `coverage` (0 to 1). `luck` is about the games with an expectation.
    """

    scale: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    expected_score: float
    games_with_expectation: int
    score_with_expectation: float
    average_opponent_rating: float
    performance_low: float
    performance_rating: float
    performance_high: float
    coverage: float
    luck: ScoreLuck | NoEstimate
    opponents: OpponentCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultGroup:
    """Those of a player's games that share something: a colour, an opening, a month.

    `games` counts all of them; `result` is about those that count, and a reason where they
    are too few.
    """

    label: str
    games: int
    result: ResultEstimate | NoEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one player's moves in one game say about their strength.

    `log_likelihoods[i]` is, up to a constant, the log-likelihood of the moves at the i-th
    rating of the model's grid (`pipeline.strength.grid`). No prior is in it.
    `with_human_model` says whether the human-move model had a part in it, beside Stockfish.
    """

    game_id: str
    color: Color
    scale: str
    moves: int
    log_likelihoods: tuple[float, ...]
    with_human_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthRange:
    """A range for the strength shown in `games` games with `moves` own moves.

    `low` to `high` is meant to hold the player's rating on `scale` with probability
    `coverage` (0 to 1); `median` halves the probability. `games_with_human_model` of the games
    were read with the human-move model beside Stockfish, the others by Stockfish alone.
    `with_pairing`: the opponents' moves have a part in it, as far as rated games pair like with
    like; else it is made of the own moves alone.
    """

    scale: str
    low: float
    median: float
    high: float
    coverage: float
    games: int
    moves: int
    games_with_human_model: int
    with_pairing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveEvidence:
    """How one move speaks for or against its player, in the eyes of the human-move model.

    `log_likelihood_ratio` (natural logarithm): how much likelier the move is from a player of
    the higher of an `Explanation`'s two ratings than from one of the lower. Positive speaks for
    the higher, negative for the lower.
    """

    ply: int
    log_likelihood_ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEvidence:
    """The sum of what `moves` moves of one phase say."""

    phase: Phase
    moves: int
    log_likelihood_ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What spoke for and against the middle of one side's range in one game.

    It compares players of two ratings, 600 apart around it, as far as the human-move model
    knows players (600 to 2600). `moves` are those with a choice, after the first plies, in
    order of play; `phases` those that have any of them.
    `for_higher` and `for_lower` are the strongest either way, strongest first. It is the
    larger part of what the range is made of, not all: Stockfish and clocks are not in it.
    """

    lower_rating: int
    higher_rating: int
    moves: tuple[MoveEvidence, ...]
    for_higher: tuple[MoveEvidence, ...]
    for_lower: tuple[MoveEvidence, ...]
    phases: tuple[PhaseEvidence, ...]


# --- the report ----------------------------------------------------------------------------


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

    def side(self, color: Color) -> SideReport:
        """One side of the game."""
        return self.white if color == "white" else self.black


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
