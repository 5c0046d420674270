"""Points won and lost as bars from a middle line, with their intervals, as SVG text."""

from __future__ import annotations

import math
from html import escape

from pipeline.records import Measured, PointsPart
from reports.difference_words import interval_text, part_name, points_text
from reports.svg_shell import anchor, svg_text

_ROW_PX = 44
_BAR_TOP_PX = 21
_BAR_PX = 10
_AXIS_PX = 20
_MOST_TICKS = 5


def points_chart(parts: tuple[PointsPart, ...], *, title: str, key: str) -> str:
    """A bar for each part, to the right what was won; a thin line is its interval.

    Positions are percentages, so that the chart takes any width with its letters unscaled.
    `key` makes its ids unique on the page. Empty text without any part.
    """
    if not parts:
        return ""
    step = _step(parts)
    reach = step * math.ceil(_farthest(parts) / step)
    height = _ROW_PX * len(parts)
    content = _ticks(reach, step, height) + "".join(
        _row(part, reach, _ROW_PX * row) for row, part in enumerate(parts)
    )
    return svg_text(
        f'class="points" width="100%" height="{height + _AXIS_PX}"',
        title=title,
        description=_description(parts),
        key=key,
        content=content,
    )


def _description(parts: tuple[PointsPart, ...]) -> str:
    return " ".join(f"{part_name(part.part)}: {_value(part)}." for part in parts)


def _value(part: PointsPart) -> str:
    said = points_text(part.points)
    interval = part.interval
    return f"{said} ({interval_text(interval)})" if isinstance(interval, Measured) else said


def _farthest(parts: tuple[PointsPart, ...]) -> float:
    ends = [abs(part.points) for part in parts]
    for part in parts:
        if isinstance(part.interval, Measured):
            ends += [abs(part.interval.low), abs(part.interval.high)]
    return max(max(ends), 0.5)


def _step(parts: tuple[PointsPart, ...]) -> float:
    """1, 2 or 5 times a power of ten, for few ticks."""
    least = 2 * _farthest(parts) / _MOST_TICKS
    power = 10 ** math.floor(math.log10(least))
    return float(next(power * size for size in (1, 2, 5, 10) if power * size >= least))


def _row(part: PointsPart, reach: float, top_px: int) -> str:
    middle_px = top_px + _BAR_TOP_PX + _BAR_PX // 2
    end = _percent(part.points, reach)
    left, width = min(50.0, end), abs(end - 50)
    kind = "won" if part.points > 0 else "lost"
    return (
        f'<text x="0" y="{top_px + 14}" class="label">{escape(part_name(part.part))}</text>'
        f'<text x="100%" y="{top_px + 14}" class="value" text-anchor="end">'
        f"{escape(_value(part))}</text>"
        f'<rect x="{left:.2f}%" y="{top_px + _BAR_TOP_PX}" width="{width:.2f}%" '
        f'height="{_BAR_PX}" class="bar {kind}"/>' + _whisker(part, reach, middle_px)
    )


def _whisker(part: PointsPart, reach: float, middle_px: int) -> str:
    if not isinstance(part.interval, Measured):
        return ""
    low, high = _percent(part.interval.low, reach), _percent(part.interval.high, reach)
    ends = "".join(
        f'<line x1="{end:.2f}%" x2="{end:.2f}%" y1="{middle_px - 4}" y2="{middle_px + 4}"/>'
        for end in (low, high)
    )
    return (
        f'<g class="whisker"><line x1="{low:.2f}%" x2="{high:.2f}%" y1="{middle_px}" '
        f'y2="{middle_px}"/>{ends}</g>'
    )


def _ticks(reach: float, step: float, height_px: int) -> str:
    steps = round(reach / step)
    ticks = []
    for number in range(-steps, steps + 1):
        left = _percent(number * step, reach)
        kind = "zero" if number == 0 else "grid"
        ticks.append(
            f'<line x1="{left:.2f}%" x2="{left:.2f}%" y1="18" y2="{height_px}" class="{kind}"/>'
            f'<text x="{left:.2f}%" y="{height_px + 15}" class="tick" '
            f'text-anchor="{anchor(left, 2)}">'
            f"{points_text(number * step, 0 if step >= 1 else 1)}</text>"
        )
    return "".join(ticks)


def _percent(points: float, reach: float) -> float:
    return 50 + 50 * points / reach
