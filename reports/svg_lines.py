"""Two small lines over one axis of time, as large as a word: sparklines, as SVG text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_WIDTH, _HEIGHT, _EDGE = 120, 28, 2

Point = tuple[float, float]
"""Seconds since 1970, a rating."""


def sparkline(results: Sequence[Point], moves: Sequence[Point], *, title: str) -> str:
    """Both views over time, oldest first; empty where neither has two points.

    Colours come from the page's style sheet, by the classes `results` and `moves`.
    """
    lines = {"results": results, "moves": moves}
    drawn = {kind: points for kind, points in lines.items() if len(points) > 1}
    if not drawn:
        return ""
    every = [point for points in drawn.values() for point in points]
    times, ratings = [t for t, _ in every], [r for _, r in every]
    paths = "".join(
        f'<path d="M{_path(points, times, ratings)}" class="line {kind}"/>'
        for kind, points in drawn.items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="spark" width="{_WIDTH}" '
        f'height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"><title>{escape(title)}</title>'
        f"{paths}</svg>"
    )


def _path(points: Sequence[Point], times: list[float], ratings: list[float]) -> str:
    return "L".join(
        f"{_place(at, times, _WIDTH)} {_HEIGHT - _place(rating, ratings, _HEIGHT):g}"
        for at, rating in points
    )


def _place(value: float, values: list[float], length: int) -> float:
    """Within the edges; in the middle where all values are the same."""
    low, high = min(values), max(values)
    share = (value - low) / (high - low) if high > low else 0.5
    return round(_EDGE + share * (length - 2 * _EDGE), 1)
