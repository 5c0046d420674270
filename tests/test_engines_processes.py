"""Work in other processes: really started, really killed, and never left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from engines.processes import IsGivenUp, Processes

Order = tuple[str, float]
ROOT = Path(__file__).parent.parent


@contextmanager
def open_work(is_given_up: IsGivenUp) -> Iterator[Callable[[Order], int]]:
    """Waits for so many seconds, unless nobody waits for it any more; or fails, or dies.

    Told a folder, it waits there for another process.
    """

    def work(order: Order) -> int:
        what, seconds = order
        place = Path(what)
        if place.is_dir():
            (place / str(os.getpid())).touch()
        end = time.monotonic() + seconds
        while time.monotonic() < end and not is_given_up():
            if place.is_dir() and len(list(place.iterdir())) == 2:
                break
            time.sleep(0.01)
        if what == "fail":
            raise ZeroDivisionError("no such luck")
        if what == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()

    yield work


@contextmanager
def unopened(_is_given_up: IsGivenUp) -> Iterator[Callable[[Order], int]]:
    raise OSError("nothing opens")
    yield


@pytest.fixture
def processes() -> Iterator[Processes[Order, int]]:
    with Processes(open_work, at_most=2) as found:
        yield found


def test_two_work_at_the_same_time_and_none_before_it_is_needed(
    processes: Processes[Order, int], tmp_path: Path
) -> None:
    assert not processes.are_started
    made = [processes.submit((str(tmp_path), 60)) for _ in range(2)]
    assert processes.are_started
    pids = {future.result(60) for future in made}
    assert len(pids) == 2
    assert os.getpid() not in pids


def test_what_the_work_raises_is_raised_and_the_next_order_is_worked_on(
    processes: Processes[Order, int],
) -> None:
    with pytest.raises(ZeroDivisionError, match="no such luck"):
        processes.submit(("fail", 0)).result(60)
    assert processes.submit(("wait", 0)).result(60)


def test_what_cannot_be_opened_is_told_by_every_order() -> None:
    with Processes(unopened, at_most=1) as processes:
        for _ in range(2):
            with pytest.raises(OSError, match="nothing opens"):
                processes.submit(("wait", 0)).result(60)


def test_after_one_was_killed_there_are_others_but_not_for_ever(
    processes: Processes[Order, int],
) -> None:
    for _ in range(3):
        with pytest.raises(BrokenProcessPool):
            processes.submit(("die", 0)).result(60)
    with pytest.raises(BrokenProcessPool, match="time and again"):
        processes.submit(("wait", 0)).result(60)


def test_at_the_end_nobody_is_left_and_nobody_is_waited_for() -> None:
    with Processes(open_work, at_most=1) as processes:
        pid = processes.submit(("wait", 0)).result(60)
        begun, *waiting = (processes.submit(("wait", 600)) for _ in range(4))
        while not begun.running():
            time.sleep(0.01)
    assert begun.result(0) == pid
    assert all(future.cancelled() or future.result(0) for future in waiting)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


PROGRAM = """
import signal
from queue import SimpleQueue
from threading import Thread
from test_engines_processes import open_work
from engines.interruptible import next_of
from engines.processes import Processes
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # who began the tests may ignore it
    with Processes(open_work, at_most=1) as processes:
        def begin():
            soon, _late = processes.submit(("wait", 0)), processes.submit(("wait", 600))
            print(soon.result(60), flush=True)
        Thread(target=begin).start()
        next_of(SimpleQueue())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups of this kind")
@pytest.mark.parametrize("kind", ["killed", "interrupted"])
def test_they_end_with_the_process_that_began_them(tmp_path: Path, kind: str) -> None:
    """Killed it can tell nobody; Ctrl-C goes to all, and only the first is to say something."""
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    program = subprocess.Popen(
        [sys.executable, tmp_path / "program.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"},
        start_new_session=True,
    )
    assert program.stdout is not None
    pid = int(program.stdout.readline())
    if kind == "killed":
        program.kill()
    else:
        os.killpg(program.pid, signal.SIGINT)
    _out, err = program.communicate(timeout=60)
    wait_until_gone(pid)
    assert err.count("Traceback") == (kind == "interrupted")


def wait_until_gone(pid: int, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not is_there(pid):
            return
        time.sleep(0.02)
    pytest.fail(f"process {pid} is still there")


def is_there(pid: int) -> bool:
    """Not counting one that nobody waits for, as in a container without an init."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
