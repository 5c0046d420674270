"""What somebody may want to look at in a player's trends, as data."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from statistics import NormalDist

from pipeline.records import PlayerReport, SpeedReport, SpeedTrends, Trend, TrendDifference
from pipeline.records.trends import TrendPoint
from pipeline.store.batch_records import Alert, AlertKind

_NORMAL = NormalDist()


def alerts_of(report: PlayerReport, *, probability: float, days: int) -> Iterator[Alert]:
    """Where the two views parted, or one of them moved within so many days.

    Only what is so with `probability` (0.5 to 1) at least. A view's two ends are taken for
    independent: they hang together, so that the true probability is higher, never lower.
    """
    for speed in report.speeds:
        if not isinstance(speed.trends, SpeedTrends):
            continue
        if isinstance(speed.trends.difference, TrendDifference):
            yield from _parted(report, speed, speed.trends.difference, probability)
        views: tuple[tuple[AlertKind, object], ...] = (
            ("moves_moved", speed.trends.moves),
            ("results_moved", speed.trends.results),
        )
        for kind, view in views:
            if isinstance(view, Trend):
                yield from _moved(report, speed, kind, view, probability, days)


def _parted(
    report: PlayerReport, speed: SpeedReport, difference: TrendDifference, least: float
) -> Iterator[Alert]:
    above = difference.moves_above_probability
    if max(above, 1 - above) < least:
        return
    yield Alert(
        kind="views_parted",
        player=report.player,
        speed=speed.speed,
        scale=speed.scale,
        points=round(difference.median, 1),
        low=round(difference.low, 1),
        high=round(difference.high, 1),
        coverage=difference.coverage,
        probability=round(max(above, 1 - above), 4),
        games=difference.games,
        since=speed.first_game_at,
        until=speed.last_game_at,
    )


def _moved(
    report: PlayerReport,
    speed: SpeedReport,
    kind: AlertKind,
    view: Trend,
    least: float,
    days: int,
) -> Iterator[Alert]:
    last = view.points[-1]
    first = _some_time_before(view, days)
    half_width = _NORMAL.inv_cdf(0.5 + view.coverage / 2)
    deviation = (sum(((p.high - p.low) / 2 / half_width) ** 2 for p in (first, last))) ** 0.5
    points = last.median - first.median
    if first is last or not deviation:
        return
    sure = _NORMAL.cdf(abs(points) / deviation)
    if sure < least:
        return
    yield Alert(
        kind=kind,
        player=report.player,
        speed=speed.speed,
        scale=view.scale,
        points=round(points, 1),
        low=round(points - half_width * deviation, 1),
        high=round(points + half_width * deviation, 1),
        coverage=view.coverage,
        probability=round(sure, 4),
        games=sum(p.games for p in view.points if first.at <= p.at),
        since=first.at,
        until=last.at,
    )


def _some_time_before(view: Trend, days: int) -> TrendPoint:
    """The newest point that lies so many days before the last; the first where there is none."""
    start = view.points[-1].at - timedelta(days=days)
    before = [point for point in view.points if point.at <= start]
    return before[-1] if before else view.points[0]
