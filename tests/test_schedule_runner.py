"""Schedules run once when they are due, on one machine, and once for all that was missed."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.batch.lease import TakenLease, held
from pipeline.cli.schedule_process import run_command, schedule_runner
from pipeline.schedule.runner import ATTEMPTS, ScheduleRunner
from pipeline.store import Store
from pipeline.store.schedule_records import ScheduleOrder

pytest.importorskip("apscheduler")
pytest_plugins = ["postgresql_server"]

NIGHTLY = ScheduleOrder(cron="30 3 * * *", zone="UTC", arguments=("batch",), folder=".")


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 6, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **how_long: float) -> None:
        self.now += timedelta(**how_long)


class Commands:
    """What was run; each ends with the next of `codes`, or with 0."""

    def __init__(self) -> None:
        self.run: list[tuple[str, ...]] = []
        self.codes: list[int | None] = []

    def __call__(self, order: ScheduleOrder, is_over: Callable[[], bool]) -> int | None:
        self.run.append(order.arguments)
        return self.codes.pop(0) if self.codes else 0


@contextmanager
def machine(
    url: Path | str, clock: Clock, commands: Callable[..., int | None], name: str = "one"
) -> Iterator[ScheduleRunner]:
    with Store(url) as store:
        yield ScheduleRunner(store=store, holder=name, run_command=commands, clock=clock)


def scheduled(runner: ScheduleRunner, clock: Clock) -> None:
    now_ms = round(clock().timestamp() * 1000)
    assert runner.store.schedules.add("night", NIGHTLY, now_ms=now_ms)


def test_what_is_due_is_run_once(store_url: Path | str) -> None:
    clock, commands = Clock(), Commands()
    with machine(store_url, clock, commands) as runner:
        scheduled(runner, clock)
        assert runner.run_due() == 0
        clock.pass_by(hours=16)
        assert runner.run_due() == 1
        assert runner.run_due() == 0
        clock.pass_by(days=1)
        assert runner.run_due() == 1
    assert commands.run == [("batch",)] * 2


def test_nights_that_were_missed_are_caught_up_once(tmp_path: Path) -> None:
    clock, commands = Clock(), Commands()
    with machine(tmp_path / "store", clock, commands) as runner:
        scheduled(runner, clock)
        clock.pass_by(days=9)
        assert runner.run_due() == 1
        assert runner.run_due() == 0
        clock.pass_by(days=1)
        assert runner.run_due() == 1


def test_how_it_ended_is_kept(tmp_path: Path) -> None:
    clock, commands = Clock(), Commands()
    commands.codes = [3]
    with machine(tmp_path / "store", clock, commands) as runner:
        scheduled(runner, clock)
        clock.pass_by(days=1)
        runner.run_due()
        (schedule,) = runner.store.schedules.all()
    assert (schedule.exit_code, schedule.attempts) == (3, 1)
    assert schedule.finished_at_ms == round(clock().timestamp() * 1000)


def test_two_machines_run_it_once_between_them(store_url: Path | str) -> None:
    clock, begun, go_on = Clock(), threading.Event(), threading.Event()
    runs = []

    def slow(order: ScheduleOrder, is_over: Callable[[], bool]) -> int:
        runs.append("one")
        begun.set()
        assert go_on.wait(30)
        return 0

    commands = Commands()
    with (
        machine(store_url, clock, slow) as first,
        machine(store_url, clock, commands, "other") as other,
    ):
        scheduled(first, clock)
        clock.pass_by(days=1)
        thread = threading.Thread(target=first.run_due)
        thread.start()
        assert begun.wait(30)
        assert other.run_due() == 0  # while it runs
        go_on.set()
        thread.join()
        assert other.run_due() == 0  # after it has run
    assert runs == ["one"]
    assert commands.run == []


def test_what_died_with_its_machine_is_run_by_another(store_url: Path | str) -> None:
    clock, commands = Clock(), Commands()

    def killed(order: ScheduleOrder, is_over: Callable[[], bool]) -> int:
        raise KeyboardInterrupt

    with (
        machine(store_url, clock, killed) as first,
        machine(store_url, clock, commands, "other") as other,
    ):
        scheduled(first, clock)
        clock.pass_by(days=1)
        with pytest.raises(KeyboardInterrupt):
            first.run_due()
        assert other.run_due() == 1
        (schedule,) = other.store.schedules.all()
    assert (schedule.exit_code, schedule.attempts) == (0, 2)


def test_a_machine_that_is_gone_for_good_is_waited_for_a_minute(tmp_path: Path) -> None:
    clock, commands = Clock(), Commands()
    with machine(tmp_path / "store", clock, commands) as runner:
        scheduled(runner, clock)
        clock.pass_by(days=1)
        now_ms = round(clock().timestamp() * 1000)
        dead = {"now_ms": now_ms, "until_ms": now_ms + 60_000}
        assert runner.store.runs.take("schedule night", "dead", **dead) is None
        assert runner.run_due() == 0
        clock.pass_by(seconds=61)
        assert runner.run_due() == 1


def test_what_ends_with_its_machine_again_and_again_is_given_up(tmp_path: Path) -> None:
    clock, commands = Clock(), Commands()
    commands.codes = [None] * 10
    with machine(tmp_path / "store", clock, commands) as runner:
        scheduled(runner, clock)
        clock.pass_by(days=1)
        for _ in range(ATTEMPTS + 3):
            runner.run_due()
        assert len(commands.run) == ATTEMPTS
        clock.pass_by(days=1)
        assert runner.run_due() == 1  # the next night is another matter


def test_once_it_is_over_nothing_more_is_begun(tmp_path: Path) -> None:
    clock, over, runs = Clock(), threading.Event(), []

    def ended_early(order: ScheduleOrder, is_over: Callable[[], bool]) -> int | None:
        runs.append(order.arguments)
        over.set()
        return None if is_over() else 0

    with Store(tmp_path / "store") as store:
        runner = ScheduleRunner(
            store=store, holder="one", run_command=ended_early, clock=clock, is_over=over.is_set
        )
        now_ms = round(clock().timestamp() * 1000)
        for name in ("first", "second"):
            assert store.schedules.add(name, NIGHTLY, now_ms=now_ms)
        clock.pass_by(days=1)
        assert runner.run_due() == 1
        assert [schedule.attempts for schedule in store.schedules.all()] == [1, 0]
        assert [schedule.exit_code for schedule in store.schedules.all()] == [None, None]
    assert len(runs) == 1


def test_a_process_that_is_ending_leaves_what_is_due_to_others(tmp_path: Path) -> None:
    over = threading.Event()
    over.set()
    with Store(tmp_path / "store") as store:
        assert store.schedules.add("night", NIGHTLY, now_ms=0)
        assert schedule_runner(store, over).run_due() == 0
        (schedule,) = store.schedules.all()
    assert (schedule.attempts, schedule.started_at_ms) == (0, None)


def test_a_process_that_cannot_be_started_is_a_failure_like_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    order = replace(NIGHTLY, folder=str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "missing"))
    assert run_command(order, lambda: False) == 1
    assert "no command can be run" in caplog.text


def test_a_folder_that_is_gone_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    order = replace(NIGHTLY, folder=str(tmp_path / "gone"))
    assert run_command(order, lambda: False) == 1
    assert str(tmp_path / "gone") in caplog.text


def test_whoever_has_certainly_ended_holds_nothing(tmp_path: Path) -> None:
    clock = Clock()
    with Store(tmp_path / "store") as store:
        store.runs.take("x", "dead", now_ms=0, until_ms=10**15)
        with (
            pytest.raises(TakenLease, match="dead"),
            held(store, "x", "one", clock=clock, has_ended=lambda holder: holder != "dead"),
        ):
            pass
        with held(store, "x", "one", clock=clock, has_ended=lambda holder: holder == "dead"):
            taken = store.runs.take("x", "two", now_ms=0, until_ms=1)
            assert taken is not None and taken.holder == "one"


def test_a_lease_that_is_lost_is_said(tmp_path: Path) -> None:
    clock = Clock()
    with (
        Store(tmp_path / "store") as store,
        held(store, "x", "one", clock=clock, beat_seconds=0.01) as lease,
    ):
        store.runs.let_go("x", "one")  # as a machine whose clock is a minute ahead would
        assert lease.is_lost.wait(30)


def test_a_schedule_that_is_removed_meanwhile_is_not_run(tmp_path: Path) -> None:
    clock, commands = Clock(), Commands()
    with machine(tmp_path / "store", clock, commands) as runner:
        scheduled(runner, clock)
        clock.pass_by(days=1)
        due_ms = round(datetime(2026, 6, 2, 3, 30, tzinfo=UTC).timestamp() * 1000)
        assert runner.store.schedules.remove("night")
        assert runner.store.schedules.begin("night", due_ms=due_ms, now_ms=due_ms) is None
        assert runner.run_due() == 0
