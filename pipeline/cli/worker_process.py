"""The process that makes reports for `movelo serve`: begun with it, begun anew when it dies."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

_log = logging.getLogger(__name__)

_LONGEST_PAUSE_SECONDS = 30.0
_STOP_SECONDS = 10.0


class WorkerProcess:
    """A context manager: `movelo work` with these options, for as long as the server runs.

    It lies in a process of its own so that pages stay fast while it computes. It reads its
    standard input, which ends with the server however that ends, and ends then too.
    """

    def __init__(self, options: Sequence[str]) -> None:
        # -P: what lies in the current folder is not the program.
        self._command = [sys.executable, "-P", "-m", "pipeline.cli", "work", "--with-server"]
        self._command += options
        self._process: subprocess.Popen[bytes] | None = None
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._keep_alive, name="worker", daemon=True)

    def __enter__(self) -> WorkerProcess:
        self._begin()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._over.set()
            process = self._process
        if process is not None:
            _end(process)
        self._thread.join(timeout=_STOP_SECONDS)

    def _begin(self) -> None:
        with self._lock:
            if not self._over.is_set():
                # Not in the terminal's group: Ctrl-C is for the server, which then stops it.
                self._process = subprocess.Popen(
                    self._command, stdin=subprocess.PIPE, start_new_session=True
                )

    def _keep_alive(self) -> None:
        pause_seconds = 1.0
        while self._process is not None and not self._over.is_set():
            began_at = time.monotonic()
            code = self._process.wait()
            if self._over.is_set():
                return
            _let_go(self._process)
            lived_long = time.monotonic() - began_at > 2 * _LONGEST_PAUSE_SECONDS
            pause_seconds = 1.0 if lived_long else min(2 * pause_seconds, _LONGEST_PAUSE_SECONDS)
            _log.error("the worker ended (%d); beginning it again in %g s", code, pause_seconds)
            if not self._over.wait(pause_seconds):
                self._begin()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Asked first: it puts its report back into the queue and stops its engines."""
    process.terminate()
    try:
        process.wait(timeout=_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    _let_go(process)


def _let_go(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()
