"""Who works on a Dask cluster just now: workers come and go."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from config.errors import EngineError
from config.language import _
from engines.cluster_client import Connection

_LOOK_SECONDS = 2.0
_LEAST_TASKS = 16
"""Enough for a cluster that grows with its work to begin growing."""
_TASKS_A_THREAD = 3


class WorkerWatch:
    """The cluster's workers, as of a few seconds ago.

    `without_workers_seconds`: how long work may wait while there is no worker at all.
    """

    def __init__(
        self,
        client: Connection,
        *,
        without_workers_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._without_workers_seconds = without_workers_seconds
        self._clock = clock
        self._threads: dict[str, int] = {}
        self._looked_at: float | None = None
        self._seen_at = clock()

    @property
    def most_in_flight(self) -> int:
        """So many tasks keep all threads busy; more would only fill the scheduler's memory."""
        return max(_LEAST_TASKS, _TASKS_A_THREAD * sum(self._threads.values()))

    def look(self, *, is_work_waiting: bool) -> None:
        """Look again, if it is time. EngineError when work waits and nobody is there for long."""
        now = self._clock()
        if self._looked_at is not None and now < self._looked_at + _LOOK_SECONDS:
            return
        self._threads = dict(self._client.nthreads())
        self._looked_at = now
        if self._threads or not is_work_waiting:
            self._seen_at = now
        elif now > self._seen_at + self._without_workers_seconds:
            raise no_workers(self._client, self._without_workers_seconds)

    def others_than(self, tried: Sequence[str]) -> list[str]:
        """Addresses; empty where nobody was tried, or nobody else is there."""
        return [address for address in self._threads if address not in tried] if tried else []


def scheduler_address(client: Connection) -> str:
    """Such as `tcp://10.0.0.1:8786`."""
    return str(client.scheduler.address) if client.scheduler else "?"


def no_workers(client: Connection, seconds: float) -> EngineError:
    """What is said of a cluster where nobody works."""
    return EngineError(
        _(
            "the Dask cluster at {address} has had no worker for {seconds:g} s; start some with: "
            "dask worker {address}, and start the same command again: what was evaluated is kept"
        ).format(address=scheduler_address(client), seconds=seconds)
    )


def lost(client: Connection) -> EngineError:
    """What is said of a scheduler that does not answer any more."""
    return EngineError(
        _(
            "the connection to the Dask scheduler at {address} is lost; what was evaluated is "
            "kept: see to the scheduler, and start the same command again"
        ).format(address=scheduler_address(client))
    )
