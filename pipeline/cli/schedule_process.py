"""Runs what is due: each command in a process of its own, whoever looks at the clock."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipeline.cli.this_process import holder_name

if TYPE_CHECKING:
    from config.settings import Settings
    from pipeline.schedule.runner import ScheduleRunner
    from pipeline.store import Store
    from pipeline.store.schedule_records import ScheduleOrder

LOOK_SECONDS = 10.0

_POLL_SECONDS = 0.5
_END_SECONDS = 30.0
_NOT_BEGUN = 1

_log = logging.getLogger(__name__)


@contextmanager
def scheduling(settings: Settings) -> Iterator[None]:
    """Within the block a thread runs whatever is due; what runs at its end is ended with it.

    For `movelo serve`: a page does not wait for it. What is ended early is run again by whoever
    looks next.
    """
    from pipeline.cli.storage import open_store

    over = threading.Event()

    def run() -> None:
        with open_store(settings) as store:
            schedule_runner(store, over).run(wait=lambda: over.wait(LOOK_SECONDS))

    thread = threading.Thread(target=run, name="schedules", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(_END_SECONDS + 2 * _POLL_SECONDS)


def schedule_runner(store: Store, over: threading.Event) -> ScheduleRunner:
    """One that ends what it runs when `over` is set."""
    from pipeline.schedule.runner import ScheduleRunner

    return ScheduleRunner(
        store=store,
        holder=holder_name(),
        run_command=run_command,
        clock=lambda: datetime.now(UTC),
        is_over=over.is_set,
    )


def run_command(order: ScheduleOrder, is_over: Callable[[], bool]) -> int | None:
    """`movelo ARGUMENTS…` in its folder; its exit code, None when it was ended early."""
    try:
        process = _begun(order)
    except OSError as error:
        _log.error("no command can be run in the folder %s: %s", order.folder, error)
        return _NOT_BEGUN
    try:
        while not is_over():
            try:
                return process.wait(_POLL_SECONDS)
            except subprocess.TimeoutExpired:
                continue
        return None
    finally:
        _end(process)


def _begun(order: ScheduleOrder) -> subprocess.Popen[bytes]:
    """OSError where the folder is missing, or the machine has no room for a process."""
    # -P: what lies in the folder is not the program.
    command = [sys.executable, "-P", "-m", "pipeline.cli", *order.arguments]
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, cwd=order.folder, start_new_session=True
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """Asked first: it keeps what it has."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
