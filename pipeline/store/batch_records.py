"""What became of each player of a batch: kept in the store, told in every summary."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias

OutcomeState: TypeAlias = Literal["reported", "without_games", "failed", "not_reached"]
AlertKind: TypeAlias = Literal["views_parted", "moves_moved", "results_moved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """Something that somebody may want to look at, in rating points on `scale`.

    "views_parted": the moves stand `points` above the results over the whole period (below where
    negative). "moves_moved", "results_moved": that view stands `points` above where it stood at
    `since`. `probability` (0 to 1) is that of the sign being right; `low` to `high` covers
    `coverage`. `until` is the time of the last game.
    """

    kind: AlertKind
    player: str
    speed: str
    scale: str
    points: float
    low: float
    high: float
    coverage: float
    probability: float
    games: int
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePoint:
    """Where a trend's middle was: a rating, at a time."""

    at: datetime
    rating: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsRange:
    """`low` to `high` covers `coverage` (0 to 1), `median` halves it; in rating points."""

    low: float
    median: float
    high: float
    coverage: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedOutcome:
    """Both views of one speed, on `scale`; None where there is no estimate.

    `score` and `expected_score` are sums over the games with an expectation. `difference` is the
    moves' strength less the results', `moves_above_probability` that of it being positive.
    `results_line` and `moves_line` are the two trends, thinned, oldest first.
    """

    speed: str
    scale: str
    games: int
    first_game_at: datetime
    last_game_at: datetime
    rating_last: int | None
    score: float | None
    expected_score: float | None
    results: PointsRange | None
    moves: PointsRange | None
    difference: PointsRange | None
    moves_above_probability: float | None
    accuracy_percent: float | None
    results_line: tuple[LinePoint, ...]
    moves_line: tuple[LinePoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOutcome:
    """What became of one player; times are UTC.

    `sentence` (English, to be `retold`) says why there is no report, "" where there is one.
    `file_stem` is what the player's files are called. `games` are reported on, `set_aside` were
    to be and could not.
    """

    player: str
    file_stem: str
    state: OutcomeState
    sentence: str = ""
    made_at: datetime | None = None
    games: int = 0
    set_aside: int = 0
    speeds: tuple[SpeedOutcome, ...] = ()
    alerts: tuple[Alert, ...] = ()

    @property
    def is_fault(self) -> bool:
        """Whether something stood in the way."""
        return self.state in ("failed", "not_reached")

    def told_briefly(self) -> PlayerOutcome:
        """Without the lines of its trends: of thousands of players, many are held at once."""
        speeds = (replace(speed, results_line=(), moves_line=()) for speed in self.speeds)
        return replace(self, speeds=tuple(speeds), alerts=())


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAccount:
    """One run of a batch, when it is over; times are UTC.

    `states` counts the players by what became of them; `unchanged` of them were so before the run.
    `exit_code` is 0 when all went well, 3 when part of it did, 1 when nothing did. `stopped_by`
    is why the rest was not reached, "" where it was. `told` are new reports and the faults.
    """

    began_at: datetime
    ended_at: datetime
    exit_code: int
    states: tuple[tuple[OutcomeState, int], ...]
    unchanged: int
    new_games: int
    games_reported: int
    stopped_by: str
    told: tuple[PlayerOutcome, ...]

    @property
    def players(self) -> int:
        """All of them."""
        return sum(count for _state, count in self.states)

    @property
    def faults(self) -> tuple[PlayerOutcome, ...]:
        """Those of whom nothing was made although something should have been."""
        return tuple(outcome for outcome in self.told if outcome.is_fault)
