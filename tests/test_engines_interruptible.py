"""Ctrl-C ends the waiting, whichever thread the system tells of it."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from queue import SimpleQueue
from threading import Timer

import pytest

from engines.interruptible import next_of

ROOT = Path(__file__).parent.parent

PROGRAM = """
import signal, time
from queue import SimpleQueue
from threading import Thread
from engines.interruptible import next_of
signal.signal(signal.SIGINT, signal.default_int_handler)  # who began the tests may ignore it
Thread(target=time.sleep, args=(600,), daemon=True).start()
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # so the system tells the other thread
print("waiting", flush=True)
next_of(SimpleQueue())
"""


def test_what_comes_late_comes() -> None:
    queue: SimpleQueue[str] = SimpleQueue()
    Timer(0.5, queue.put, ["late"]).start()
    assert next_of(queue) == "late"


@pytest.mark.skipif(sys.platform == "win32", reason="threads have no signal masks there")
def test_a_signal_that_another_thread_takes_ends_it() -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert program.stdout is not None
    program.stdout.readline()
    program.send_signal(signal.SIGINT)
    _out, err = program.communicate(timeout=60)
    assert err.endswith("KeyboardInterrupt\n")
