"""Looks at the clock and runs what is due: each schedule once, on one machine at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias

from config.errors import SettingsError, StoreError
from pipeline.batch.lease import HeldLease, TakenLease, held
from pipeline.epoch import epoch_ms
from pipeline.schedule.cron import Cron
from pipeline.store import Store
from pipeline.store.schedule_records import Schedule, ScheduleOrder

ATTEMPTS = 3
"""So often is begun anew what ended with its machine, before it is left to the next time."""

RunCommand: TypeAlias = Callable[[ScheduleOrder, Callable[[], bool]], int | None]
"""Runs it to its end, as its exit code; ends it early, as None, once the second says so."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleRunner:
    """`holder` is no other runner's name, `clock` gives UTC.

    Once `is_over` is True nothing is begun any more, and what runs is ended: whoever looks next
    runs it again.

    What is due is what the cron expression says since the last time that was handled: however
    many times were missed, the last of them is caught up, once.
    """

    store: Store
    holder: str
    run_command: RunCommand
    clock: Callable[[], datetime]
    is_over: Callable[[], bool] = lambda: False

    def run(self, wait: Callable[[], bool]) -> None:
        """Until `wait` is True, which is asked after each look, after a moment."""
        while True:
            try:
                self.run_due()
            except StoreError as error:
                _log.error("the schedules cannot be read: %s", error)
            if wait():
                return

    def run_due(self) -> int:
        """Run whatever is due now, one after the other; how many there were."""
        return sum(map(self._run_if_due, self.store.schedules.all()))

    def _run_if_due(self, schedule: Schedule) -> bool:
        due_ms = due_now_ms(schedule, self.clock())
        if due_ms is None or self.is_over():
            return False
        try:
            with held(
                self.store, f"schedule {schedule.name}", self.holder, clock=self.clock
            ) as lease:
                return self._run(schedule.name, due_ms, lease)
        except TakenLease:
            return False  # another machine runs it

    def _run(self, name: str, due_ms: int, lease: HeldLease) -> bool:
        schedules = self.store.schedules
        begun = schedules.begin(name, due_ms=due_ms, now_ms=epoch_ms(self.clock()))
        if begun is None:
            return False  # another machine has run it meanwhile
        if begun.attempts > ATTEMPTS:
            _log.error("%s: given up after %d attempts", name, ATTEMPTS)
            schedules.end(name, due_ms=due_ms, now_ms=epoch_ms(self.clock()), exit_code=None)
            return False
        _log.info("%s: begun, attempt %d", name, begun.attempts)
        code = self.run_command(begun.order, lambda: self.is_over() or lease.is_lost.is_set())
        if code is not None:
            _log.info("%s: ended with %d", name, code)
            schedules.end(name, due_ms=due_ms, now_ms=epoch_ms(self.clock()), exit_code=code)
        return True


def due_now_ms(schedule: Schedule, now: datetime) -> int | None:
    """The last time at which it was due and not handled; None when nothing is due."""
    handled = datetime.fromtimestamp(schedule.handled_ms / 1000, UTC)
    try:
        cron = Cron(schedule.order.cron, schedule.order.zone)
    except SettingsError as error:
        _log.error("%s: %s", schedule.name, error)
        return None
    due = cron.last_due(handled, now)
    return None if due is None else epoch_ms(due)
