"""The functions that Dask runs on its workers for movelo.

Calls travel as bytes that only a worker reads, while it works: so the scheduler needs no movelo,
and a worker without any says so; Dask's would end, again and again. Orders and games are bytes
within them: a worker with another movelo is found out before it reads any. Workers speak English:
who asked retells it.
"""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Callable
from functools import lru_cache

from distributed import get_worker

from config.errors import EngineError, EngineNotStarted, MoveloError
from config.version import version
from engines.cluster_orders import Answer, Order, Trouble
from engines.cluster_stations import Station, new_station
from engines.crew import stopped
from engines.evals import PositionSequence

WORKER = "worker"
PROBLEM = "problem"
"""What `check` answers with where a worker can't work at all: why, for a person."""

_lock = threading.Lock()
_stations: dict[tuple[str, str], Station] = {}
_ended: set[str] = set()


class Call:
    """A call whose unpickling makes it: Dask is given `pickle.loads` and `as_bytes`."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self._function = function
        self._arguments = arguments

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self._function, self._arguments

    def as_bytes(self) -> bytes:
        """For a worker's `pickle.loads`, which returns what the function does."""
        return pickle.dumps(self)


def check(caller_version: str, order: bytes) -> dict[str, str]:
    """What this worker works with, by name; only its movelo where that is another one.

    With its address as WORKER.
    """
    worker = get_worker().address
    if version() != caller_version:
        return {WORKER: worker, "movelo": version()}
    try:
        return {WORKER: worker, **dict(_station(_order(order)).facts)}
    except MoveloError as error:
        return {WORKER: worker, PROBLEM: str(error)}


def work(order: bytes, game: bytes) -> bytes:
    """One game, evaluated or read, or the `Trouble` with it: a pickled `Answer`."""
    wanted = _order(order)
    return pickle.dumps(_answer(wanted, pickle.loads(game)))  # noqa: S301 - as Dask does


async def end_run(run_id: str) -> None:
    """Nothing goes on for this run, on this worker, and nothing is begun any more."""
    _ended.add(run_id)
    await asyncio.to_thread(_end_stations, run_id)


def _answer(order: Order, game: PositionSequence) -> Answer:
    worker = get_worker().address
    try:
        station = _station(order)
    except MoveloError as error:
        return Trouble(kind="unfit", reason=str(error), worker=worker)
    if station.facts != order.expected:
        return Trouble(kind="unfit", reason="", worker=worker, facts=station.facts)
    try:
        return station.work_on(game)
    except EngineNotStarted as error:
        return Trouble(kind="not started", reason=str(error), worker=worker)
    except EngineError as error:
        return Trouble(kind="failed", reason=str(error), worker=worker)


def _end_stations(run_id: str) -> None:
    with _lock:
        ending = [_stations.pop(key) for key in list(_stations) if key[0] == run_id]
    for station in ending:
        station.stop()


def _station(order: Order) -> Station:
    """Made by the first task of a run, while the others wait."""
    key = (order.run_id, type(order).__name__)
    with _lock:
        if order.run_id in _ended:
            raise stopped()
        if key not in _stations:
            _stations[key] = new_station(order)
        return _stations[key]


@lru_cache(maxsize=64)
def _order(order: bytes) -> Order:
    read: Order = pickle.loads(order)  # noqa: S301 - as Dask itself does
    return read
