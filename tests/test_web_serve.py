"""`movelo serve` as a process: where it listens, and that a worker is always beside it."""

import logging
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from pipeline.cli.worker_process import WorkerProcess
from pipeline.store import Store
from pipeline.store.schedule_records import ScheduleOrder

ROOT = Path(__file__).parent.parent


def serve(folder: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "pipeline.cli", "serve", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={
            **os.environ,
            "MOVELO_DATA": str(folder),
            "MOVELO_CONFIG": str(folder / "none"),
            **environment,
        },
        timeout=60,
    )


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = serve(tmp_path, "--port", str(taken.getsockname()[1]))
    assert ended.returncode == 2
    assert "cannot be listened at (Address already in use" in ended.stderr
    assert "--port" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "environment", "sentence"),
    [
        (("--host", "no such host"), {}, "cannot be listened at"),
        (("--nodes", "500", "--budget", "fast"), {}, "not both"),
        ((), {"MOVELO_WEB__KEEP_DAYS": "0"}, "web.keep_days"),
    ],
)
def test_what_cannot_be_served_ends_with_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str], sentence: str
) -> None:
    ended = serve(tmp_path, *arguments, **environment)
    assert ended.returncode == 2
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr


class ShortLived(WorkerProcess):
    """Ends at once the first time, and stays the second."""

    def __init__(self, folder: Path) -> None:
        super().__init__([])
        mark = folder / "begun"
        code = (
            f"import pathlib, sys; mark = pathlib.Path({str(mark)!r})\n"
            "if not mark.exists(): mark.touch(); sys.exit(3)\n"
            "sys.stdin.read()"
        )
        self._command = [sys.executable, "-c", code]

    @property
    def id(self) -> int:
        return self._process.pid if self._process else 0


def test_a_worker_that_ends_is_begun_again_and_ended_with_the_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR), ShortLived(tmp_path) as worker:
        first, end = worker.id, time.monotonic() + 30
        while worker.id == first and time.monotonic() < end:
            time.sleep(0.05)
        second = worker.id
        assert second != first
        assert psutil.pid_exists(second)
    assert not psutil.pid_exists(second)
    assert "the worker ended (3)" in caplog.text


def test_a_worker_ends_when_its_server_is_gone(tmp_path: Path) -> None:
    worker = subprocess.Popen(
        [sys.executable, "-m", "pipeline.cli", "work", "--with-server"],
        stdin=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "MOVELO_DATA": str(tmp_path), "MOVELO_CONFIG": str(tmp_path / "none")},
    )
    try:
        assert worker.stdin is not None
        while not (tmp_path / "movelo.sqlite").exists():
            time.sleep(0.05)
        worker.stdin.close()
        assert worker.wait(timeout=30) == 0
    finally:
        if worker.poll() is None:
            worker.send_signal(signal.SIGKILL)
            worker.wait()


def test_a_server_runs_what_is_due_where_the_settings_say_so(tmp_path: Path) -> None:
    pytest.importorskip("apscheduler")
    order = ScheduleOrder(
        cron="* * * * *", zone="UTC", arguments=("--version",), folder=str(tmp_path)
    )
    with Store(tmp_path / "movelo.sqlite") as store:
        store.schedules.add("minute", order, now_ms=round((time.time() - 120) * 1000))
        server = subprocess.Popen(
            [sys.executable, "-m", "pipeline.cli", "serve", "--port", "0"],
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env={
                **os.environ,
                "MOVELO_DATA": str(tmp_path),
                "MOVELO_CONFIG": str(tmp_path / "none"),
                "MOVELO_SCHEDULE__WITH_SERVE": "true",
            },
        )
        try:
            end = time.monotonic() + 60
            while store.schedules.all()[0].exit_code is None and time.monotonic() < end:
                time.sleep(0.1)
        finally:
            server.terminate()
            server.wait(timeout=60)
        assert store.schedules.all()[0].exit_code == 0
