"""Runs `movelo` many times in one go: it is loaded once, and each run is a fork of that.

    [done] = forked([["game", "games.pgn"]], environment, folder)

As a program it reads the runs from standard input, as JSON, and writes what came of them.
"""

import json
import os
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).parent.parent

_LOADED = (
    *("pipeline.cli.app", "pipeline.cli.workshop", "pipeline.cli.storage", "pipeline.run"),
    *("pipeline.importing", "reports.to_json", "reports.to_html", "reports.terminal"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """One run; `peak_mebibytes` and `cpu_seconds` are its own, its engines' left out."""

    code: int
    said: str
    peak_mebibytes: float
    cpu_seconds: float


def forked(
    runs: Sequence[Sequence[str]], environment: Mapping[str, str], folder: Path
) -> list[Done]:
    """What came of each run, in order."""
    told = subprocess.run(
        [sys.executable, __file__, str(folder)],
        input=json.dumps(runs),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=dict(environment),
        check=True,
        timeout=600,
    )
    return [Done(**one) for one in json.loads(told.stdout)]


def _all(folder: Path, runs: list[list[str]]) -> list[dict[str, object]]:
    for module in _LOADED:
        import_module(module)
    return [_one(folder / "said", arguments) for arguments in runs]


def _one(said: Path, arguments: list[str]) -> dict[str, object]:
    child = os.fork()
    if child == 0:
        _run(said, arguments)
    _child, status, used = os.wait4(child, 0)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "said": said.read_text("utf-8", "replace"),
        "peak_mebibytes": used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10),
        "cpu_seconds": used.ru_utime + used.ru_stime,
    }


def _run(said: Path, arguments: list[str]) -> NoReturn:
    file = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.argv = ["movelo", *arguments]
    code = 99
    try:
        from pipeline.cli import main

        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except BaseException:
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    print(json.dumps(_all(Path(sys.argv[1]), json.load(sys.stdin))))
