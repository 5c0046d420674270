"""Two small charts as SVG text, each with a title and a description for those who do not
see it. Colours come from the page's style sheet through class names.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from config.language import _
from config.localized import number_text
from engines.evals import Color
from pipeline.records import Judgement, MoveScore
from reports.svg_shell import anchor, svg_text
from reports.terms import white_win_percent
from reports.words import percent_text, range_text, rating_text

_MOST_TICKS = 6
_ROW_PX = 46
_BAR_TOP_PX = 22
_BAR_PX = 10
_AXIS_PX = 22
_MARKER_PX = 22
_MARKED_JUDGEMENTS = (Judgement.MISTAKE, Judgement.BLUNDER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A range of ratings to draw: `kind` is its CSS class, `note` follows its label."""

    kind: str
    label: str
    note: str
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A stretch of ratings, from tick to tick."""

    low: int
    high: int
    step: int

    def percent(self, rating: float) -> float:
        """Where `rating` lies from left (0) to right (100)."""
        return round(100 * (rating - self.low) / (self.high - self.low), 2)

    def ticks(self) -> range:
        """The ratings that are written at the axis, both ends included."""
        return range(self.low, self.high + 1, self.step)


# --- the two views over one rating axis ----------------------------------------------------


def range_chart(
    intervals: tuple[Interval, ...], rating: int | None, *, scale: str, key: str
) -> str:
    """The intervals as bars over one rating axis, and a mark at the Lichess rating.

    Positions are percentages, so that the chart takes any width with its letters unscaled.
    `key` makes its ids unique on the page. ValueError without any interval.
    """
    axis = rating_axis([*_ends(intervals), *([] if rating is None else [float(rating)])])
    top_px = 0 if rating is None else _MARKER_PX
    rows = [(top_px + _ROW_PX * row, interval) for row, interval in enumerate(intervals)]
    axis_px = top_px + _ROW_PX * len(intervals)
    description = [
        _("{label}: {range}, {note}.").format(
            label=i.label, range=range_text(i.low, i.high), note=i.note
        )
        for i in intervals
    ]
    if rating is not None:
        description.append(_("Lichess rating: {rating}.").format(rating=rating_text(rating)))
    parts = [_labels(interval, row_px) + _bar(axis, interval, row_px) for row_px, interval in rows]
    parts.append(_ticks(axis, axis_px))
    if rating is not None:
        parts.append(_marker(axis, rating, [row_px for row_px, _ in rows]))
    return svg_text(
        f'class="ranges" width="100%" height="{axis_px + _AXIS_PX}"',
        title=_("Ranges on the {scale} scale").format(scale=scale),
        description=" ".join(description),
        key=key,
        content="".join(parts),
    )


def rating_axis(ratings: list[float]) -> Axis:
    """An axis on round numbers around all of `ratings`, with at most six ticks."""
    low, high = min(ratings), max(ratings)
    step = 50
    while _steps(low, high, step) >= _MOST_TICKS:
        step *= 2
    start = math.floor((low - 1) / step) * step
    return Axis(low=start, high=start + step * _steps(low, high, step), step=step)


def _steps(low: float, high: float, step: int) -> int:
    return math.ceil((high + 1) / step) - math.floor((low - 1) / step)


def _ends(intervals: tuple[Interval, ...]) -> list[float]:
    return [end for interval in intervals for end in (interval.low, interval.high)]


def _bar(axis: Axis, interval: Interval, top_px: int) -> str:
    left = axis.percent(interval.low)
    width = round(axis.percent(interval.high) - left, 2)
    bar_px = top_px + _BAR_TOP_PX
    return (
        f'<rect x="0" y="{bar_px}" width="100%" height="{_BAR_PX}" rx="5" class="track"/>'
        f'<rect x="{left}%" y="{bar_px}" width="{width}%" height="{_BAR_PX}" rx="5" '
        f'class="bar {escape(interval.kind)}"/>'
    )


def _labels(interval: Interval, top_px: int) -> str:
    return (
        f'<text x="0" y="{top_px + 14}" class="label">{escape(interval.label)}'
        f'<tspan class="note" dx="8">{escape(interval.note)}</tspan></text>'
        f'<text x="100%" y="{top_px + 14}" class="value" text-anchor="end">'
        f"{range_text(interval.low, interval.high)}</text>"
    )


def _ticks(axis: Axis, top_px: int) -> str:
    ticks = []
    for tick in axis.ticks():
        left = axis.percent(tick)
        ticks.append(
            f'<text x="{left}%" y="{top_px + 12}" class="tick" '
            f'text-anchor="{anchor(left, 2)}">{number_text(tick)}</text>'
        )
    return "".join(ticks)


def _marker(axis: Axis, rating: int, rows_px: list[int]) -> str:
    """The rating's name at the top and a stroke over every bar; the labels stay clear."""
    left = axis.percent(rating)
    strokes = [(17, 22)]
    strokes += [(px + _BAR_TOP_PX - 4, px + _BAR_TOP_PX + _BAR_PX + 4) for px in rows_px]
    lines = (
        f'<line x1="{left}%" x2="{left}%" y1="{top}" y2="{end}" class="marker"/>'
        for top, end in strokes
    )
    label = _("Lichess rating {rating}").format(rating=rating_text(rating))
    return (
        "".join(lines)
        + f'<text x="{left}%" y="12" class="marker-label" text-anchor="{anchor(left, 25)}">'
        f"{escape(label)}</text>"
    )


# --- White's chances through a game --------------------------------------------------------


def win_chart(moves: tuple[MoveScore, ...], *, key: str) -> str:
    """White's win percent after each move: White's share below the line, Black's above.

    Gaps stay where moves were not evaluated; mistakes and blunders carry a dot.
    Empty text when there is no move to draw.
    """
    if not moves:
        return ""
    first, last = moves[0].ply - 1, moves[-1].ply
    runs = _unbroken_runs(moves)
    return svg_text(
        f'class="chances" viewBox="{first} 0 {last - first} 100" preserveAspectRatio="none"',
        title=_("White's win percent through the game"),
        description=_win_description(moves),
        key=key,
        content=(
            f'<rect x="{first}" y="0" width="{last - first}" height="100" class="ground"/>'
            + "".join(_run(run) for run in runs)
            + f'<path d="M{first} 50H{last}" class="middle"/>'
            + _dots(moves)
        ),
    )


def _unbroken_runs(moves: tuple[MoveScore, ...]) -> list[list[MoveScore]]:
    runs = [[moves[0]]]
    for before, move in pairwise(moves):
        if move.ply == before.ply + 1:
            runs[-1].append(move)
        else:
            runs.append([move])
    return runs


def _run(run: list[MoveScore]) -> str:
    start = run[0]
    before = start.win_percent_before
    points = [(start.ply - 1, before if start.color == "white" else 100 - before)]
    points += [(move.ply, white_win_percent(move)) for move in run]
    heights = [(ply, round(100 - win)) for ply, win in points]
    # Each step from the one before: a report has a hundred such lines.
    steps = " ".join(f"1 {after - before}" for (_, before), (_, after) in pairwise(heights))
    line = f"M{heights[0][0]} {heights[0][1]}l{steps}".replace(" -", "-")
    return (
        f'<path d="{line}V100H{heights[0][0]}Z" class="white-share"/>'
        f'<path d="{line}" class="line"/>'
    )


def _dots(moves: tuple[MoveScore, ...]) -> str:
    # A line of no length with round ends stays a circle when the chart is stretched.
    return "".join(
        f'<path d="M{move.ply} {100 - white_win_percent(move):.0f}h0" '
        f'class="dot {move.judgement.value}"/>'
        for move in moves
        if move.judgement in _MARKED_JUDGEMENTS
    )


def _win_description(moves: tuple[MoveScore, ...]) -> str:
    wins = [white_win_percent(move) for move in moves]
    return _(
        "From {first} after the first evaluated move to {last} after the last; lowest {lowest}, "
        "highest {highest}. Blunders: White {white}, Black {black}."
    ).format(
        first=percent_text(wins[0]),
        last=percent_text(wins[-1]),
        lowest=percent_text(min(wins)),
        highest=percent_text(max(wins)),
        white=_blunders(moves, "white"),
        black=_blunders(moves, "black"),
    )


def _blunders(moves: tuple[MoveScore, ...], color: Color) -> int:
    return sum(move.color == color and move.judgement is Judgement.BLUNDER for move in moves)
