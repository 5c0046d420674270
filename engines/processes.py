"""Python in several processes, for work that one interpreter does on one core only."""

from __future__ import annotations

import atexit
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, contextmanager
from multiprocessing.connection import wait
from multiprocessing.synchronize import Event
from typing import Any, Generic, TypeAlias, TypeVar

from config.garbage import look_seldom

IsGivenUp: TypeAlias = Callable[[], bool]
"""Asked by work that takes long: whether nobody waits for it any more."""

_Order = TypeVar("_Order")
_Made = TypeVar("_Made")

Work: TypeAlias = Callable[[_Order], _Made]
OpenWork: TypeAlias = Callable[[IsGivenUp], AbstractContextManager[Callable[[_Order], _Made]]]
"""Called in each process for its first order; whatever it opens stays open for the next ones."""

_MOST_LOSSES = 3

_log = logging.getLogger(__name__)


class Processes(Generic[_Order, _Made]):
    """Up to `at_most` processes that work on orders; use as a context manager.

    None is started before it is needed. `open_work`, orders and what is made of them are pickled.
    At the end of the `with` block no process is left: orders that are not begun are given up, and
    those that are as soon as they ask. They end also when this process is killed.
    """

    def __init__(self, open_work: OpenWork[_Order, _Made], *, at_most: int) -> None:
        self._open_work = open_work
        self._at_most = at_most
        self._executor: ProcessPoolExecutor | None = None
        self._giving_up: Event | None = None
        self._losses = 0

    def __enter__(self) -> Processes[_Order, _Made]:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    @property
    def are_started(self) -> bool:
        """Whether somebody was needed before: whoever is asked first waits for the start."""
        return self._executor is not None

    def submit(self, order: _Order) -> Future[_Made]:
        """Have it worked on. The future raises what the work raises.

        BrokenProcessPool is raised for all that was out when a process was killed; the next order
        finds new processes, unless that happens time and again. To be called from one thread,
        not the main one where Ctrl-C is to work: see `_uninterrupted`.
        """
        try:
            return self._submit(order)
        except BrokenProcessPool:
            self._losses += 1
            _log.warning("a process was killed; what it worked on is not lost")
            if self._losses < _MOST_LOSSES:
                self._close()
                return self._submit(order)
            return _failed()

    def _submit(self, order: _Order) -> Future[_Made]:
        executor = self._executor or self._opened()
        with _uninterrupted():  # not before: opening it lets signals through again
            return executor.submit(_worked_on, order)

    def _opened(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # forks and threads do not mix
        self._giving_up = context.Event()
        self._executor = ProcessPoolExecutor(
            self._at_most,
            mp_context=context,
            initializer=_begin,
            initargs=(self._open_work, self._giving_up),
        )
        return self._executor

    def _close(self) -> None:
        if self._giving_up is not None:
            self._giving_up.set()
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None


def _failed() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(BrokenProcessPool("processes were killed time and again"))
    return future


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C goes to all processes of a terminal; those begun in here leave it to their parent.

    What comes now must find the main thread ready: Python may overlook it in another one.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- in the processes ------------------------------------------------------------------------


class _Station:
    """What a process works with."""

    def __init__(self, open_work: OpenWork[Any, Any], is_given_up: IsGivenUp) -> None:
        self._open_work = open_work
        self._is_given_up = is_given_up
        self._stack = ExitStack()
        self._work: Work[Any, Any] | None = None
        atexit.register(self._stack.close)

    def worked_on(self, order: Any) -> Any:
        """Opened late: what fails at a process's start leaves nobody who could tell of it."""
        if self._work is None:
            self._work = self._stack.enter_context(self._open_work(self._is_given_up))
        return self._work(order)


_stations: list[_Station] = []
"""One, in a process of ours."""


def _begin(open_work: OpenWork[Any, Any], giving_up: Event) -> None:
    look_seldom()
    _stations.append(_Station(open_work, giving_up.is_set))
    threading.Thread(target=_end_with_parent, name="watching the parent", daemon=True).start()


def _worked_on(order: Any) -> Any:
    (station,) = _stations
    return station.worked_on(order)


def _end_with_parent() -> None:
    """Whoever waits for an order would never know that nobody is left to give one."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
