"""One game as one self-contained HTML page: both players, the chart, the moves, the board."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, tzinfo

from config.language import _
from config.version import version
from engines.evals import COLORS, Color
from pipeline.records import GameReport, StrengthRange
from reports.details import game_detail
from reports.explanations import FOR_HIGHER, explanation_note, phase_names
from reports.html_page import rendered
from reports.method import limits
from reports.names import lichess_link, player_name
from reports.svg import Interval, range_chart, win_chart
from reports.terms import scale_name
from reports.words import coverage_text, reason_text, strength_text, zone_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What the moves of one side say; `reason` is empty where there is a range."""

    player: str
    range: str
    scale: str
    reason: str


def game_to_html(game: GameReport, *, zone: tzinfo = UTC, back_href: str | None = None) -> str:
    """The whole page; days are those of `zone`, `back_href` leads to where the reader came from.

    It is seen from the reported player's side, from White's where nobody in particular is
    reported on. `back_href` is the caller's own address, never a stranger's.
    """
    detail, ranges = game_detail(game, zone), _ranges(game)
    return rendered(
        "game.html.j2",
        with_board=detail.board is not None,
        detail=detail,
        chart=win_chart(game.moves, key="chances"),
        ranges_chart=_ranges_chart(ranges),
        sides=[_side(game, color) for color in COLORS],
        seen_from=game.color or "white",
        coverage=coverage_text(*(strength.coverage for strength in ranges.values())),
        for_higher=FOR_HIGHER,
        phase_names=phase_names(),
        explanation_note=explanation_note() if detail.explanations else "",
        limits=limits(),
        link=lichess_link(game.url),
        back_href=back_href,
        movelo_version=version(),
        zone=zone_text(zone, game.created_at),
    )


def _ranges(game: GameReport) -> dict[Color, StrengthRange]:
    found: dict[Color, StrengthRange] = {}
    for color in COLORS:
        said = game.side(color).strength
        if isinstance(said, StrengthRange):
            found[color] = said
    return found


def _ranges_chart(ranges: dict[Color, StrengthRange]) -> str:
    """Both ranges over one axis; empty without any, or on scales that are not to be compared."""
    scales = {strength.scale for strength in ranges.values()}
    if len(scales) != 1:
        return ""
    intervals = tuple(_interval(color, strength) for color, strength in ranges.items())
    return range_chart(intervals, None, scale=scale_name(scales.pop()), key="ranges")


def _interval(color: Color, strength: StrengthRange) -> Interval:
    return Interval(
        kind=f"side-{color}",
        label=_("White’s moves") if color == "white" else _("Black’s moves"),
        note=_("{coverage} range").format(coverage=coverage_text(strength.coverage)),
        low=strength.low,
        high=strength.high,
    )


def _side(game: GameReport, color: Color) -> Side:
    side = game.side(color)
    return Side(
        player=player_name(side.player),
        range=strength_text(side.strength),
        scale=scale_name(side.strength.scale) if isinstance(side.strength, StrengthRange) else "",
        reason=reason_text(side.strength),
    )
