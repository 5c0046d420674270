"""`movelo work`: makes the reports that were asked for at `movelo serve`."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pipeline.cli.options import BudgetOption, EngineOption, NodesOption, WorkersOption, nodes_of
from pipeline.cli.this_process import holder_name

if TYPE_CHECKING:
    from config.settings import Settings
    from pipeline.jobs.worker import OpenSource

_NICE = 10
_LOOK_SECONDS = 0.3
_GRACE_SECONDS = 10.0


def work(
    nodes: NodesOption = None,
    budget: BudgetOption = None,
    workers: WorkersOption = None,
    engine: EngineOption = None,
    with_server: Annotated[
        bool,
        typer.Option("--with-server", help="End when standard input does.", hidden=True),
    ] = False,
) -> None:
    """Make the reports that are asked for at movelo serve, which starts one of these itself.

    More of them, on this machine or on others with the same PostgreSQL store, make more reports
    at once.

    Example: movelo work --workers 4
    """
    from config.settings import load_settings
    from pipeline.cli.job_queue import job_queue
    from pipeline.cli.logs import log_to_stderr
    from pipeline.cli.storage import open_store
    from pipeline.cli.workshop import workshop
    from pipeline.jobs.worker import Worker

    settings = load_settings()
    chosen_nodes = nodes_of(nodes, budget, settings.engine)
    if with_server:
        signal.signal(signal.SIGTERM, _end_quietly)
        threading.Thread(target=_end_with_stdin, daemon=True).start()
    log_to_stderr()
    os.nice(_NICE)  # pages and whoever else is here go first; engines inherit it
    with open_store(settings) as store:
        worker = Worker(
            name=holder_name(),
            queue=job_queue(store, settings.web),
            open_workshop=lambda progress: workshop(
                settings, nodes=chosen_nodes, workers=workers, engine=engine, progress=progress
            ),
            open_source=_source(settings),
            keep_days=settings.web.keep_days,
        )
        worker.work(_wait)


def _source(settings: Settings) -> OpenSource:
    from pipeline.cli.lichess_client import lichess
    from pipeline.sync import GameSource
    from pipeline.workshop import Workshop

    def opened(tools: Workshop, sleep: Callable[[float], None]) -> GameSource:
        return lichess(settings.lichess, tools.progress, tools.store, sleep=sleep)

    return opened


def _wait() -> bool:
    time.sleep(_LOOK_SECONDS)
    return False


def _end_quietly(_signal_number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit


def _end_with_stdin() -> None:
    """The server holds the other end, and however it goes, that is closed."""
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE_SECONDS)
    os._exit(1)
