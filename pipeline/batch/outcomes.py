"""A player's report -> what the batch keeps and tells of it."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.batch.alerts import alerts_of
from pipeline.records import (
    NoEstimate,
    PlayerReport,
    ResultEstimate,
    SpeedReport,
    SpeedTrends,
    StrengthRange,
    Trend,
    TrendDifference,
)
from pipeline.records.trends import TrendPoint
from pipeline.store.batch_records import LinePoint, PlayerOutcome, PointsRange, SpeedOutcome

LINE_POINTS = 48
"""Enough for a line as wide as a word."""


def outcome_of(
    report: PlayerReport, *, stem: str, alert_probability: float, alert_days: int
) -> PlayerOutcome:
    """What is kept of a report that was written as `stem`."""
    found = alerts_of(report, probability=alert_probability, days=alert_days)
    return PlayerOutcome(
        player=report.player,
        file_stem=stem,
        state="reported",
        made_at=report.created_at,
        games=len(report.games),
        set_aside=len(report.set_aside),
        speeds=tuple(map(_speed_outcome, report.speeds)),
        alerts=tuple(found),
    )


def _speed_outcome(speed: SpeedReport) -> SpeedOutcome:
    result = speed.result if isinstance(speed.result, ResultEstimate) else None
    trends = speed.trends if isinstance(speed.trends, SpeedTrends) else None
    difference = trends.difference if trends else None
    parted = difference if isinstance(difference, TrendDifference) else None
    return SpeedOutcome(
        speed=speed.speed,
        scale=speed.scale,
        games=speed.games,
        first_game_at=speed.first_game_at,
        last_game_at=speed.last_game_at,
        rating_last=speed.rating_last,
        score=result.score_with_expectation if result else None,
        expected_score=round(result.expected_score, 3) if result else None,
        results=_results(result) if result else None,
        moves=_range(speed.strength) if isinstance(speed.strength, StrengthRange) else None,
        difference=_range(parted) if parted else None,
        moves_above_probability=round(parted.moves_above_probability, 4) if parted else None,
        accuracy_percent=_percent(speed.accuracy_percent),
        results_line=_line(trends.results) if trends else (),
        moves_line=_line(trends.moves) if trends else (),
    )


def _results(result: ResultEstimate) -> PointsRange:
    return PointsRange(
        low=round(result.performance_low, 1),
        median=round(result.performance_rating, 1),
        high=round(result.performance_high, 1),
        coverage=result.coverage,
    )


def _range(found: StrengthRange | TrendDifference) -> PointsRange:
    return PointsRange(
        low=round(found.low, 1),
        median=round(found.median, 1),
        high=round(found.high, 1),
        coverage=found.coverage,
    )


def _percent(percent: float | None) -> float | None:
    return None if percent is None else round(percent, 2)


def _line(view: Trend | NoEstimate) -> tuple[LinePoint, ...]:
    if not isinstance(view, Trend):
        return ()
    return tuple(LinePoint(at=p.at, rating=round(p.median, 1)) for p in _thinned(view.points))


def _thinned(points: Sequence[TrendPoint]) -> Sequence[TrendPoint]:
    """Evenly chosen, the first and the last among them."""
    if len(points) <= LINE_POINTS:
        return points
    last = len(points) - 1
    return [points[round(place * last / (LINE_POINTS - 1))] for place in range(LINE_POINTS)]
