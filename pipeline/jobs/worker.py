"""Works the queue off, one report at a time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from config.errors import MoveloError, StoreError
from config.language import _, speaking
from pipeline.jobs.heartbeat import CANCELLED, LOST, Heartbeat
from pipeline.jobs.job_queue import JobQueue
from pipeline.jobs.making import make_report
from pipeline.jobs.watch import JobStopped, JobWatch
from pipeline.progress import Progress
from pipeline.store.job_records import Job
from pipeline.sync import GameSource
from pipeline.workshop import Workshop

OpenWorkshop = Callable[[Progress], AbstractContextManager[Workshop]]
OpenSource = Callable[[Workshop, Callable[[float], None]], GameSource]
"""How Lichess is asked, with what to wait by (seconds)."""

_TIDY_SECONDS = 3600.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """Whoever makes reports; `name` is no other worker's.

    Engines and the human-move model are opened for each job, when a game needs them. What a job
    has fetched and computed is in the store at once: one that is begun again goes on there.
    `keep_days` is how long a finished report is kept.
    """

    name: str
    queue: JobQueue
    open_workshop: OpenWorkshop
    open_source: OpenSource
    keep_days: int
    beat_seconds: float = 0.3
    clock: Callable[[], float] = time.monotonic

    def work(self, wait: Callable[[], bool]) -> None:
        """Until `wait` is True, which is asked whenever there is nothing to do, after a moment."""
        tidied_at = float("-inf")
        while True:
            try:
                while self.work_once():
                    pass
                if self.clock() > tidied_at + _TIDY_SECONDS:
                    tidied_at = self.clock()
                    self.queue.forget_older(self.keep_days)
            except StoreError as error:
                _log.error("the queue cannot be read: %s", error)
            if wait():
                return

    def work_once(self) -> bool:
        """Make the next report; False when there was none to be made.

        However it ends, the job is over or back in the queue.
        """
        job = self.queue.claim(self.name)
        if job is None:
            return False
        _log.info("job %s begun, attempt %d", job.id, job.attempts)
        watch = JobWatch(job.progress, clock=self.clock)
        try:
            with speaking("en"):  # what is kept is retold to whoever reads it
                self._make(job, watch)
        except BaseException:
            self.queue.release(job.id, self.name)
            raise
        return True

    def _make(self, job: Job, watch: JobWatch) -> None:
        beat = Heartbeat(
            self.queue, job, self.name, watch, every_seconds=self.beat_seconds, clock=self.clock
        )
        try:
            with beat, self.open_workshop(watch) as workshop:
                report = make_report(
                    job.order,
                    self.queue.content(job.id),
                    source=self.open_source(workshop, watch.sleep),
                    workshop=workshop,
                    watch=watch,
                    at_most_games=self.queue.limits.games,
                )
        except JobStopped as stopped:
            self._stopped(job, watch, stopped.reason)
        except MoveloError as error:
            self._failed(job, watch, str(error))
        except Exception:
            _log.exception("job %s failed", job.id)
            self._failed(job, watch, _unforeseen())
        else:
            self.queue.end_done(job.id, self.name, watch.snapshot(), report)
            _log.info("job %s done", job.id)

    def _stopped(self, job: Job, watch: JobWatch, reason: str) -> None:
        _log.info("job %s stopped: %s", job.id, reason)
        if reason == CANCELLED:
            self.queue.end_cancelled(job.id, self.name, watch.snapshot())
        elif reason != LOST:
            self._failed(job, watch, _too_long(self.queue.limits.seconds))

    def _failed(self, job: Job, watch: JobWatch, sentence: str) -> None:
        _log.info("job %s failed: %s", job.id, sentence)
        self.queue.end_failed(job.id, self.name, watch.snapshot(), sentence)


def _too_long(seconds: float) -> str:
    return _(
        "The report took longer than {minutes} minutes and was stopped. What was computed is "
        "kept: ask again and it goes on there, or ask for fewer games."
    ).format(minutes=round(seconds / 60))


def _unforeseen() -> str:
    return _(
        "Something went wrong that nobody foresaw; it is in the server's log. Ask again, or for "
        "other games."
    )
