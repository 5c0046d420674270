"""What became of each player of a batch: kept in the store, told in every summary."""

from __future__ import annotations

from dataclasses import dataclass
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
class SpeedOutcome:
    """Both views of one speed, in rating points on `scale`; None where there is no estimate.

    The ranges cover `results_coverage` and `moves_coverage` (0 to 1). The difference is the
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
    results_low: float | None
    results_rating: float | None
    results_high: float | None
    results_coverage: float | None
    moves_low: float | None
    moves_median: float | None
    moves_high: float | None
    moves_coverage: float | None
    accuracy_percent: float | None
    difference_low: float | None
    difference_median: float | None
    difference_high: float | None
    moves_above_probability: float | None
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
