"""Cron expressions mean what crontab(5) says, in the zone that is named."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import SettingsError
from pipeline.schedule.cron import Cron

pytest.importorskip("apscheduler")


def due(expression: str, zone: str, start: datetime, count: int) -> list[str]:
    cron, found = Cron(expression, zone), []
    for _ in range(count):
        following = cron.next_after(start)
        assert following is not None
        start = following
        found.append(f"{start:%Y-%m-%d %H:%M}")
    return found


def test_hours_are_those_of_the_zone() -> None:
    start = datetime(2026, 7, 1, tzinfo=UTC)
    assert due("30 3 * * *", "Europe/Paris", start, 1) == ["2026-07-01 01:30"]
    assert due("30 3 * * *", "UTC", start, 1) == ["2026-07-01 03:30"]


def test_a_night_hour_runs_once_when_the_clock_is_put_back() -> None:
    start = datetime(2026, 10, 24, 12, tzinfo=UTC)
    assert due("30 2 * * *", "Europe/Paris", start, 2) == ["2026-10-25 00:30", "2026-10-26 01:30"]


def test_every_hour_is_every_hour_when_the_clock_is_put_back() -> None:
    start = datetime(2026, 10, 24, 23, 40, tzinfo=UTC)
    assert due("0 * * * *", "Europe/Paris", start, 3) == [
        "2026-10-25 00:00",
        "2026-10-25 01:00",
        "2026-10-25 02:00",
    ]


def test_a_night_hour_that_is_left_out_in_spring_is_not_lost() -> None:
    start = datetime(2026, 3, 28, 12, tzinfo=UTC)
    assert due("30 2 * * *", "Europe/Paris", start, 2) == ["2026-03-29 01:30", "2026-03-30 00:30"]


@pytest.mark.parametrize(
    ("field", "days"),
    [
        ("0", "Sun"),
        ("7", "Sun"),
        ("1", "Mon"),
        ("1-5", "Mon Tue Wed Thu Fri"),
        ("5-7", "Fri Sat Sun"),
        ("6-0", "Sat Sun"),
        ("7-2", "Mon Tue Sun"),
        ("7-7", "Sun"),
        ("0-7", "Mon Tue Wed Thu Fri Sat Sun"),
        ("1-7", "Mon Tue Wed Thu Fri Sat Sun"),
        ("0-7/2", "Tue Thu Sat Sun"),
        ("sat,sun", "Sat Sun"),
        ("fri-mon", "Mon Fri Sat Sun"),
        ("*/2", "Tue Thu Sat Sun"),
        ("MON", "Mon"),
    ],
)
def test_days_of_the_week_are_counted_from_sunday(field: str, days: str) -> None:
    start = datetime(2026, 6, 7, 23, tzinfo=UTC)  # a Sunday, late
    cron, found = Cron(f"0 12 * * {field}", "UTC"), []
    while (following := cron.next_after(start)) and following < datetime(2026, 6, 15, tzinfo=UTC):
        start = following
        found.append(f"{start:%a}")
    assert found == days.split()


def test_either_day_will_do_where_two_are_named() -> None:
    start = datetime(2026, 6, 1, 12, tzinfo=UTC)  # a Monday
    assert due("0 5 15 * 1", "UTC", start, 3) == [
        "2026-06-08 05:00",
        "2026-06-15 05:00",
        "2026-06-22 05:00",
    ]
    assert due("0 5 10 * 1", "UTC", start, 2) == ["2026-06-08 05:00", "2026-06-10 05:00"]


def test_both_days_are_needed_where_one_begins_with_a_star() -> None:
    start = datetime(2026, 6, 1, 12, tzinfo=UTC)  # a Monday
    by_week_day = ["2026-08-15 05:00", "2026-09-15 05:00", "2026-10-15 05:00"]
    assert due("0 5 15 * */2", "UTC", start, 3) == by_week_day  # Sat, Tue, Thu
    assert due("0 5 */2 * 1", "UTC", start, 2) == ["2026-06-15 05:00", "2026-06-29 05:00"]


def test_what_a_clock_leaves_out_is_not_lost_where_more_hours_are_named() -> None:
    start = datetime(2035, 3, 24, 20, tzinfo=UTC)
    # By two hours, at one o'clock: half past two is half past four.
    assert due("0,30 1-3 * * 7", "Antarctica/Troll", start, 5) == [
        *("2035-03-25 01:00", "2035-03-25 01:30", "2035-03-25 02:00", "2035-03-25 02:30"),
        "2035-03-31 23:00",
    ]


def test_a_day_that_a_zone_leaves_out_is_made_up_for_once() -> None:
    start = datetime(2011, 12, 29, 20, tzinfo=UTC)  # Samoa has no 30 December
    assert due("0 6 * * *", "Pacific/Apia", start, 2) == ["2011-12-30 16:00", "2011-12-31 16:00"]
    assert due("0 6 30 12 *", "Pacific/Apia", start, 1) == ["2011-12-30 16:00"]


@pytest.mark.parametrize(
    ("expression", "times"),
    [
        ("30/20 0 * * *", "00:30 00:50"),
        ("10-20/15 0 * * *", "00:10"),
        ("0 20/3 * * *", "20:00 23:00"),
        ("0 5 * * 1/3", "05:00"),
        (" 0\t5 1 JAN-june thursday ", "05:00"),
    ],
)
def test_steps_and_names_are_read(expression: str, times: str) -> None:
    start = datetime(2025, 12, 31, 23, 59, tzinfo=UTC)  # a Wednesday, late
    cron, found = Cron(expression, "UTC"), []
    while (following := cron.next_after(start)) and following < datetime(2026, 1, 2, tzinfo=UTC):
        start = following
        found.append(f"{start:%H:%M}")
    assert found == times.split()


@pytest.mark.parametrize("expression", ["0 0 31 2 1", "* * * 1 *", "* * 1 1 0", "*/7 * * * *"])
def test_the_last_due_time_of_a_decade_is_found_at_once(expression: str) -> None:
    cron = Cron(expression, "Europe/Paris")
    began = time.process_time()
    assert cron.last_due(datetime(2016, 1, 1, tzinfo=UTC), datetime(2026, 1, 31, tzinfo=UTC))
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    "expression",
    [
        *("", "* * * *", "61 * * * *", "0 0 * * 8", "0 0 * * mun", "every night", "@reboot"),
        *("0 0 1 jan^yul *", "0 0 lastly * *", "0 0 * * monkey", "٣ 0 * * *", "0 0 * * 1-5/-1"),
        *("*/0 * * * *", "0 0 * * */8", "0 5-3 * * *", "0 0 0 * *", "0 0, * * *", "0 0 * * 1/"),
        *(f"{'9' * 5000} 0 * * *", f"0 0 * * 1-5/{'9' * 4000}", "* " * 5000),
    ],
)
def test_what_is_no_cron_expression_is_refused_with_an_example(expression: str) -> None:
    with pytest.raises(SettingsError, match=r"no cron expression.*30 3") as refused:
        Cron(expression, "UTC")
    assert len(str(refused.value)) < 400


def test_an_unknown_zone_is_refused() -> None:
    with pytest.raises(SettingsError, match="'Europe/Parris' is no time zone"):
        Cron("0 0 * * *", "Europe/Parris")
    with pytest.raises(SettingsError, match=r"^'x{80}'… is no time zone: .{,50}$"):
        Cron("0 0 * * *", "x" * 5000)


def test_a_day_that_never_comes_is_no_day() -> None:
    assert Cron("0 0 31 2 *", "UTC").next_after(datetime(2026, 1, 1, tzinfo=UTC)) is None


@given(
    after=st.datetimes(datetime(2024, 1, 1), datetime(2026, 1, 1)),
    days=st.integers(0, 700),
    expression=st.sampled_from(["*/7 * * * *", "30 3 * * *", "0 0 1 * *", "0 12 * * 1-5"]),
)
def test_the_last_due_time_is_the_last(after: datetime, days: int, expression: str) -> None:
    after = after.replace(tzinfo=UTC)
    until = after + timedelta(days=days)
    cron = Cron(expression, "America/New_York")
    last = cron.last_due(after, until)
    following = cron.next_after(after if last is None else last)
    assert following is not None
    assert following > until
    assert last is None or after < last <= until
