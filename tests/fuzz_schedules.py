"""Whatever a person may type for `movelo schedule add`: when, in which zone, under which name.

    python tests/fuzz_schedules.py --seconds 600

See `fuzz_driver` for what else it can be told. When a schedule is due is read a second time here,
day by day, and compared; most moments lie about a change of the zone's clock.
"""

import io
import itertools
import random
import re
import tempfile
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from zlib import crc32
from zoneinfo import ZoneInfo, available_timezones

from fuzz_driver import broken, main
from rich.console import Console

from config.errors import SettingsError
from config.language import retold, speaking
from pipeline.schedule.cron import Cron
from pipeline.schedule.name import checked_name
from pipeline.schedule.runner import due_now_ms
from pipeline.store import Store
from pipeline.store.schedule_records import ScheduleOrder
from reports.terminal_schedule import render_schedules

SEEDS = (
    *(b"30 3 * * *\nEurope/Paris\nclub", b"*/15 * * * *\nAustralia/Lord_Howe\nc", b"@daily\nUTC\n"),
    *(b"0 0 31 2 *\nUTC\nnever", b"0 0 31 2 1\nUTC\nMonday", b"0 0 29 2 */7\nUTC\nleap Sunday"),
    *(b"0 5 15 * 1-5\nAmerica/New_York\nx", b"0 12 1-7 jan,jul sat-sun/1\nAsia/Tokyo\n--x"),
    *(b"0,30 1-3 * * 7\nAntarctica/Troll\n[red]", b"* */2 */3 * *\nPacific/Apia\n\x1b[31m"),
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEK_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
BOUNDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
_SHORT = {"hourly": "0 * * * *", "weekly": "0 0 * * 0", "monthly": "0 0 1 * *"} | dict.fromkeys(
    ("daily", "midnight"), "0 0 * * *"
)
_SHORT |= dict.fromkeys(("yearly", "annually"), "0 0 1 1 *")
_PART = re.compile(r"(?:\*|(?P<first>\d{1,2})(?:-(?P<last>\d{1,2}))?)(?:/(?P<step>\d{1,2}))?", re.A)
_YEARS_WITHOUT_A_LEAP_SUNDAY = 41
_ENOUGH = 60


def changed(seed: bytes, chance: random.Random) -> bytes:
    """An expression that can be read, in any zone; or anything is broken."""
    if chance.random() < 0.4:
        return broken(seed, chance)
    zone, _line, name = seed.partition(b"\n")[2].partition(b"\n")
    if chance.random() < 0.7:
        zone = chance.choice(_zones()).encode()
    expression = " ".join(_made_field(low, high, chance) for low, high in BOUNDS)
    return b"\n".join((expression.encode(), zone, name, str(chance.random()).encode()))


@cache
def _zones() -> tuple[str, ...]:
    return tuple(sorted(available_timezones()))


def _made_field(low: int, high: int, chance: random.Random) -> str:
    parts = []
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        first = chance.randint(low, high)
        step = chance.choice(("", "", f"/{chance.randint(1, high - low)}"))
        last = chance.randint(first, high)
        parts.append(chance.choice(("*", "*", f"{first}", f"{first}-{last}")) + step)
    return chance.choice(("*", ",".join(parts)))


def check_schedule(data: bytes) -> None:
    """Either one sentence, or the times that the expression names; kept and shown under its name.

    One in thirty goes all the way through a store.
    """
    expression, zone, name, *_rest = data.decode("utf-8", "surrogateescape").split("\n") + [""] * 2
    try:
        cron = Cron(expression, zone)
    except SettingsError as error:
        _check_sentence(str(error))
        assert zone not in _zones() or values_of(expression) is None, "it could have been read"
        return
    values = values_of(expression)
    assert values is not None, "it was read as something"
    moment = _moment(data, zone)
    _check_times(cron, expected(values, ZoneInfo(zone), moment)[:_ENOUGH], moment)
    _check_far_away(cron, data)
    if _is_name(name) and not crc32(data) % 30:
        _check_kept(expression, zone, name, moment)


def _check_sentence(sentence: str) -> None:
    assert sentence.strip()
    assert "\n" not in sentence
    assert len(sentence) < 1000, f"{len(sentence)} letters: {sentence[:200]}"
    with speaking("fr"):
        retold(sentence)


Values = tuple[frozenset[int], ...]


def values_of(expression: str) -> tuple[Values, bool, bool] | None:
    """By field; whether either day will do; whether it has no hour of its own."""
    lowered = expression.strip().lower()
    fields = (_SHORT.get(lowered[1:], "") if lowered[:1] == "@" else lowered).split()
    if len(fields) != len(BOUNDS):
        return None
    read = [_values_of_field(*both) for both in zip(range(5), fields, strict=True)]
    found = tuple(one for one in read if one is not None)
    is_either = fields[2][0] != "*" and fields[4][0] != "*"
    return (found, is_either, fields[1][0] == "*") if len(found) == len(read) else None


def _values_of_field(number: int, text: str) -> frozenset[int] | None:
    for names, within in ((MONTHS, 3), (WEEK_DAYS, 4)):
        if number == within:
            text = _with_numbers(text, names, 1 if within == 3 else 0)
    low, high = BOUNDS[number]
    found: set[int] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            return None
        step = int(match["step"] or 1)
        first = low if match["first"] is None else int(match["first"])
        is_open = match["first"] is None or (match["last"] is None and match["step"] is not None)
        last = max(first, min(high, 6 if number == 4 else 99)) if is_open else None
        last = int(match["last"] or first) if last is None else last
        if not (low <= first <= high and low <= last <= high and 1 <= step <= high - low):
            return None
        if last < first:
            if number != 4:
                return None
            last += 7
        found.update(value % 7 if number == 4 else value for value in range(first, last + 1, step))
    return frozenset(found)


def _with_numbers(text: str, names: tuple[str, ...], first: int) -> str:
    whole = {
        **{f"{date(2026, number, 1):%B}".lower(): name for number, name in enumerate(MONTHS, 1)},
        **{
            f"{date(2026, 2, 1 + number):%A}".lower(): name for number, name in enumerate(WEEK_DAYS)
        },
    }

    def number(word: re.Match[str]) -> str:
        name = whole.get(word[0], word[0])
        return str(names.index(name) + first) if name in names else word[0]

    return re.sub("[^-,/]+", number, text)


def expected(read: tuple[Values, bool, bool], zone: ZoneInfo, after: datetime) -> list[datetime]:
    """In order, those of some days: at least one where there is one at all."""
    (minutes, hours, *_days), _either, is_hourly = read
    times = [time(hour, minute) for hour in sorted(hours) for minute in sorted(minutes)]
    found: set[datetime] = set()
    for day in _days_of(read, after.date() - timedelta(days=2)):
        ends = datetime.combine(day, time(), UTC) - timedelta(days=3)
        if len([one for one in found if one < ends]) >= min(_ENOUGH, 8 * len(times)):
            return sorted(one for one in found if one < ends)
        for wall in (datetime.combine(day, at, zone) for at in times):
            first, second = (wall.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
            found |= {first, second} if is_hourly and first < second else {first}
        found = {one for one in found if one > after}
    return sorted(found)


def _days_of(read: tuple[Values, bool, bool], start: date) -> Iterator[date]:
    (_minutes, _hours, days, months, week_days), is_either, _is_hourly = read
    for number in range(_YEARS_WITHOUT_A_LEAP_SUNDAY * 366):
        day = start + timedelta(days=number)
        fits = (day.day in days, day.isoweekday() % 7 in week_days)
        if day.month in months and (any(fits) if is_either else all(fits)):
            yield day


def _moment(data: bytes, zone: str) -> datetime:
    """In the years 1970 to 2040; mostly a few hours from a change of the clock."""
    chance = random.Random(data)
    changes = _changes(zone)
    if not changes or chance.random() < 0.2:
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=chance.random() * 2.2e9)
    return chance.choice(changes) - timedelta(seconds=chance.randint(-100_000, 20_000))


@cache
def _changes(zone: str) -> tuple[datetime, ...]:
    """To within a day, of the years 1970 to 2040; none that is taken back within a week."""
    begin = datetime(1970, 1, 1, tzinfo=UTC)
    weeks = _changed_between([begin + timedelta(weeks=number) for number in range(3652)], zone)
    days = [[week + timedelta(days=day) for day in range(8)] for week in weeks]
    return tuple(day for seven in days for day in _changed_between(seven, zone))


def _changed_between(moments: list[datetime], zone: str) -> list[datetime]:
    """Each after which, before the next one, the clock is changed."""
    place = ZoneInfo(zone)
    offsets = [moment.astimezone(place).utcoffset() for moment in moments]
    pairs = zip(moments[:-1], itertools.pairwise(offsets), strict=True)
    return [moment for moment, (before, after) in pairs if before != after]


def _check_times(cron: Cron, times: list[datetime], moment: datetime) -> None:
    start, found = moment, []
    for _time in times:
        following = cron.next_after(start)
        assert following is not None
        assert following.tzinfo is UTC
        assert following > start
        found.append(start := following)
    differing = [pair for pair in zip(found, times, strict=True) if pair[0] != pair[1]]
    assert not differing, f"after {moment}: {len(differing)} of {len(times)}, {differing[0]}"
    if not times:
        assert cron.next_after(moment) is None
        return
    for number, until in ((0, times[0]), (len(times) // 2, times[len(times) // 2])):
        assert cron.last_due(moment, until) == until
        before = cron.last_due(moment, until - timedelta(seconds=1))
        assert before == (times[number - 1] if number else None), f"{before} until {until}"


def _check_far_away(cron: Cron, data: bytes) -> None:
    """Nobody looked for centuries, or asks in some thousands of years."""
    chance = random.Random(data)
    moment = datetime(chance.randint(2, 9900), 1, 1, tzinfo=UTC)
    until = moment + timedelta(days=chance.choice((1, 400, 30_000)))
    following, last = cron.next_after(moment), cron.last_due(moment, until)
    assert following is None or following > moment
    assert (last is not None) == (following is not None and following <= until)
    assert last is None or ((after := cron.next_after(last)) is None or after > until)


def _is_name(name: str) -> bool:
    try:
        assert checked_name(name) == name.strip()
    except SettingsError as error:
        _check_sentence(str(error))
        return False
    name.encode()
    return name.isprintable()


def _check_kept(expression: str, zone: str, name: str, now: datetime) -> None:
    order = ScheduleOrder(cron=expression, zone=zone, arguments=("batch", name), folder="/")
    now_ms = round(now.timestamp() * 1000)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "movelo.sqlite") as store:
        assert store.schedules.add(name, order, now_ms=now_ms)
        assert not store.schedules.add(name, order, now_ms=now_ms)
        (kept,) = store.schedules.all()
        assert kept.order == order
        assert kept.name == name
        assert due_now_ms(kept, now) is None
        console = Console(file=io.StringIO(), width=100)
        due = {kept.name: Cron(expression, zone).next_after(now)}
        render_schedules((kept,), due, console)
        assert "\x1b" not in console.file.getvalue()  # type: ignore[attr-defined]
        assert store.schedules.remove(name)


if __name__ == "__main__":
    main(check_schedule, SEEDS, change=changed)
