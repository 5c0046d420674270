"""Strength over time as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.records import NoEstimate, SpeedTrends, Trend, TrendDifference, TrendPoint
from reports.game_json import Json, rounded, time_text


def trend_fields(trends: SpeedTrends | NoEstimate) -> Json:
    """All points of both views, oldest first, or why there is no line."""
    if isinstance(trends, NoEstimate):
        return {"reason": trends.reason}
    return {
        "scale": trends.scale,
        "step": trends.step,
        "results": _trend(trends.results),
        "moves": _trend(trends.moves),
        "difference": _difference(trends.difference),
        "ratings": [{"at": time_text(r.at), "rating": r.rating} for r in trends.ratings],
    }


def _trend(trend: Trend | NoEstimate) -> Json:
    if isinstance(trend, NoEstimate):
        return {"reason": trend.reason}
    return {
        "scale": trend.scale,
        "coverage": trend.coverage,
        "games": trend.games,
        "walk_points": rounded(trend.walk_points, 1),
        "points": _points(trend.points),
    }


def _difference(difference: TrendDifference | NoEstimate) -> Json:
    if isinstance(difference, NoEstimate):
        return {"reason": difference.reason}
    return {
        "coverage": difference.coverage,
        "games": difference.games,
        "low": rounded(difference.low, 1),
        "median": rounded(difference.median, 1),
        "high": rounded(difference.high, 1),
        "moves_above_probability": rounded(difference.moves_above_probability, 4),
        "points": _points(difference.points),
    }


def _points(points: Sequence[TrendPoint]) -> list[Json]:
    return [
        {
            "at": time_text(point.at),
            "low": rounded(point.low, 1),
            "median": rounded(point.median, 1),
            "high": rounded(point.high, 1),
            "games": point.games,
        }
        for point in points
    ]
