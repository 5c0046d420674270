"""When a cron expression is due, as crontab(5) means it; APScheduler's part of movelo.

APScheduler counts the days of the week from Monday and wants both days to fit where a day of the
month and one of the week are named: cron counts from Sunday, and is content with either unless one
of the two begins with a star.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from config.errors import SettingsError
from config.language import _

_FIELDS = ("minute", "hour", "day", "month", "day_of_week")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_SHORT = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}


class Cron:
    """A cron expression in a time zone; SettingsError for what is none."""

    def __init__(self, expression: str, zone: str) -> None:
        _check_installed()
        fields = _fields(expression)
        self._is_hourly = fields["hour"].startswith("*")
        self._trigger = _trigger(fields, _zone(zone), expression)

    def next_after(self, moment: datetime) -> datetime | None:
        """The first due time after `moment`, as UTC; None for a day that never comes."""
        due: datetime | None = self._trigger.get_next_fire_time(None, moment + _A_MOMENT)
        if due is not None and due.fold and not self._is_hourly:
            # The hour that comes twice in autumn: what has an hour of its own runs in the first.
            return self.next_after(due.astimezone(UTC))
        return None if due is None else due.astimezone(UTC)

    def last_due(self, after: datetime, until: datetime) -> datetime | None:
        """The last due time later than `after` and not later than `until`; None for none."""
        found: datetime | None = None
        low = after
        while (due := self.next_after(low)) is not None and due <= until:
            found, low = due, max(due, _halfway(due, until, self))
        return found


_A_MOMENT = timedelta(microseconds=1)


def _halfway(due: datetime, until: datetime, cron: Cron) -> datetime:
    """Of years in which nobody looked, not every minute is gone through."""
    middle = due + (until - due) / 2
    following = cron.next_after(middle)
    return middle if following is not None and following <= until else due


def _fields(expression: str) -> dict[str, str]:
    fields = _SHORT.get(expression.strip().lower(), expression).split()
    if len(fields) != len(_FIELDS):
        raise _unreadable(expression)
    return dict(zip(_FIELDS, fields, strict=True))


def _trigger(fields: dict[str, str], zone: ZoneInfo, expression: str) -> Any:
    is_both_days = any(fields[name].startswith("*") for name in ("day", "day_of_week"))
    try:
        named = fields | {"day_of_week": ",".join(_week_days(fields["day_of_week"]))}
        return _on_both_days(named, zone) if is_both_days else _on_either_day(named, zone)
    except ValueError as error:
        raise _unreadable(expression, str(error)) from None


def _on_both_days(named: dict[str, str], zone: ZoneInfo) -> Any:
    return import_module("apscheduler.triggers.cron").CronTrigger(**named, timezone=zone)


def _on_either_day(named: dict[str, str], zone: ZoneInfo) -> Any:
    either = import_module("apscheduler.triggers.combining").OrTrigger
    return either([_on_both_days(named | {name: "*"}, zone) for name in ("day_of_week", "day")])


def _week_days(field: str) -> Iterator[str]:
    """`1-5` as mon,tue,wed,thu,fri; 0 and 7 are Sunday. ValueError for what is no day."""
    for part in field.lower().split(","):
        days, _slash, step = part.partition("/")
        if days == "*" and not step:
            yield "*"
            continue
        first, _dash, last = ("0", "-", "6") if days == "*" else days.partition("-")
        start, end = _week_day(first), _week_day(last or first)
        end += 7 if end < start else 0
        yield from (_DAYS[day % 7] for day in range(start, end + 1, int(step or 1)))


def _week_day(name: str) -> int:
    """0 to 7, from Sunday to Sunday."""
    if name[:3] in _DAYS and name.isalpha():
        return _DAYS.index(name[:3])
    if name.isdecimal() and int(name) <= 7:
        return int(name)
    raise ValueError(name)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SettingsError(
            _("{zone} is no time zone: write it as Europe/Paris, or UTC").format(zone=f"{name!r}")
        ) from None


def _unreadable(expression: str, reason: str = "") -> SettingsError:
    said = _(
        "{expression} is no cron expression{reason}: give minute, hour, day of the month, month "
        'and day of the week, as in "30 3 * * *" for every night at half past three'
    )
    return SettingsError(
        said.format(expression=f"{expression!r}", reason=f" ({reason})" if reason else "")
    )


def _check_installed() -> None:
    if find_spec("apscheduler") is None:
        raise SettingsError(
            _(
                "movelo schedule needs APScheduler, which is not installed: install it with: "
                "pip install 'movelo[web]'"
            )
        )
