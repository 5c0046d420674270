"""Before the work begins, every worker of a cluster shows what it works with."""

from __future__ import annotations

import asyncio
import pickle
import time
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError

from config.errors import EngineError
from config.language import _
from config.version import version
from engines import cluster_tasks
from engines.cluster_client import Connection, Task, wait
from engines.cluster_facts import common_facts, refusal, unfit_for_tasks
from engines.cluster_orders import Facts, Order
from engines.cluster_workers import lost, no_workers, scheduler_address

_A_WHILE_SECONDS = 1.0
_BEFORE_ALL_ELSE = 1_000_000

_Shown = Mapping[str, str]


def checked_facts(
    client: Connection,
    order: Order,
    *,
    known: Facts = (),
    wait_seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> Facts:
    """What all workers agree on, `known` among it; EngineError names those that differ.

    Waits for a first worker up to `wait_seconds`, and again as long for all that are there then;
    one that is busy all that time shows it before its first game.
    """
    try:
        anyone = _anyone(client, order, wait_seconds)
        shown = anyone | _shown(client, order, clock() + wait_seconds, clock)
    except (OSError, CancelledError, asyncio.CancelledError) as error:
        raise lost(client) from error
    if not shown:  # whoever was there is gone
        raise no_workers(client, wait_seconds)
    return _agreed(shown, known)


def _anyone(client: Connection, order: Order, wait_seconds: float) -> dict[str, _Shown]:
    """A task for whoever is free: a cluster that grows with its work begins to grow."""
    task = _task(client, order, None)
    try:
        wait([task], timeout_seconds=wait_seconds)
    except TimeoutError as error:
        if not client.nthreads():
            raise no_workers(client, wait_seconds) from error
        raise EngineError(
            _(
                "no worker of the Dask cluster at {address} had time for movelo within "
                "{seconds:g} s; try again when it is less busy"
            ).format(address=scheduler_address(client), seconds=wait_seconds)
        ) from error
    shown = _read(task)
    worker = shown.get(cluster_tasks.WORKER)
    return {} if worker is None else {worker: shown}  # who does not say who it is, is asked again


def _shown(
    client: Connection, order: Order, give_up_at: float, clock: Callable[[], float]
) -> dict[str, _Shown]:
    """By worker; one that goes away meanwhile need not show anything."""
    tasks = {address: _task(client, order, address) for address in client.nthreads()}
    open_tasks = dict(tasks)
    while open_tasks and clock() < give_up_at:
        try:
            wait(list(open_tasks.values()), timeout_seconds=_A_WHILE_SECONDS)
        except TimeoutError:
            there = client.nthreads()
            tasks = {address: task for address, task in tasks.items() if address in there}
        open_tasks = {address: task for address, task in tasks.items() if not task.done()}
    return {address: _read(task) for address, task in tasks.items() if task.done()}


def _task(client: Connection, order: Order, worker: str | None) -> Task:
    return client.submit(
        pickle.loads,
        cluster_tasks.Call(cluster_tasks.check, version(), pickle.dumps(order)).as_bytes(),
        key=f"check-worker#{type(order).__name__}.{order.run_id}.{worker}",
        pure=False,
        workers=worker,
        priority=_BEFORE_ALL_ELSE,
    )


def _read(task: Task) -> _Shown:
    if task.status == "finished":
        shown: _Shown = task.result()
        return shown
    error = task.exception() if task.status == "error" else None
    return {cluster_tasks.PROBLEM: unfit_for_tasks(error)}


def _agreed(shown: Mapping[str, _Shown], known: Facts) -> Facts:
    own_words = (cluster_tasks.WORKER, cluster_tasks.PROBLEM)
    problems = {
        address: facts[cluster_tasks.PROBLEM]
        for address, facts in shown.items()
        if cluster_tasks.PROBLEM in facts
    }
    found = {
        address: tuple((name, fact) for name, fact in facts.items() if name not in own_words)
        for address, facts in shown.items()
        if address not in problems
    }
    expected = _with_known(common_facts(found) if found else (), known)
    refused = refusal(found, expected, problems=problems)
    if refused is not None:
        raise EngineError(refused)
    return expected


def _with_known(common: Facts, known: Facts) -> Facts:
    """In the order in which workers tell them; what is known here goes before what most have."""
    return tuple((dict(common) | dict(known)).items())
