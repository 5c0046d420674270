"""Both views of one speed, as they stand on the web application's pages."""

from __future__ import annotations

from dataclasses import dataclass

from config.language import _, ngettext
from config.localized import number_text
from pipeline.records import NoEstimate, SpeedReport
from reports.statements import counted_games
from reports.svg import Interval, range_chart
from reports.terms import scale_name, speed_name
from reports.verdict import verdict
from reports.words import coverage_text


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedView:
    """Both views of one speed; `chart` is SVG that we made, "" without any range."""

    speed: str
    games: str
    verdict: str
    chart: str
    fine: str


def speed_view(speed: SpeedReport) -> SpeedView:
    """In the words and with the chart of the whole report."""
    intervals = _intervals(speed)
    chart = (
        range_chart(
            intervals,
            speed.rating_last,
            scale=scale_name(speed.scale),
            key=f"ranges-{speed_name(speed.speed)}",
        )
        if intervals
        else ""
    )
    return SpeedView(
        speed=speed_name(speed.speed),
        games=games_text(speed.games),
        verdict=verdict(speed),
        chart=chart,
        fine=_("{scale} scale; {counted}.").format(
            scale=scale_name(speed.scale), counted=counted_games(speed)
        ),
    )


def _intervals(speed: SpeedReport) -> tuple[Interval, ...]:
    """Those on the speed's own scale: only they share an axis with its rating."""
    found = []
    result, strength = speed.result, speed.strength
    if not isinstance(result, NoEstimate) and result.scale == speed.scale:
        found.append(
            Interval(
                kind="results",
                label=_("Your results"),
                note=_range_note(result.coverage),
                low=result.performance_low,
                high=result.performance_high,
            )
        )
    if not isinstance(strength, NoEstimate) and strength.scale == speed.scale:
        found.append(
            Interval(
                kind="moves",
                label=_("Your moves"),
                note=_range_note(strength.coverage),
                low=strength.low,
                high=strength.high,
            )
        )
    return tuple(found)


def _range_note(coverage: float) -> str:
    return _("{coverage} range").format(coverage=coverage_text(coverage))


def games_text(number: int) -> str:
    """`12 games`."""
    return ngettext("{games} game", "{games} games", number).format(games=number_text(number))
