"""A batch's players on one self-contained HTML page: a table to sort, and whom to look at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from urllib.parse import quote

from config.language import _, ngettext
from config.localized import number_text
from pipeline.store.batch_records import Alert, PlayerOutcome, PointsRange, SpeedOutcome
from reports.html_page import standing_alone, template_text
from reports.lines import ABSENT, one_line, sentence_part
from reports.svg_lines import sparkline
from reports.svg_trends import signed_text
from reports.terms import speed_name
from reports.words import (
    date_text,
    long_date_text,
    percent_text,
    probability_text,
    range_text,
    rating_text,
    told,
)

PLAYERS_LISTED = 5000
ALERTS_LISTED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What stands in a table, and the number by which it is sorted ("" where there is none)."""

    text: str
    key: float | str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRow:
    """One player at one speed; `page` is "" where there is none, `line` SVG."""

    player: str
    page: str
    speed: str
    games: Cell
    rating: Cell
    results: Cell
    moves: Cell
    difference: Cell
    accuracy: Cell
    last_game: Cell
    line: str


@dataclass(slots=True, kw_only=True)
class _Listed:
    """What is on the page, as the players come."""

    players: int = 0
    not_listed: int = 0
    rows: list[BatchRow] = field(default_factory=list)
    without: list[tuple[str, str]] = field(default_factory=list)
    alerts: list[tuple[float, str, str, str]] = field(default_factory=list)


def batch_to_html(
    outcomes: Iterable[PlayerOutcome],
    *,
    title: str,
    made_at: datetime,
    zone: tzinfo,
    has_pages: bool,
) -> str:
    """The whole page; days are those of `zone`, links lead to `reports/` beside it.

    The first 5,000 players are listed; the page says how many more there are.
    """
    listed = _listed(outcomes, zone, has_pages=has_pages)
    return standing_alone(
        "batch.html.j2",
        style=template_text("report.css", "batch.css"),
        script=template_text("sortable.js", "batch.js"),
        title=one_line(title),
        subtitle=_subtitle(listed.players, made_at, zone),
        rows=listed.rows,
        alerts=[alert[1:] for alert in sorted(listed.alerts)[:ALERTS_LISTED]],
        alerts_not_listed=max(0, len(listed.alerts) - ALERTS_LISTED),
        without=listed.without,
        not_listed=listed.not_listed,
    )


def _listed(outcomes: Iterable[PlayerOutcome], zone: tzinfo, *, has_pages: bool) -> _Listed:
    listed = _Listed()
    for outcome in outcomes:
        listed.players += 1
        listed.alerts += [
            (-alert.probability, one_line(alert.player), _page(outcome, has_pages), _said(alert))
            for alert in outcome.alerts
        ]
        if listed.players > PLAYERS_LISTED:
            listed.not_listed += 1
        elif outcome.speeds:
            listed.rows += [_row(outcome, s, zone, has_pages=has_pages) for s in outcome.speeds]
        else:
            reason = sentence_part(told(outcome.sentence))
            listed.without.append((one_line(outcome.player), reason))
    return listed


def _row(outcome: PlayerOutcome, speed: SpeedOutcome, zone: tzinfo, *, has_pages: bool) -> BatchRow:
    return BatchRow(
        player=one_line(outcome.player),
        page=_page(outcome, has_pages),
        speed=speed_name(speed.speed),
        games=Cell(text=number_text(speed.games), key=speed.games),
        rating=Cell(text=rating_text(speed.rating_last), key=_key(speed.rating_last)),
        results=_range_cell(speed.results),
        moves=_range_cell(speed.moves),
        difference=_difference_cell(speed),
        accuracy=Cell(text=percent_text(speed.accuracy_percent), key=_key(speed.accuracy_percent)),
        last_game=Cell(
            text=date_text(speed.last_game_at, zone), key=round(speed.last_game_at.timestamp())
        ),
        line=sparkline(
            [(p.at.timestamp(), p.rating) for p in speed.results_line],
            [(p.at.timestamp(), p.rating) for p in speed.moves_line],
            title=_("Results and moves over time"),
        ),
    )


def _range_cell(found: PointsRange | None) -> Cell:
    if found is None:
        return Cell(text=ABSENT)
    return Cell(text=range_text(found.low, found.high), key=found.median)


def _difference_cell(speed: SpeedOutcome) -> Cell:
    if speed.difference is None:
        return Cell(text=ABSENT)
    low, high = signed_text(speed.difference.low), signed_text(speed.difference.high)
    text = _("{low} to {high}").format(low=low, high=high)
    return Cell(text=text, key=speed.difference.median)


def _said(alert: Alert) -> str:
    """One sentence, without the player's name in front."""
    values = {
        "speed": speed_name(alert.speed),
        "low": signed_text(alert.low),
        "high": signed_text(alert.high),
        "chance": probability_text(alert.probability),
    }
    if alert.kind == "views_parted":
        said = (
            _("{speed}: the moves stand above the results, {low} to {high} points ({chance} sure).")
            if alert.points > 0
            else _(
                "{speed}: the moves stand below the results, {low} to {high} points ({chance} "
                "sure)."
            )
        )
    elif alert.kind == "moves_moved":
        said = _("{speed}: the strength of the moves went {low} to {high} points ({chance} sure).")
    else:
        said = _("{speed}: the strength by results went {low} to {high} points ({chance} sure).")
    return said.format(**values)


def _subtitle(players: int, made_at: datetime, zone: tzinfo) -> str:
    counted = ngettext("{count} player", "{count} players", players)
    return f"{counted.format(count=number_text(players))} · {long_date_text(made_at, zone)}"


def _page(outcome: PlayerOutcome, has_pages: bool) -> str:
    is_there = has_pages and outcome.state == "reported"
    return f"reports/{quote(outcome.file_stem)}.html" if is_there else ""


def _key(number: float | None) -> float | str:
    return "" if number is None else number
