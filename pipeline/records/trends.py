"""How strength went over time, by results and by moves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from pipeline.records.results import NoEstimate

TrendStep: TypeAlias = Literal["day", "game"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendPoint:
    """A range for one day or one game: `low` to `high` holds the truth with the coverage.

    Rating points; `median` halves the probability. `games` were counted on that day, 0 within
    a gap between games. `at` is the time of the day's first game.
    """

    at: datetime
    low: float
    median: float
    high: float
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """Strength over time on `scale`, oldest first; each point's range covers `coverage`.

    The ranges are pointwise: each of them, not all at once. `walk_points` is by how many rating
    points (a standard deviation) the strength was found to wander in a year, or in 400 games
    where a step is a game.
    """

    scale: str
    coverage: float
    games: int
    walk_points: float
    points: tuple[TrendPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendDifference:
    """Strength by moves less strength by results, in rating points.

    `low`, `median`, `high` are of the whole period, over the `games` that both views count;
    `points` are over time. `moves_above_probability` (0 to 1) is that of the moves standing
    above the results over the whole period, a style that the model misreads allowed for.
    """

    coverage: float
    games: int
    low: float
    median: float
    high: float
    moves_above_probability: float
    points: tuple[TrendPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPoint:
    """The rating that Lichess gave before a game."""

    at: datetime
    rating: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedTrends:
    """Both views over time at one speed, and Lichess's own rating, oldest first."""

    scale: str
    step: TrendStep
    results: Trend | NoEstimate
    moves: Trend | NoEstimate
    difference: TrendDifference | NoEstimate
    ratings: tuple[RatingPoint, ...]
