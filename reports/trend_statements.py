"""What the trends say in sentences, and the table behind their charts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo
from typing import TypeAlias

from config.language import _
from config.localized import number_text
from pipeline.records import (
    NoEstimate,
    SpeedReport,
    SpeedTrends,
    Trend,
    TrendDifference,
    TrendPoint,
)
from reports.counts import counted
from reports.lines import ABSENT
from reports.svg_trends import difference_chart, signed_text, thinned, views_chart
from reports.terms import scale_name, speed_name
from reports.words import (
    coverage_text,
    date_text,
    probability_text,
    range_text,
    reason_text,
    rounded_to_ten,
)

_MOST_ROWS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendRow:
    """One day of the table."""

    day: str
    games: str
    results: str
    moves: str
    difference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendSection:
    """All that a page shows of one speed's trends; charts are SVG, empty where there are none."""

    speed: str
    sentences: tuple[str, ...]
    coverage: str
    views_chart: str
    difference_chart: str
    has_results: bool
    has_moves: bool
    has_ratings: bool
    rows: tuple[TrendRow, ...]
    points: int


def trend_section(speed: SpeedReport, zone: tzinfo) -> TrendSection:
    """Days are those of `zone`; long tables are thinned evenly."""
    trends = speed.trends
    if isinstance(trends, NoEstimate):
        return _without_charts(speed)
    rows = _rows(trends, zone)
    return TrendSection(
        speed=speed_name(speed.speed),
        sentences=trend_sentences(trends),
        coverage=_coverage(trends),
        views_chart=views_chart(
            trends, zone, scale=scale_name(trends.scale), key=f"trend-{speed.speed}"
        ),
        difference_chart=difference_chart(trends, zone, key=f"difference-{speed.speed}"),
        has_results=isinstance(trends.results, Trend),
        has_moves=isinstance(trends.moves, Trend),
        has_ratings=bool(trends.ratings),
        rows=tuple(thinned(rows, _MOST_ROWS)),
        points=len(rows),
    )


def trend_sentences(trends: SpeedTrends | NoEstimate) -> tuple[str, ...]:
    """How strength went by each view, and how far the two differ; a reason where there is none."""
    if isinstance(trends, NoEstimate):
        return (_("There is no line over time: {reason}.").format(reason=reason_text(trends)),)
    said = (_way(trends.results, trends.moves), _lead(trends))
    return tuple(sentence for sentence in said if sentence)


def _without_charts(speed: SpeedReport) -> TrendSection:
    return TrendSection(
        speed=speed_name(speed.speed),
        sentences=trend_sentences(speed.trends),
        coverage="",
        views_chart="",
        difference_chart="",
        has_results=False,
        has_moves=False,
        has_ratings=False,
        rows=(),
        points=0,
    )


def _way(results: Trend | NoEstimate, moves: Trend | NoEstimate) -> str:
    if isinstance(results, Trend) and isinstance(moves, Trend):
        return _(
            "From the first day to the last, your results went from {results_first} to "
            "{results_last}, your moves from {moves_first} to {moves_last}."
        ).format(
            results_first=_range(results.points[0]),
            results_last=_range(results.points[-1]),
            moves_first=_range(moves.points[0]),
            moves_last=_range(moves.points[-1]),
        )
    if isinstance(results, Trend):
        return _(
            "From the first day to the last, your results went from {first} to {last}. Your moves "
            "give no line over time: {reason}."
        ).format(**_ends(results), reason=reason_text(moves))
    if isinstance(moves, Trend):
        return _(
            "From the first day to the last, your moves went from {first} to {last}. Your results "
            "give no line over time: {reason}."
        ).format(**_ends(moves), reason=reason_text(results))
    return _("Neither view gives a line over time. Results: {results}. Moves: {moves}.").format(
        results=reason_text(results), moves=reason_text(moves)
    )


def _lead(trends: SpeedTrends) -> str:
    """Over the whole period; empty where a view is missing, of which `_way` tells."""
    found = trends.difference
    if isinstance(found, NoEstimate):
        if isinstance(trends.results, Trend) and isinstance(trends.moves, Trend):
            return _("The two cannot be compared: {reason}.").format(reason=reason_text(found))
        return ""
    low, high = rounded_to_ten(found.low), rounded_to_ten(found.high)
    above = found.moves_above_probability
    games = counted(found.games, "game")
    if low >= 0:
        said = _(
            "Over {games}, your moves stand {low}–{high} points above your results ({coverage} "
            "range); the probability that they really do is {probability}."
        )
    elif high <= 0:
        low, high, above = -high, -low, 1 - above
        said = _(
            "Over {games}, your moves stand {low}–{high} points below your results ({coverage} "
            "range); the probability that they really do is {probability}."
        )
    else:
        low = -low
        said = _(
            "Over {games}, your moves stand between {low} points below and {high} points above "
            "your results ({coverage} range); the probability that they really stand above is "
            "{probability}."
        )
    return said.format(
        games=games,
        low=number_text(low),
        high=number_text(high),
        coverage=coverage_text(found.coverage),
        probability=probability_text(above),
    )


def _range(point: TrendPoint) -> str:
    return range_text(point.low, point.high)


def _ends(trend: Trend) -> dict[str, str]:
    return {"first": _range(trend.points[0]), "last": _range(trend.points[-1])}


def _coverage(trends: SpeedTrends) -> str:
    views = (trends.results, trends.moves)
    return coverage_text(*(view.coverage for view in views if isinstance(view, Trend)))


# --- the table -----------------------------------------------------------------------------

_View: TypeAlias = Trend | TrendDifference | NoEstimate


def _rows(trends: SpeedTrends, zone: tzinfo) -> list[TrendRow]:
    views = (trends.results, trends.moves, trends.difference)
    known = next((view.points for view in views if not isinstance(view, NoEstimate)), ())
    return [
        TrendRow(
            day=date_text(point.at, zone),
            games=number_text(max(_games(view, place) for view in views[:2])),
            results=_range_at(trends.results, place),
            moves=_range_at(trends.moves, place),
            difference=_difference_at(trends.difference, place),
        )
        for place, point in enumerate(known)
    ]


def _games(view: _View, place: int) -> int:
    return 0 if isinstance(view, NoEstimate) else view.points[place].games


def _range_at(view: _View, place: int) -> str:
    return ABSENT if isinstance(view, NoEstimate) else _range(view.points[place])


def _difference_at(view: _View, place: int) -> str:
    if isinstance(view, NoEstimate):
        return ABSENT
    point = view.points[place]
    return _("{low} to {high}").format(low=signed_text(point.low), high=signed_text(point.high))
