"""Where a player's results and moves part: the points won and lost, how, and in which games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from pipeline.records.results import NoEstimate


class Ending(Enum):
    """How a game was ended, as far as points can be won or lost by it."""

    CLOCK = "clock"
    RESIGNATION = "resignation"
    DRAW = "draw"
    BOARD = "board"
    UNKNOWN = "unknown"


class Part(Enum):
    """What the difference between score and expectation is divided into."""

    OPENING = "opening"
    MIDDLEGAME = "middlegame"
    ENDGAME = "endgame"
    CLOCK = "clock"
    RESIGNATION = "resignation"
    DRAW = "draw"
    UNKNOWN = "unknown"


class Aspect(Enum):
    """By what games, or moves, are divided into groups."""

    PHASE = "phase"
    TIME_PRESSURE = "time_pressure"
    COLOR = "color"
    OPPONENT = "opponent"
    OPENING = "opening"
    TIME_CONTROL = "time_control"
    GAME_BEFORE = "game_before"
    SESSION = "session"
    HOUR = "hour"
    WEEKDAY = "weekday"


class Figure(Enum):
    """What of a group is compared with the rest of the player's games."""

    RESULT = "result"
    MOVES = "moves"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A figure, and the interval that holds its long-run value with the stated coverage."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingCount:
    """How many of the player's games ended in one way, and how they went."""

    ending: Ending
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsPart:
    """What one part of the games won (above 0) or lost, in points over all counted games.

    `games` are those in which it played a role; the interval is `NoEstimate` where the counted
    games, or those with such an ending, are too few.
    """

    part: Part
    games: int
    points: float
    interval: Measured | NoEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """One side's winning positions, in games: each of `reached` is in one of the others.

    `on_time`: lost on time while still winning; `drawn`: drawn by agreement, repetition or
    claim while still winning; `resigned`: given up (or lost in an unknown way) while still
    winning; `at_the_board`: it was no longer winning at the end, and not won; `won`: all that
    were won.
    """

    reached: int
    won: int
    on_time: int
    drawn: int
    resigned: int
    at_the_board: int

    @property
    def not_won(self) -> int:
        """How many were let go in whatever way."""
        return self.reached - self.won


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedGame:
    """A chance wasted or an escape: `win_percent` (0 to 100, the player's) after `ply`."""

    game_id: str
    url: str | None
    created_at: datetime
    opponent: str | None
    ply: int
    win_percent: float
    score: float
    ending: Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceGroup:
    """Games, or moves, that share something.

    `key` is a stable word (`white`, `endgame`, `3`), or a name from the games (an opening).
    `result` and `end` are points a game: score minus what the ratings, the colour and the usual
    flattening of rating differences foresee, and score minus what the last position was worth.
    `loss_per_move` and `opponents_loss_per_move` are win percent. Each is `NoEstimate` where
    there is too little. `score` and `expected_score` are sums over `games_with_expectation`.
    Groups of moves (phase, time pressure) have neither result nor end.
    """

    aspect: Aspect
    key: str
    games: int
    moves: int
    games_with_expectation: int
    score: float | None
    expected_score: float | None
    accuracy_percent: float | None
    result: Measured | NoEstimate
    loss_per_move: Measured | NoEstimate
    opponents_loss_per_move: Measured | NoEstimate
    end: Measured | NoEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class PartClaim:
    """One way to end games that brings or costs points beyond chance.

    `own` of the `games` ended so to the player's cost (lost on time, resigned, drawn while
    better), `own_winning` of them while winning, at `own_win_percent` on average; `theirs`
    likewise to the opponents' cost, in the opponents' eyes. `rating_points`: what `points` are
    worth in performance rating, `NoEstimate` where that is not honest.
    """

    part: Part
    games: int
    own: int
    own_winning: int
    own_win_percent: float | None
    theirs: int
    their_winning: int
    their_win_percent: float | None
    points: Measured
    rating_points: Measured | NoEstimate
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChancesClaim:
    """Winning positions slip at the board more often, or more rarely, than the opponents' do.

    `points`: what that has brought, against letting slip the same share as the opponents.
    """

    games: int
    own: Chances
    theirs: Chances
    points: Measured
    rating_points: Measured | NoEstimate
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupClaim:
    """One figure of one group that is apart from the player's other games beyond chance.

    `points`: what the difference has brought over the group's games, for `Figure.MOVES` as far
    as win percent are points. `rest`: the same figure in the other games; for `Figure.MOVES`
    the loss per move that there would be if the player stood to the opponents as elsewhere.
    """

    group: DifferenceGroup
    figure: Figure
    rest: float
    points: Measured
    p_value: float


Claim = PartClaim | ChancesClaim | GroupClaim


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """Where the points went, in games at one speed. Points and percents are the player's.

    `games` have a result; `games_counted` of them have both ratings and evaluations to the
    end: the parts are over those, and sum to `score` minus `expected_score`. Intervals have
    `coverage` (0 to 1). `claims` come from `comparisons` comparisons, most of them over
    the `groups`, by a procedure that lets through a false claim in `false_claim_rate` (0 to 1) of
    accounts without any peculiarity; that with most points is first. Groups of fewer than
    `fewest_games` games are not shown, but counted in `groups_too_small`.
    Hours and weekdays are those of `hours_zone`.
    """

    games: int
    games_counted: int
    games_with_evaluations: int
    games_with_clocks: int
    score: float
    expected_score: float
    coverage: float
    endings: tuple[EndingCount, ...]
    parts: tuple[PointsPart, ...]
    own_chances: Chances | NoEstimate
    opponents_chances: Chances | NoEstimate
    best_chance_wasted: TurnedGame | None
    worst_escaped: TurnedGame | None
    groups: tuple[DifferenceGroup, ...]
    groups_too_small: int
    comparisons: int
    fewest_games: int
    false_claim_rate: float
    hours_zone: str
    claims: tuple[Claim, ...]
