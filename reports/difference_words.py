"""The terms of the section on differences: parts, groups, points, each in the reader's words."""

from __future__ import annotations

from config.language import _
from config.localized import number_text
from pipeline.differences.thresholds import NEAR_RATING
from pipeline.records import Aspect, Clock, DifferenceGroup, Ending, Measured, Part
from reports.lines import one_line
from reports.terms import time_control_text


def points_text(points: float, places: int = 1) -> str:
    """`+9.5`, `−3.0`, `0.0`: points won are above 0."""
    shown = number_text(abs(points), places)
    if shown == number_text(0, places):
        return shown
    return f"+{shown}" if points > 0 else f"−{shown}"


def interval_text(measured: Measured, places: int = 1) -> str:
    """`−12.1 to −6.9`."""
    return _("{low} to {high}").format(
        low=points_text(measured.low, places), high=points_text(measured.high, places)
    )


def size_text(measured: Measured, places: int = 1) -> str:
    """`6.9 to 12.1`: the size of what is known to be a gain or a loss, nearest to 0 first."""
    if measured.low < 0 < measured.high:
        return interval_text(measured, places)
    low, high = sorted((abs(measured.low), abs(measured.high)))
    return _("{low} to {high}").format(low=number_text(low, places), high=number_text(high, places))


def part_name(part: Part) -> str:
    """As a row of the table or the chart is called."""
    return {
        Part.OPENING: _("Moves in the opening"),
        Part.MIDDLEGAME: _("Moves in the middlegame"),
        Part.ENDGAME: _("Moves in endings"),
        Part.CLOCK: _("Time ran out"),
        Part.RESIGNATION: _("Resignations"),
        Part.DRAW: _("Draws agreed, repeated or claimed"),
        Part.UNKNOWN: _("Ended in an unknown way"),
    }[part]


def ending_phrase(ending: Ending) -> str:
    """How one game went to its end, after a comma."""
    return {
        Ending.CLOCK: _("time ran out"),
        Ending.RESIGNATION: _("by resignation"),
        Ending.DRAW: _("by agreement, repetition or claim"),
        Ending.BOARD: _("at the board"),
        Ending.UNKNOWN: _("in an unknown way"),
    }[ending]


def aspect_name(aspect: Aspect) -> str:
    """The heading over the groups of an aspect."""
    return {
        Aspect.PHASE: _("Phase of the game"),
        Aspect.TIME_PRESSURE: _("Time on the clock"),
        Aspect.COLOR: _("Colour"),
        Aspect.OPPONENT: _("Opponents"),
        Aspect.OPENING: _("Opening"),
        Aspect.TIME_CONTROL: _("Time control"),
        Aspect.GAME_BEFORE: _("The game before, within an hour"),
        Aspect.SESSION: _("Number of the game in a session"),
        Aspect.HOUR: _("Hour of the day"),
        Aspect.WEEKDAY: _("Day of the week"),
    }[aspect]


def group_name(group: DifferenceGroup) -> str:
    """`In endings`, `After a loss`: as the start of a sentence, or of a table's row."""
    if group.aspect is Aspect.OPENING:
        return _opening_name(group.key)
    if group.aspect is Aspect.TIME_CONTROL:
        return _("At {time_control}").format(time_control=time_control_text(_clock(group.key)))
    if group.aspect is Aspect.HOUR:
        first, last = group.key.split("-")
        return _("From {first}:00 to {last}:00").format(first=first, last=last)
    return _fixed_names(group.aspect)[group.key]


def group_order(group: DifferenceGroup) -> tuple[int, int, str]:
    """The natural order of an aspect's groups; openings by the number of games."""
    if group.aspect is Aspect.OPENING:
        return -group.games, 0, group.key
    if group.aspect is Aspect.TIME_CONTROL:
        clock = _clock(group.key)
        return clock.initial_seconds, clock.increment_seconds, group.key
    names = _fixed_names(group.aspect)
    return (list(names).index(group.key) if group.key in names else 0), 0, group.key


def _clock(key: str) -> Clock:
    initial, increment = map(int, key.split("+"))
    return Clock(initial_seconds=initial, increment_seconds=increment)


def _opening_name(key: str) -> str:
    color, family = key.split(":", maxsplit=1)
    opening = one_line(family, 50)
    if color == "white":
        return _("In the {opening} with White").format(opening=opening)
    return _("In the {opening} with Black").format(opening=opening)


def _fixed_names(aspect: Aspect) -> dict[str, str]:
    near = number_text(NEAR_RATING)
    names = {
        Aspect.PHASE: {
            "opening": _("In the opening"),
            "middlegame": _("In the middlegame"),
            "endgame": _("In endings"),
        },
        Aspect.TIME_PRESSURE: {
            "pressed": _("In time pressure"),
            "calm": _("With time on the clock"),
        },
        Aspect.COLOR: {"white": _("With White"), "black": _("With Black")},
        Aspect.OPPONENT: {
            "weaker": _("Against opponents rated more than {near} lower").format(near=near),
            "equal": _("Against opponents rated within {near}").format(near=near),
            "stronger": _("Against opponents rated more than {near} higher").format(near=near),
        },
        Aspect.GAME_BEFORE: {
            "first": _("In the first game of a session"),
            "after_win": _("After a win"),
            "after_draw": _("After a draw"),
            "after_loss": _("After a loss"),
        },
        Aspect.SESSION: {
            "1-3": _("In the first three games of a session"),
            "4-9": _("In the fourth to ninth game of a session"),
            "10+": _("From the tenth game of a session on"),
        },
        Aspect.WEEKDAY: {
            "1": _("On Mondays"),
            "2": _("On Tuesdays"),
            "3": _("On Wednesdays"),
            "4": _("On Thursdays"),
            "5": _("On Fridays"),
            "6": _("On Saturdays"),
            "7": _("On Sundays"),
        },
    }
    return names.get(aspect, {})
