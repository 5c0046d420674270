"""Strength over time as two SVG charts over one axis of time: the two views, their difference.

The curves are stretched to the width of the page, the letters are not. Colours come from the
page's style sheet through class names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from html import escape
from typing import TypeVar

from config.language import _
from pipeline.records import RatingPoint, SpeedTrends, Trend, TrendDifference, TrendPoint
from reports.dates import localized_date
from reports.difference_words import points_text
from reports.svg import Axis, rating_axis
from reports.svg_shell import svg_text
from reports.words import range_text, rating_text, rounded_to_ten

_MOST_POINTS = 240
_VIEWS_PX, _DIFFERENCE_PX = 260, 140
_TOP_PX, _DATES_PX = 18, 22
_STRETCH = 1000

_Point = TypeVar("_Point")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """Where times and values lie: both from 0 to `_STRETCH`, values downwards."""

    start: float
    end: float
    axis: Axis

    def x(self, at: datetime) -> float:
        share = (at.timestamp() - self.start) / (self.end - self.start)
        return round(_STRETCH * share, 1)

    def y(self, value: float) -> float:
        return round(_STRETCH * (1 - self.axis.percent(value) / 100), 1)


def views_chart(trends: SpeedTrends, zone: tzinfo, *, scale: str, key: str) -> str:
    """Both bands with their medians, and Lichess's rating as a thin line; empty without a view.

    `key` makes its ids unique on the page. Days are those of `zone`.
    """
    drawn = [(kind, thinned(view.points)) for kind, view in _views(trends)]
    if not drawn:
        return ""
    ratings = thinned(trends.ratings)
    values = [end for _kind, points in drawn for p in points for end in (p.low, p.high)]
    frame = _frame(_times(trends), rating_axis([*values, *(float(r.rating) for r in ratings)]))
    curves = "".join(_band(frame, points, kind) for kind, points in drawn)
    curves += "".join(_median(frame, points, kind) for kind, points in drawn)
    curves += _rating_line(frame, ratings)
    return _chart(
        frame,
        curves,
        zone,
        height_px=_VIEWS_PX,
        title=_("Strength over time on the {scale} scale").format(scale=scale),
        description=_views_description(trends, zone),
        key=key,
    )


def difference_chart(trends: SpeedTrends, zone: tzinfo, *, key: str) -> str:
    """The moves' lead over the results with its band, over the same time; empty without one."""
    if not isinstance(trends.difference, TrendDifference):
        return ""
    points = thinned(trends.difference.points)
    ends = [end for p in points for end in (p.low, p.high)]
    frame = _frame(_times(trends), rating_axis([*ends, 0.0]))
    zero = f'<path d="M0 {frame.y(0)}H{_STRETCH}" class="zero"/>'
    return _chart(
        frame,
        _band(frame, points, "lead") + zero + _median(frame, points, "lead"),
        zone,
        height_px=_DIFFERENCE_PX,
        title=_("Moves less results over time"),
        description=_difference_description(points, zone),
        key=key,
        signed=True,
    )


def thinned(points: Sequence[_Point], most: int = _MOST_POINTS) -> Sequence[_Point]:
    """At most so many of them, evenly chosen, the first and the last among them."""
    if len(points) <= most:
        return points
    return [points[round(place * (len(points) - 1) / (most - 1))] for place in range(most)]


def signed_text(points: float) -> str:
    """`+40`, `−160`, `0`: rounded to 10, with a true minus sign."""
    return points_text(rounded_to_ten(points), 0)


def _views(trends: SpeedTrends) -> Iterator[tuple[str, Trend]]:
    for kind, view in (("results", trends.results), ("moves", trends.moves)):
        if isinstance(view, Trend):
            yield kind, view


def _times(trends: SpeedTrends) -> list[datetime]:
    views = (trends.results, trends.moves)
    return [point.at for view in views if isinstance(view, Trend) for point in view.points]


def _frame(times: list[datetime], axis: Axis) -> _Frame:
    start, end = min(times).timestamp(), max(times).timestamp()
    return _Frame(start=start, end=max(end, start + 1), axis=axis)


# --- curves --------------------------------------------------------------------------------


def _band(frame: _Frame, points: Sequence[TrendPoint], kind: str) -> str:
    above = [f"{frame.x(p.at)} {frame.y(p.high)}" for p in points]
    below = [f"{frame.x(p.at)} {frame.y(p.low)}" for p in reversed(points)]
    return f'<path d="M{"L".join([*above, *below])}Z" class="band {kind}"/>'


def _median(frame: _Frame, points: Sequence[TrendPoint], kind: str) -> str:
    line = "L".join(f"{frame.x(p.at)} {frame.y(p.median)}" for p in points)
    return f'<path d="M{line}" class="median {kind}"/>'


def _rating_line(frame: _Frame, ratings: Sequence[RatingPoint]) -> str:
    if not ratings:
        return ""
    line = "L".join(f"{frame.x(r.at)} {frame.y(r.rating)}" for r in ratings)
    return f'<path d="M{line}" class="rating"/>'


# --- axes ----------------------------------------------------------------------------------


def _chart(
    frame: _Frame,
    curves: str,
    zone: tzinfo,
    *,
    height_px: int,
    title: str,
    description: str,
    key: str,
    signed: bool = False,
) -> str:
    heights = [
        (_TOP_PX + _height(frame.axis, tick, height_px), tick) for tick in frame.axis.ticks()
    ]
    grid = "".join(_line(top_px) for top_px, _tick in heights)
    labels = "".join(_label(top_px, tick, signed) for top_px, tick in heights)
    return svg_text(
        f'class="trend" width="100%" height="{_TOP_PX + height_px + _DATES_PX}"',
        title=title,
        description=description,
        key=key,
        content=(
            f'{grid}<svg x="0" y="{_TOP_PX}" width="100%" height="{height_px}" '
            f'viewBox="0 0 {_STRETCH} {_STRETCH}" preserveAspectRatio="none">{curves}</svg>'
            f"{labels}{_dates(frame, height_px, zone)}"
        ),
    )


def _height(axis: Axis, tick: int, height_px: int) -> float:
    return round(height_px * (1 - axis.percent(tick) / 100), 1)


def _line(top_px: float) -> str:
    return f'<line x1="0" x2="100%" y1="{top_px}" y2="{top_px}" class="level"/>'


def _label(top_px: float, tick: int, signed: bool) -> str:
    said = signed_text(tick) if signed else rating_text(tick)
    return f'<text x="0" y="{top_px - 4:g}" class="tick">{said}</text>'


def _dates(frame: _Frame, height_px: int, zone: tzinfo) -> str:
    labels = []
    for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        seconds = frame.start + share * (frame.end - frame.start)
        day = localized_date(datetime.fromtimestamp(seconds, zone).date(), "short")
        labels.append(
            f'<text x="{100 * share:g}%" y="{_TOP_PX + height_px + 16}" class="tick" '
            f'text-anchor="{anchor}">{escape(day)}</text>'
        )
    return "".join(labels)


# --- in words ------------------------------------------------------------------------------


def _views_description(trends: SpeedTrends, zone: tzinfo) -> str:
    names = {"results": _("Results"), "moves": _("Moves")}
    said = [
        _("{view}: {first} on {first_day}, {last} on {last_day}.").format(
            view=names[kind],
            first=range_text(view.points[0].low, view.points[0].high),
            first_day=_day_of(view.points[0].at, zone),
            last=range_text(view.points[-1].low, view.points[-1].high),
            last_day=_day_of(view.points[-1].at, zone),
        )
        for kind, view in _views(trends)
    ]
    if trends.ratings:
        first, last = trends.ratings[0].rating, trends.ratings[-1].rating
        said.append(
            _("Lichess rating: {first} at first, {last} at last.").format(
                first=rating_text(first), last=rating_text(last)
            )
        )
    return " ".join(said)


def _difference_description(points: Sequence[TrendPoint], zone: tzinfo) -> str:
    first, last = points[0], points[-1]
    return _(
        "From {first_low} to {first_high} points on {first_day}, from {last_low} to {last_high} "
        "points on {last_day}."
    ).format(
        first_low=signed_text(first.low),
        first_high=signed_text(first.high),
        first_day=_day_of(first.at, zone),
        last_low=signed_text(last.low),
        last_high=signed_text(last.high),
        last_day=_day_of(last.at, zone),
    )


def _day_of(at: datetime, zone: tzinfo) -> str:
    return localized_date(at.astimezone(zone).date(), "long")
