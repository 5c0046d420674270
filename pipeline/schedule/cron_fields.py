"""Which minutes, hours, days and months the five fields of a cron expression name (crontab(5))."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SHORT = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_WEEK_DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_DAYS_OF_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_PART = re.compile(
    r"(?:\*|(?P<first>[0-9]{1,2}|[a-z]+)(?:-(?P<last>[0-9]{1,2}|[a-z]+))?)(?:/(?P<step>[0-9]{1,2}))?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CronFields:
    """Values in order: minutes 0–59, hours 0–23, days 1–31, months 1–12, week days 0–6 from Sunday.

    `is_hourly`: there is no hour of its own. `is_either_day`: a day of the month will do, and so
    will one of the week; both must fit otherwise.
    """

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: tuple[int, ...]
    months: tuple[int, ...]
    week_days: tuple[int, ...]
    is_hourly: bool
    is_either_day: bool

    @property
    def has_days(self) -> bool:
        """Whether any of the months has any of the days: 30 February never comes."""
        return self.days[0] <= max(_DAYS_OF_MONTH[month - 1] for month in self.months)


class FieldUnreadable(ValueError):
    """The part of the expression that is none; empty when it is the number of the fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """`highest` is the last value of `*`; a week day may be named by one more, 7."""

    lowest: int
    highest: int
    names: tuple[str, ...] = ()
    is_week: bool = False


_MINUTES, _HOURS = _Kind(lowest=0, highest=59), _Kind(lowest=0, highest=23)
_DAYS, _OF_YEAR = _Kind(lowest=1, highest=31), _Kind(lowest=1, highest=12, names=_MONTHS)
_OF_WEEK = _Kind(lowest=0, highest=6, names=_WEEK_DAYS, is_week=True)


def cron_fields(expression: str) -> CronFields:
    """Read it; @daily and the like are known, and names, in any case. FieldUnreadable for none."""
    lowered = expression.strip().lower()
    fields = _SHORT.get(lowered, lowered).split()
    if len(fields) != 5:
        raise FieldUnreadable
    minute, hour, day, month, week_day = fields
    return CronFields(
        minutes=_values(minute, _MINUTES),
        hours=_values(hour, _HOURS),
        days=_values(day, _DAYS),
        months=_values(month, _OF_YEAR),
        week_days=_values(week_day, _OF_WEEK),
        is_hourly=hour.startswith("*"),
        is_either_day=not day.startswith("*") and not week_day.startswith("*"),
    )


def _values(field: str, kind: _Kind) -> tuple[int, ...]:
    found = {value for part in field.split(",") for value in _values_of_part(part, kind)}
    return tuple(sorted({value % 7 for value in found} if kind.is_week else found))


def _values_of_part(part: str, kind: _Kind) -> Iterator[int]:
    match = _PART.fullmatch(part)
    if match is None:
        raise FieldUnreadable(part)
    first, last = _ends(match, kind)
    step = int(match["step"] or 1)
    if last < first or not 1 <= step <= kind.highest + kind.is_week - kind.lowest:
        raise FieldUnreadable(part)
    yield from range(first, last + 1, step)


def _ends(match: re.Match[str], kind: _Kind) -> tuple[int, int]:
    """Both within; a week may begin anywhere: 6-0 is 6 to 7. Without an end `5/10` has the last."""
    if match["first"] is None:
        return kind.lowest, kind.highest
    first = _value(match["first"], match[0], kind)
    if match["last"] is None:
        return first, max(first, kind.highest) if match["step"] else first
    last = _value(match["last"], match[0], kind)
    return first, last + 7 if kind.is_week and last < first else last


def _value(word: str, part: str, kind: _Kind) -> int:
    if word.isdecimal():
        if kind.lowest <= int(word) <= kind.highest + kind.is_week:
            return int(word)
    else:
        for number, name in enumerate(kind.names, kind.lowest):
            if word in (name, name[:3]):
                return number
    raise FieldUnreadable(part)
