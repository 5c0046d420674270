"""A thread that keeps a job while its report is being made, and hears that it is to end."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from config.errors import StoreError
from pipeline.jobs.job_queue import JobQueue
from pipeline.jobs.watch import JobWatch
from pipeline.store.job_records import Job, JobProgress

CANCELLED, LOST, TOO_LONG = "cancelled", "lost", "too long"

_log = logging.getLogger(__name__)


class Heartbeat:
    """A context manager. Progress is told whenever it has changed, and that one is alive always.

    When the job was cancelled, was lost to another worker, or takes too long, it stops the
    watch with one of CANCELLED, LOST, TOO_LONG.
    """

    def __init__(
        self,
        queue: JobQueue,
        job: Job,
        worker: str,
        watch: JobWatch,
        *,
        every_seconds: float,
        clock: Callable[[], float],
    ) -> None:
        self._queue = queue
        self._job_id = job.id
        self._worker = worker
        self._watch = watch
        self._every_seconds = every_seconds
        self._clock = clock
        self._ends_at = clock() + queue.limits.seconds
        self._alive_seconds = queue.limits.lease_seconds / 5
        self._told: JobProgress | None = None
        self._told_at = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.is_set() and not self._watch.is_stopped:
            try:
                self._beat()
            except StoreError as error:
                # Whoever makes the report meets the same, unless it passes.
                _log.warning("job %s: %s", self._job_id, error)
            self._over.wait(self._every_seconds)

    def _beat(self) -> None:
        if self._clock() > self._ends_at:
            self._watch.stop(TOO_LONG)
            return
        progress, now = self._watch.snapshot(), self._clock()
        if progress != self._told or now >= self._told_at + self._alive_seconds:
            if not self._queue.hold(self._job_id, self._worker, progress):
                self._watch.stop(LOST)
                return
            self._told, self._told_at = progress, now
        self._hear()

    def _hear(self) -> None:
        cancel_asked = self._queue.cancel_asked(self._job_id)
        if cancel_asked is None:
            self._watch.stop(LOST)
        elif cancel_asked:
            self._watch.stop(CANCELLED)
