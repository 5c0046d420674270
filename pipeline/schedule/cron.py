"""When a cron expression is due, as crontab(5) means it; APScheduler's part of movelo.

APScheduler finds the days. What changes of the clock mean is said here: what falls into the hour
that is left out in spring is due an hour later, and of the hour that comes twice in autumn the
first one counts, unless the expression has no hour of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from config.errors import SettingsError
from config.language import _
from pipeline.schedule.cron_fields import CronFields, FieldUnreadable, cron_fields
from pipeline.schedule.quoted import quoted

_A_MOMENT = timedelta(microseconds=1)
_A_SECOND = timedelta(seconds=1)
_A_DAY = timedelta(days=1)
_LETTERS_SHOWN = 80


class Cron:
    """A cron expression in a time zone; SettingsError for what is none.

    It is asked about moments of the years 2 to 9990, in any zone, and answers in UTC.
    """

    def __init__(self, expression: str, zone: str) -> None:
        _check_installed()
        try:
            fields = cron_fields(expression)
        except FieldUnreadable as error:
            raise _unreadable(expression, str(error)) from None
        self._zone = _zone(zone)
        self._is_hourly = fields.is_hourly
        self._times = _times(fields)
        self._calendar = _calendar(fields)

    def next_after(self, moment: datetime) -> datetime | None:
        """The first due time after `moment`; None for a day that never comes."""
        found: datetime | None = None
        for wall in self._walls(self._where_to_begin(moment)):
            first, second = (_moment(wall, self._zone, fold) for fold in (0, 1))
            for due in (first, second) if self._is_hourly and first < second else (first,):
                if due > moment and (found is None or due < found):
                    found = due
            # What a clock has left out may come later than what follows it on the wall.
            is_left_out = first > second
            if found is not None and found <= first and not is_left_out:
                break
        return found

    def last_due(self, after: datetime, until: datetime) -> datetime | None:
        """The last due time later than `after` and not later than `until`; None for none."""
        if not self._is_due_within(after, until):
            return None
        low, high = after, until
        while high - low > _A_SECOND:  # due times are whole seconds: at most one is left
            middle = low + (high - low) / 2
            low, high = (middle, high) if self._is_due_within(middle, until) else (low, middle)
        return self.next_after(low)

    def _is_due_within(self, after: datetime, until: datetime) -> bool:
        following = self.next_after(after)
        return following is not None and following <= until

    def _where_to_begin(self, moment: datetime) -> datetime:
        """What the wall shows, less by how much its clock is changed around that time."""
        zone = self._zone
        walls = [_wall(moment + days * _A_DAY, zone) - days * _A_DAY for days in (-1, 0, 1)]
        return walls[1] - (max(walls) - min(walls))

    def _walls(self, after: datetime) -> Iterator[datetime]:
        day = self._day(after.replace(hour=0, minute=0, second=0, microsecond=0))
        while day is not None:
            for time in self._times[bisect_right(self._times, after - day) :]:
                yield day + time
            day = self._day(day + _A_MOMENT)

    def _day(self, start: datetime) -> datetime | None:
        if self._calendar is None:
            return None
        found: datetime | None = self._calendar.get_next_fire_time(None, start)
        return found


def _wall(moment: datetime, zone: ZoneInfo) -> datetime:
    """What a clock shows in the zone, as if it were UTC, where no clock is ever changed."""
    return moment.astimezone(zone).replace(tzinfo=UTC, fold=0)


def _moment(wall: datetime, zone: ZoneInfo, fold: int) -> datetime:
    """When a clock shows it for the first time or the second: as UTC."""
    return wall.replace(tzinfo=zone, fold=fold).astimezone(UTC)


def _calendar(fields: CronFields) -> Any:
    """APScheduler's trigger for the midnights of the days; None for days that no month has."""
    days = {"day": _list(fields.days, of=31)}
    # APScheduler counts the days of the week from Monday.
    week_days = {"day_of_week": _list(((day - 1) % 7 for day in fields.week_days), of=7)}
    if not fields.is_either_day:
        return _trigger(fields, days | week_days) if fields.has_days else None
    if not fields.has_days:
        return _trigger(fields, week_days)
    either = import_module("apscheduler.triggers.combining").OrTrigger
    return either([_trigger(fields, days), _trigger(fields, week_days)])


def _trigger(fields: CronFields, days: dict[str, str]) -> Any:
    named = {"day": "*", "day_of_week": "*", "month": _list(fields.months, of=12)}
    trigger = import_module("apscheduler.triggers.cron").CronTrigger
    return trigger(**(named | days), hour=0, minute=0, timezone=UTC)


def _list(values: Iterable[int], *, of: int) -> str:
    """APScheduler is slow where all of them are listed."""
    listed = tuple(map(str, values))
    return "*" if len(listed) == of else ",".join(listed)


def _times(fields: CronFields) -> tuple[timedelta, ...]:
    """Of a day, since midnight."""
    minutes = (60 * hour + minute for hour in fields.hours for minute in fields.minutes)
    return tuple(timedelta(minutes=minute) for minute in minutes)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SettingsError(
            _("{zone} is no time zone: write it as Europe/Paris, or UTC").format(zone=_shown(name))
        ) from None


def _unreadable(expression: str, part: str) -> SettingsError:
    said = _(
        "{expression} is no cron expression{reason}: give minute, hour, day of the month, month "
        'and day of the week, as in "30 3 * * *" for every night at half past three'
    )
    reason = f" ({_shown(part)})" if part else ""
    return SettingsError(said.format(expression=_shown(expression), reason=reason))


def _shown(text: str) -> str:
    return quoted(text, letters=_LETTERS_SHOWN)


def _check_installed() -> None:
    if find_spec("apscheduler") is None:
        raise SettingsError(
            _(
                "movelo schedule needs APScheduler, which is not installed: install it with: "
                "pip install 'movelo[web]'"
            )
        )
