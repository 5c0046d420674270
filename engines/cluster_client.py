"""A connection to a Dask scheduler, or to a small cluster of one's own on this machine.

Dask's client says little of its types: `Connection` and `Task` say what movelo uses of it.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Literal, Protocol, TypeAlias

import dask.config
from distributed import Client, LocalCluster, Worker, WorkerPlugin

from config.errors import EngineError
from config.language import _

LOCAL = "local"

_CONNECT_SECONDS = 10.0
_CLOSE_SECONDS = 5.0
_DASK_LOGGERS = ("distributed", "distributed.client", "distributed.gc", "tornado.application")
_TRIES = 3


_new_client: Callable[..., Any] = Client
_new_local_cluster: Callable[..., Any] = LocalCluster

Status: TypeAlias = Literal["pending", "finished", "error", "cancelled", "lost"]


class Task(Protocol):
    """A `distributed.Future`; `status` is "cancelled" or "lost" once the scheduler is."""

    @property
    def key(self) -> Any:
        """By which the cluster knows it: a string here."""
        ...

    @property
    def status(self) -> Status:
        """Whether it is done, and how it ended."""
        ...

    def done(self) -> bool:
        """Whether it has ended, in whatever way."""
        ...

    def result(self) -> Any:
        """What it returned."""
        ...

    def exception(self) -> BaseException | None:
        """What it raised."""
        ...

    def add_done_callback(self, call: Callable[[Any], None], /) -> None:
        """Has it called with the task, in some thread, once it is done."""
        ...


class Connection(Protocol):
    """A `distributed.Client`. Any of its methods raises OSError once the scheduler is gone."""

    status: str

    @property
    def scheduler(self) -> Any:
        """Its `address` is the scheduler's."""
        ...

    @property
    def dashboard_link(self) -> str:
        """For a browser."""
        ...

    def submit(
        self,
        function: Callable[..., Any],
        *arguments: object,
        key: str,
        pure: bool,
        workers: Sequence[str] | None = None,
        priority: int = 0,
    ) -> Task:
        """Have it run on a worker, one of `workers` if there are some."""
        ...

    def map(
        self,
        function: Callable[..., Any],
        *arguments: Sequence[object],
        key: Sequence[str],
        pure: bool,
        workers: Sequence[str] | None = None,
        allow_other_workers: bool = False,
    ) -> Sequence[Task]:
        """`submit` for many: the nth call has the nth of each of `arguments`, and of `key`."""
        ...

    def gather(self, tasks: Sequence[Task], *, direct: bool) -> list[Any]:
        """What finished tasks returned."""
        ...

    def cancel(self, tasks: Sequence[Task], *, force: bool) -> None:
        """What has not begun never will."""
        ...

    def run(self, function: Callable[..., Any], *arguments: object, on_error: str) -> Any:
        """Run it on each worker at once, beside its tasks."""
        ...

    def nthreads(self) -> Mapping[str, int]:
        """Of each worker that is there, by address."""
        ...


def wait(tasks: Sequence[Task], *, timeout_seconds: float) -> None:
    """Until all are done; TimeoutError. Dask's own `wait` wants a client for the whole process."""
    give_up_at = time.monotonic() + timeout_seconds
    ended = threading.Semaphore(0)
    for task in tasks:
        task.add_done_callback(lambda _task: ended.release())
    for _one in tasks:
        if not ended.acquire(timeout=max(0.0, give_up_at - time.monotonic())):
            raise TimeoutError


@contextmanager
def connected(address: str, *, workers: int, name: str) -> Iterator[Connection]:
    """A client of the scheduler at `address`; LOCAL starts `workers` workers here.

    EngineError when no scheduler answers. Dask keeps quiet meanwhile: what goes wrong is told
    by movelo, in its own words. The workers of LOCAL are gone at the end.
    """
    with ExitStack() as stack:
        stack.enter_context(_dask_keeps_quiet())
        if address == LOCAL:
            address = stack.enter_context(_local_cluster(workers)).scheduler_address
        client = _client(address, name)
        try:
            yield client
        finally:
            client.close(timeout=_CLOSE_SECONDS)


def _client(address: str, name: str) -> Any:
    try:
        return _new_client(
            address,
            timeout=_CONNECT_SECONDS,
            set_as_default=False,
            name=name,
        )
    except (OSError, ValueError) as error:
        raise EngineError(
            _(
                "no Dask scheduler answers at {address}; start one there with: dask scheduler, or "
                "correct the address"
            ).format(address=address)
        ) from error


@contextmanager
def _local_cluster(workers: int) -> Iterator[Any]:
    """One process a worker, one thread each; the dashboard takes any port that is free."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": _TRIES - 1}),
        _new_local_cluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
            memory_limit=0,
        ) as cluster,
    ):
        with _new_client(cluster, set_as_default=False) as client:
            client.register_plugin(_DeafToInterrupts())
        yield cluster


class _DeafToInterrupts(WorkerPlugin):
    """Ctrl-C in a terminal reaches every process there; ending workers is up to movelo."""

    name = "movelo-deaf-to-interrupts"

    def setup(self, worker: Worker) -> None:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _dask_keeps_quiet() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in _DASK_LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
