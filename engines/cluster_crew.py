"""Games as Dask tasks: a bounded number in flight, retries elsewhere, results as they are done."""

from __future__ import annotations

import asyncio
import contextvars
import heapq
import itertools
import logging
import pickle
import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError
from queue import Empty, SimpleQueue
from typing import Self

from distributed import KilledWorker

from config.errors import EngineError
from config.language import _, english, nenglish, retold
from engines import cluster_tasks
from engines.cluster_client import Connection, Task
from engines.cluster_facts import refusal, unfit_for_tasks
from engines.cluster_orders import Answer, Facts, Trouble
from engines.cluster_rules import Attempt, ClusterRules, Deliver
from engines.cluster_workers import WorkerWatch, lost
from engines.crew import stopped, urgency
from engines.evals import PositionSequence

_LOOK_SECONDS = 2.0
_AT_ONCE = 100
_STOP_SECONDS = 15.0
_LOST = (OSError, CancelledError, asyncio.CancelledError)

_log = logging.getLogger(__name__)


class ClusterCrew:
    """Has games worked on by a cluster's workers; use as a context manager.

    Of the games that wait here, the longest goes first, as in an `EngineCrew`. A game whose worker
    fails on it goes to another, and after `max_tries` is set aside. At the end of the `with`
    block, what was not finished is given up, on the workers too.
    """

    def __init__(self, client: Connection, rules: ClusterRules, deliver: Deliver) -> None:
        self._client = client
        self._rules = rules
        self._deliver = deliver
        self._events: SimpleQueue[Attempt | Task | None] = SimpleQueue()
        self._numbers = itertools.count(1)
        self._waiting: list[Attempt] = []
        self._in_flight: dict[str, tuple[Task, Attempt]] = {}
        self._workers = WorkerWatch(client, without_workers_seconds=rules.without_workers_seconds)
        self._stopping = False
        self._thread = threading.Thread(
            target=contextvars.copy_context().run,
            args=(self._run,),
            name=f"movelo cluster {rules.stage}",
            daemon=True,
        )
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def expected(self) -> Facts:
        """What all workers work with."""
        return self._rules.expected

    def submit(self, sequence: PositionSequence) -> None:
        """Have a game worked on; its outcome is delivered when it is there."""
        number = next(self._numbers)
        self._events.put(Attempt(urgency(sequence, number), number, sequence))

    def stop(self) -> None:
        """Give up what is not finished. That the scheduler can't be told any more is fine."""
        self._stopping = True
        self._events.put(None)
        self._thread.join(_STOP_SECONDS)
        self._deliver(stopped())  # for a caller that goes on asking

    def _run(self) -> None:
        try:
            while not self._stopping:
                self._take_events()
                self._workers.look(is_work_waiting=bool(self._in_flight or self._waiting))
                self._send()
        except BaseException as error:  # the caller's thread raises it
            if not self._stopping:
                self._deliver(self._explained(error))
        finally:
            self._give_up()

    # --- out ---------------------------------------------------------------------------------

    def _send(self) -> None:
        """Many at once cost the scheduler less than one by one."""
        room = max(0, self._workers.most_in_flight - len(self._in_flight))
        attempts = [heapq.heappop(self._waiting) for _ in range(min(room, len(self._waiting)))]
        by_workers: dict[tuple[str, ...], list[Attempt]] = {}
        for attempt in attempts:
            others = tuple(self._workers.others_than(attempt.tried))
            by_workers.setdefault(others, []).append(attempt)
        for workers, alike in by_workers.items():
            self._send_alike(alike, workers)

    def _send_alike(self, attempts: Sequence[Attempt], workers: Sequence[str]) -> None:
        """To one of `workers`, if one is free; to any where there are none."""
        keys = [self._key(attempt) for attempt in attempts]
        tasks = self._client.map(
            pickle.loads,
            [self._call(attempt).as_bytes() for attempt in attempts],
            key=keys,
            pure=False,
            workers=list(workers) or None,
            allow_other_workers=bool(workers),
        )
        for key, task, attempt in zip(keys, tasks, attempts, strict=True):
            self._in_flight[key] = (task, attempt)
            task.add_done_callback(self._events.put)

    def _call(self, attempt: Attempt) -> cluster_tasks.Call:
        game = pickle.dumps(attempt.sequence)
        return cluster_tasks.Call(cluster_tasks.work, self._rules.order, game)

    def _key(self, attempt: Attempt) -> str:
        """As Dask groups tasks by the words before "-", a stage stays one group, whatever the id.

        Runs on the same cluster, and tries of the same game, must not share a key.
        """
        shown = attempt.sequence.game_id.replace("-", "_")
        number = f"{attempt.arrival}.{len(attempt.tried) + 1}"
        return f"{self._rules.stage}-{shown}#{self._rules.run_id}.{number}"

    # --- in ----------------------------------------------------------------------------------

    def _take_events(self) -> None:
        """Waits for a first one, a while, and takes what else is there."""
        done: list[Task] = []
        for event in self._new_events():
            if isinstance(event, Attempt):
                heapq.heappush(self._waiting, event)
            elif event is not None and event.key in self._in_flight:
                done.append(event)
        if done and not self._stopping:
            self._take_results(done)

    def _new_events(self) -> list[Attempt | Task | None]:
        events: list[Attempt | Task | None] = []
        try:
            events.append(self._events.get(timeout=_LOOK_SECONDS))
            while len(events) < _AT_ONCE:
                events.append(self._events.get_nowait())
        except Empty:
            pass
        return events

    def _take_results(self, done: Sequence[Task]) -> None:
        finished = [future for future in done if future.status == "finished"]
        answers: list[bytes] = self._client.gather(finished, direct=False) if finished else []
        for future, answer in zip(finished, answers, strict=True):
            _future, attempt = self._in_flight.pop(future.key)
            self._take_answer(attempt, pickle.loads(answer))  # noqa: S301 - as Dask does
        for future in done:
            if future.key in self._in_flight:
                self._take_fault(future)

    def _take_answer(self, attempt: Attempt, answer: Answer) -> None:
        if not isinstance(answer, Trouble):
            self._deliver(answer)
        elif answer.kind == "unfit":
            raise EngineError(self._unfit(answer))
        else:
            self._give_back(attempt, answer)

    def _take_fault(self, future: Task) -> None:
        """The task did not even answer: it was cancelled, killed its workers, or made Dask fail."""
        _future, attempt = self._in_flight.pop(future.key)
        if future.status != "error":
            raise lost(self._client)
        error = future.exception()
        if isinstance(error, KilledWorker):
            self._set_aside(attempt, _killed_workers(error))
        elif isinstance(error, (ImportError, AttributeError)):  # a worker that came later
            problems = {_("one that came later"): unfit_for_tasks(error)}
            raise EngineError(refusal({}, (), problems=problems))
        else:
            self._give_back(attempt, Trouble(kind="failed", reason=_first_line(error), worker=""))

    def _give_back(self, attempt: Attempt, trouble: Trouble) -> None:
        tried = (*attempt.tried, trouble.worker)
        if len(tried) < self._rules.max_tries:
            _log.warning("%s: %s (try %d)", trouble.worker, trouble.reason, len(tried))
            again = Attempt(attempt.urgency, attempt.arrival, attempt.sequence, tried)
            heapq.heappush(self._waiting, again)
        elif trouble.kind == "not started":
            raise EngineError(f"{trouble.worker}: {retold(trouble.reason)}")
        else:
            reason = english("{reason} (tried {tries} times, the last on {worker})").format(
                reason=trouble.reason, tries=len(tried), worker=trouble.worker
            )
            self._set_aside(attempt, reason)

    def _set_aside(self, attempt: Attempt, reason: str) -> None:
        self._deliver(self._rules.failure(game_id=attempt.sequence.game_id, reason=reason))

    # --- the end -----------------------------------------------------------------------------

    def _unfit(self, trouble: Trouble) -> str:
        if trouble.facts is None:
            return str(refusal({}, (), problems={trouble.worker: trouble.reason}))
        return str(refusal({trouble.worker: trouble.facts}, self._rules.expected))

    def _explained(self, error: BaseException) -> BaseException:
        """Whatever Dask raises without a scheduler, is because of that."""
        if isinstance(error, EngineError):
            return error
        if self._client.status == "running" and not isinstance(error, _LOST):
            return error
        _log.debug("the scheduler is lost", exc_info=error)
        return lost(self._client)

    def _give_up(self) -> None:
        futures = [future for future, _attempt in self._in_flight.values()]
        self._in_flight.clear()
        self._waiting.clear()
        if not futures or self._client.status != "running":
            return
        try:
            self._client.cancel(futures, force=True)
        except _LOST as error:
            _log.debug("nothing could be cancelled", exc_info=error)


def _killed_workers(error: KilledWorker) -> str:
    workers = error.allowed_failures + 1
    return nenglish(
        "a worker of the cluster died while it worked on it, at {worker}; look there for the "
        "reason, such as too little memory",
        "{workers} workers of the cluster died while they worked on it, the last at {worker}; look "
        "there for the reason, such as too little memory",
        workers,
    ).format(workers=workers, worker=error.last_worker.address)


def _first_line(error: BaseException | None) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
