"""Runs `movelo` with its libraries loaded already: half of what a start takes is loading them.

    with LoadedMovelo() as loaded:
        done = loaded(["game", "games.pgn"], environment, ROOT)

Each run is a process of its own, the fork of one that has loaded libraries and nothing of movelo's:
movelo's own modules, the settings and all effects are as in `python -m pipeline.cli`, to which it
falls back where processes are not forked safely. Where a start itself counts, where the run
is stopped, or where it reads standard input, start `python -m pipeline.cli`.
"""

import json
import os
import runpy
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

ROOT = Path(__file__).parent.parent
LIMIT_SECONDS = 120

_LIBRARIES = (
    *("asyncio", "email.parser", "sqlite3", "statistics", "tarfile", "xml.etree.ElementTree"),
    *("typer.main", "typer._adapters", "typer.rich_utils", "rich.progress", "rich.table"),
    *("alembic.command", "alembic.context", "mako.template", "pygments.lexers.html", "tomllib"),
    *("sqlalchemy", "sqlalchemy.dialects.sqlite", "sqlalchemy.dialects.postgresql", "numpy"),
    *("berserk", "requests", "chess.engine", "chess.pgn", "jinja2", "pydantic_settings"),
    *("pandas", "platformdirs", "pyarrow.parquet", "tzlocal", "zstandard"),
)

_NO_THREADS = {"OPENBLAS_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""With threads of the libraries' own it could not be forked."""


class LoadedMovelo:
    """Runs one after the other."""

    def __enter__(self) -> Self:
        self._folder = TemporaryDirectory()
        self._parent = subprocess.Popen(
            [sys.executable, __file__, self._folder.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, **_NO_THREADS, "PYTHONWARNINGS": "error"},
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._parent.communicate(timeout=LIMIT_SECONDS)
        self._folder.cleanup()

    def __call__(
        self, arguments: Sequence[str], environment: Mapping[str, str], folder: Path
    ) -> "subprocess.CompletedProcess[str]":
        """One run in `folder`, to its end; warnings are errors in it."""
        if sys.platform != "linux":
            return _started(arguments, environment, folder)
        assert self._parent.stdin is not None and self._parent.stdout is not None
        asked = {"arguments": arguments, "environment": dict(environment), "folder": str(folder)}
        self._parent.stdin.write(json.dumps(asked) + "\n")
        self._parent.stdin.flush()
        code = int(self._parent.stdout.readline())
        out, err = (Path(self._folder.name, name).read_text("utf-8") for name in ("out", "err"))
        return subprocess.CompletedProcess(list(arguments), code, out, err)


def _started(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "pipeline.cli", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        timeout=LIMIT_SECONDS,
    )


def _serve(said: Path) -> dict[str, Any] | None:
    """Answers each wish with an exit code; what is wished is returned in the fork that does it."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            wish: dict[str, Any] = json.loads(line)
            _become(wish, said)
            return wish
        print(_exit_code(child), flush=True)
    return None


def _exit_code(child: int) -> int:
    ends_at = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < ends_at:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    with suppress(ProcessLookupError):
        os.killpg(child, 9)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _become(wish: Mapping[str, Any], said: Path) -> None:
    """What `subprocess` does between fork and exec, and what an interpreter does as it starts."""
    os.setsid()
    os.chdir(wish["folder"])
    os.environ.clear()
    os.environ.update(wish["environment"])
    time.tzset()
    files = [os.open(os.devnull, os.O_RDONLY)]
    files += [
        os.open(said / name, os.O_CREAT | os.O_TRUNC | os.O_WRONLY) for name in ("out", "err")
    ]
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.argv = ["pipeline.cli", *wish["arguments"]]
    sys.path[0] = str(ROOT)


if __name__ == "__main__":
    for library in _LIBRARIES:
        with suppress(ImportError):  # pyarrow is an extra
            import_module(library)
    if (wish := _serve(Path(sys.argv[1]))) is not None:
        runpy.run_module("pipeline.cli", run_name="__main__", alter_sys=True)
