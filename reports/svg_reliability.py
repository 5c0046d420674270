"""How far stated probabilities hold, as an SVG file of its own: one square a speed."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pipeline.strength.evaluation import Evaluation
from pipeline.strength.reliability import LevelReached, Reliability
from reports.terms import speed_name

_SHOWN = "steady"
_SIDE_PX, _MARGIN_PX, _TOP_PX, _GAP_PX = 300, 60, 60, 70
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_POOL_SIZES = (1, 10)
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#333}.title{font-size:16px}.small{font-size:11px}"
    ".frame{fill:none;stroke:#999}.ideal{stroke:#999;stroke-dasharray:4 4}"
    ".games-1{stroke:#1f6fb2}.games-10{stroke:#c2571a}path{fill:none;stroke-width:2}"
    "circle.games-1,text.games-1{fill:#1f6fb2}circle.games-10,text.games-10{fill:#c2571a}"
    ".note{stroke:none}"
)


def reliability_chart(evaluation: Evaluation) -> str:
    """A line for single games and one for pools of ten, on the diagonal where all is true.

    From left to right the stated probability, upwards how often it came true, with bars of one
    standard error. Steady ratings only.
    """
    found = [r for r in evaluation.reliability if r.selection == _SHOWN]
    speeds = list(dict.fromkeys(r.speed for r in found))
    width = _MARGIN_PX + max(len(speeds), 1) * (_SIDE_PX + _GAP_PX)
    height = _TOP_PX + _SIDE_PX + _MARGIN_PX
    panels = (
        _panel(speed, [r for r in found if r.speed == speed], _MARGIN_PX + i * (_SIDE_PX + _GAP_PX))
        for i, speed in enumerate(speeds)
    )
    title = f"Reliability of the ranges of {evaluation.model_name}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" aria-labelledby="title desc">'
        f'<title id="title">{escape(title)}</title>'
        f'<desc id="desc">{escape(_description(found))}</desc><style>{_STYLE}</style>'
        f'<rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="{_MARGIN_PX}" y="22" class="title">{escape(title)}</text>'
        + "".join(panels)
        + "</svg>"
    )


def _description(found: Sequence[Reliability]) -> str:
    """The same in words."""
    return " ".join(
        f"{speed_name(r.speed)}, {_games(r)}: the rating lies below the "
        + ", ".join(f"{level.level:.0%} level in {level.below.value:.0%}" for level in r.levels)
        + "."
        for r in found
        if r.games_per_pool in _POOL_SIZES
    )


def _games(reliability: Reliability) -> str:
    return "one game" if reliability.games_per_pool == 1 else f"{reliability.games_per_pool} games"


def _panel(speed: str, found: Sequence[Reliability], left_px: int) -> str:
    lines = [r for r in found if r.games_per_pool in _POOL_SIZES]
    return (
        f'<g transform="translate({left_px} {_TOP_PX})">'
        f'<text x="0" y="-10">{escape(speed_name(speed))}</text>'
        f'<rect width="{_SIDE_PX}" height="{_SIDE_PX}" class="frame"/>'
        f'<line x1="0" y1="{_SIDE_PX}" x2="{_SIDE_PX}" y2="0" class="ideal"/>'
        + _axes()
        + "".join(_line(r) for r in lines)
        + "".join(_legend(row, r) for row, r in enumerate(lines))
        + "</g>"
    )


def _axes() -> str:
    ticks = "".join(
        f'<text x="{_x(tick)}" y="{_SIDE_PX + 16}" class="small" text-anchor="middle">{tick:.0%}'
        f'</text><text x="-6" y="{_y(tick) + 4}" class="small" text-anchor="end">{tick:.0%}</text>'
        for tick in _TICKS
    )
    return ticks + (
        f'<text x="{_SIDE_PX / 2}" y="{_SIDE_PX + 36}" class="small" text-anchor="middle">'
        "stated probability that the rating is lower</text>"
        f'<text transform="translate(-44 {_SIDE_PX / 2}) rotate(-90)" class="small" '
        'text-anchor="middle">how often it was lower</text>'
    )


def _line(reliability: Reliability) -> str:
    points = "L".join(f"{_x(p.level)} {_y(p.below.value)}" for p in reliability.levels)
    name = f"games-{reliability.games_per_pool}"
    return f'<path d="M{points}" class="{name}"/>' + "".join(
        _error_bar(level, name) for level in reliability.levels
    )


def _error_bar(reached: LevelReached, name: str) -> str:
    error = reached.below.standard_error or 0.0
    low, high = _y(reached.below.value - error), _y(reached.below.value + error)
    x = _x(reached.level)
    return (
        f'<line x1="{x}" x2="{x}" y1="{low}" y2="{high}" class="{name}"/>'
        f'<circle cx="{x}" cy="{_y(reached.below.value)}" r="3" class="{name}"/>'
    )


def _legend(row: int, reliability: Reliability) -> str:
    return (
        f'<text x="10" y="{20 + 18 * row}" class="note games-{reliability.games_per_pool}">'
        f"{_games(reliability)} ({reliability.pools:,})</text>"
    )


def _x(share: float) -> float:
    return round(share * _SIDE_PX, 1)


def _y(share: float) -> float:
    return round((1 - share) * _SIDE_PX, 1)
