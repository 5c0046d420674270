"""A UCI engine's process: lines in, lines out, a deadline, an end that leaves nothing behind.

Lines are read by the thread that waits for them: beside two engines an event loop, python-chess's
too, takes more than twice the processor time for each position, on cores that they need.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

from config.errors import EngineDied, EngineNotFound
from config.language import _
from engines.deadline import Deadline
from engines.process import exit_hint, kill_group

_log = logging.getLogger(__name__)
_SECONDS_TO_DIE = 5.0
_LONGEST_LINE = 1 << 20


class UciProcess:
    """Alive from its making to `close`; used by one thread, but for `kill`.

    It leads a process group of its own, so that Ctrl-C in a terminal reaches movelo alone.
    Should movelo be killed, the engine's standard input ends, on which Stockfish stops
    searching and quits.
    """

    def __init__(self, path: Path) -> None:
        """EngineNotFound, or EngineDied when it is no program for this machine."""
        path = path.absolute()  # a bare name would be looked up on PATH
        try:
            self._process = _started(path)
        except OSError as error:
            if not path.exists():
                raise EngineNotFound(
                    _("there is no engine at {path}; give another path").format(path=path)
                ) from error
            raise EngineDied(
                _("{path} cannot be started ({error}); is it a program for this machine?").format(
                    path=path, error=error.strerror
                )
            ) from error
        self.deadline = Deadline(on_missed=self.kill)
        self._last_error_line = ""
        self._listener = threading.Thread(
            target=self._listen, args=(_pipe(self._process.stderr),), daemon=True
        )
        self._input, self._output = _pipe(self._process.stdin), _pipe(self._process.stdout)
        self.deadline.start()
        self._listener.start()

    @property
    def id(self) -> int:
        """Of the process."""
        return self._process.pid

    def send(self, text: str) -> None:
        """Commands, each with the end of its line. That nobody takes them is seen in reading."""
        try:
            self._input.write(text.encode())
            self._input.flush()
        except OSError as error:
            _log.debug("engine %d does not listen: %s", self.id, error)

    def read_line(self) -> str:
        """The next line, without its end; EOFError once there is none any more."""
        line = self._output.readline(_LONGEST_LINE)
        if not line:
            raise EOFError("the engine has ended")
        return line.decode(errors="replace").rstrip()

    def kill(self) -> None:
        """End it at once, and whatever it started. From any thread."""
        if self._process.returncode is None:
            kill_group(self.id)

    def close(self) -> None:
        """End it, whatever it is doing, and wait until it is gone."""
        self.deadline.close()
        self.kill()
        self._wait()
        for pipe in (self._input, self._output):
            try:
                pipe.close()
            except OSError as error:  # what was not sent any more
                _log.debug("engine %d: %s", self.id, error)
        self._listener.join(_SECONDS_TO_DIE)

    def why_it_ended(self) -> str:
        """The exit code and the engine's last words, or what the code means."""
        self._wait()
        self._listener.join(_SECONDS_TO_DIE)
        code = self._process.returncode
        return _("(exit code {code}): {last_error_line}").format(
            code=code, last_error_line=self._last_error_line or exit_hint(code)
        )

    def _wait(self) -> None:
        try:
            self._process.wait(_SECONDS_TO_DIE)
        except subprocess.TimeoutExpired:
            self.kill()

    def _listen(self, errors: IO[bytes]) -> None:
        """What an engine writes to standard error is mostly the reason for its death."""
        with errors:
            while line := errors.readline(_LONGEST_LINE):
                text = line.decode(errors="replace").strip()
                _log.debug("engine %d on standard error: %s", self.id, text)
                self._last_error_line = text or self._last_error_line


def _started(path: Path) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    if sys.platform == "win32":
        group = subprocess.CREATE_NEW_PROCESS_GROUP
        return subprocess.Popen([path], stdin=pipe, stdout=pipe, stderr=pipe, creationflags=group)
    return subprocess.Popen([path], stdin=pipe, stdout=pipe, stderr=pipe, process_group=0)


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "all three were asked for"  # noqa: S101
    return pipe
