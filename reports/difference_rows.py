"""Where the points went, laid out: one section for each speed, its tables row by row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo
from itertools import groupby

from config.language import _, retold
from config.localized import number_text
from pipeline.records import (
    Aspect,
    DifferenceGroup,
    Differences,
    Measured,
    NoEstimate,
    PlayerReport,
    PointsPart,
    SpeedReport,
)
from reports.counts import counted
from reports.difference_statements import claim_statements, fact_statements, trust_statements
from reports.difference_words import (
    aspect_name,
    group_name,
    group_order,
    interval_text,
    part_name,
    points_text,
)
from reports.lines import ABSENT
from reports.svg_differences import points_chart
from reports.terms import speed_name
from reports.words import percent_number_text, reason_text, score_of_text


@dataclass(frozen=True, slots=True, kw_only=True)
class PartRow:
    """One part; `reason` says why there is no interval."""

    name: str
    games: str
    points: str
    interval: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A figure with its interval; a dash without."""

    value: str
    interval: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """One group; `score` is a dash for groups of moves."""

    name: str
    games: str
    score: str
    result: Cell
    end: Cell
    loss: Cell
    opponents_loss: Cell
    accuracy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectRows:
    """The groups of one aspect under their heading."""

    name: str
    groups: tuple[GroupRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceSection:
    """What is shown of one speed; `chart` is SVG, empty without evaluations."""

    key: str
    speed: str
    games: str
    claims: tuple[str, ...]
    facts: tuple[str, ...]
    trust: tuple[str, ...]
    chart: str
    parts: tuple[PartRow, ...]
    aspects: tuple[AspectRows, ...]
    too_small: str


def difference_sections(report: PlayerReport, zone: tzinfo) -> tuple[DifferenceSection, ...]:
    """One for each speed, in the order of the report; days are those of `zone`."""
    return tuple(_section(speed, zone) for speed in report.speeds)


def _section(speed: SpeedReport, zone: tzinfo) -> DifferenceSection:
    found = speed.differences
    key = f"differences-{speed.speed}"
    parts = () if isinstance(found, NoEstimate) else found.parts
    return DifferenceSection(
        key=key,
        speed=speed_name(speed.speed),
        games=counted(0 if isinstance(found, NoEstimate) else found.games, "game"),
        claims=claim_statements(found),
        facts=fact_statements(found, zone),
        trust=trust_statements(found),
        chart=points_chart(parts, title=_("Points won and lost"), key=key),
        parts=tuple(_part_row(part) for part in parts),
        aspects=() if isinstance(found, NoEstimate) else tuple(_aspects(found)),
        too_small=_too_small(found),
    )


def _part_row(part: PointsPart) -> PartRow:
    interval = part.interval
    return PartRow(
        name=part_name(part.part),
        games=number_text(part.games),
        points=points_text(part.points),
        interval=interval_text(interval) if isinstance(interval, Measured) else ABSENT,
        reason=reason_text(interval),
    )


def _aspects(found: Differences) -> Iterator[AspectRows]:
    for aspect, together in groupby(found.groups, key=lambda group: group.aspect):
        ordered = sorted(together, key=group_order)
        name = aspect_name(aspect)
        if aspect in (Aspect.HOUR, Aspect.WEEKDAY):
            name = f"{name} ({retold(found.hours_zone)})"
        yield AspectRows(name=name, groups=tuple(_group_row(group) for group in ordered))


def _group_row(group: DifferenceGroup) -> GroupRow:
    score = group.score
    return GroupRow(
        name=group_name(group),
        games=number_text(group.games),
        score=ABSENT if score is None else score_of_text(score, group.games_with_expectation),
        result=_points_cell(group.result),
        end=_points_cell(group.end),
        loss=_loss_cell(group.loss_per_move),
        opponents_loss=_loss_cell(group.opponents_loss_per_move),
        accuracy=percent_number_text(group.accuracy_percent),
    )


def _points_cell(measured: Measured | NoEstimate) -> Cell:
    if isinstance(measured, NoEstimate):
        return Cell(value=ABSENT, interval="")
    return Cell(value=points_text(measured.value, 2), interval=interval_text(measured, 2))


def _loss_cell(measured: Measured | NoEstimate) -> Cell:
    if isinstance(measured, NoEstimate):
        return Cell(value=ABSENT, interval="")
    low, high = number_text(measured.low, 1), number_text(measured.high, 1)
    return Cell(
        value=number_text(measured.value, 1),
        interval=_("{low} to {high}").format(low=low, high=high),
    )


def _too_small(found: Differences | NoEstimate) -> str:
    if isinstance(found, NoEstimate) or not found.groups_too_small:
        return ""
    return _("Not shown: {groups} groups of fewer than {fewest} games.").format(
        groups=number_text(found.groups_too_small), fewest=number_text(found.fewest_games)
    )
