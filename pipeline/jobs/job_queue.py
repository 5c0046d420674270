"""Who may ask for a report, whose turn it is, and what came of it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from config.language import _, english, ngettext
from pipeline.epoch import epoch_ms
from pipeline.records import PlayerReport
from pipeline.store import Store
from pipeline.store.job_records import Job, JobOrder, JobProgress, JobState


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLimits:
    """How much is taken on.

    At most `waiting` jobs are queued or running, `waiting_per_address` of one address; a job has
    at most `games` games and takes at most `seconds`; a worker that is silent for
    `lease_seconds` has lost its job; one that was begun `attempts` times in vain has failed.
    """

    waiting: int = 100
    waiting_per_address: int = 5
    games: int = 500
    seconds: float = 3600.0
    lease_seconds: float = 15.0
    attempts: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a job is not taken on now: a sentence. `whose` queue is too long."""

    reason: str
    whose: Literal["address", "all"]


class JobQueue:
    """For servers and for workers, in whatever process; `clock` gives UTC.

    Everything raises StoreError when the store cannot be used.
    """

    def __init__(self, store: Store, *, limits: JobLimits, clock: Callable[[], datetime]) -> None:
        self._jobs = store.jobs
        self.clock = clock
        self.limits = limits

    # --- for those who ask ---

    def submit(
        self, order: JobOrder, *, visitor: str = "", address: str = "", content: bytes | None = None
    ) -> Job | Refusal:
        """Put an order into the queue; the same that a visitor asked for before is not doubled.

        `visitor` is a secret that only one browser knows ("" for nobody), `address` where the
        request came from, `content` the games of an order with `source` "file".
        """
        known_as = _digest(visitor)
        if visitor and content is None and (alike := self._jobs.alike(known_as, order)):
            return alike
        if refusal := self._refusal(address):
            return refusal
        job_id = secrets.token_urlsafe(16)
        self._jobs.add(
            job_id,
            order,
            visitor=known_as,
            address=address,
            now_ms=self._now_ms(),
            content=content,
        )
        job = self._jobs.job(job_id)
        assert job is not None, "it was added just now"  # noqa: S101
        return job

    def job(self, job_id: str) -> Job | None:
        """The job as it is now; None for an unknown id."""
        return self._jobs.job(job_id)

    def cancel_asked(self, job_id: str) -> bool | None:
        """Whether it is to end; None when there is no such job any more."""
        return self._jobs.cancel_asked(job_id)

    def recent(self, visitor: str, *, at_most: int = 20) -> tuple[Job, ...]:
        """Those that this visitor asked for, the newest first."""
        return self._jobs.of_visitor(_digest(visitor), at_most=at_most) if visitor else ()

    def report(self, job_id: str) -> PlayerReport | None:
        """What came of a job that is done.

        None for others, and for a report that another version of movelo kept in another form.
        """
        return self._jobs.report(job_id)

    def cancel(self, job_id: str) -> None:
        """Have it stopped, if it is not over."""
        self._jobs.ask_to_cancel(job_id, now_ms=self._now_ms())

    def remove(self, job_id: str) -> bool:
        """Forget a job that is over, and its report; False if there is no such job."""
        return self._jobs.remove(job_id)

    def counts(self) -> dict[JobState, int]:
        """How many jobs are in each state."""
        return self._jobs.counts()

    # --- for those who work ---

    def claim(self, worker: str) -> Job | None:
        """The next job, from now on this worker's; None when there is nothing to do."""
        while job := self._jobs.claim(
            worker, now_ms=self._now_ms(), lease_until_ms=self._lease_ms()
        ):
            if job.cancel_asked:
                self.end_cancelled(job.id, worker, job.progress)
            elif job.attempts > self.limits.attempts:
                self.end_failed(job.id, worker, job.progress, _given_up(self.limits.attempts))
            else:
                return job
        return None

    def content(self, job_id: str) -> bytes | None:
        """The games that were handed in for it."""
        return self._jobs.content(job_id)

    def hold(self, job_id: str, worker: str, progress: JobProgress) -> bool:
        """Tell how far it is, and that one is alive; False when the job is somebody else's now."""
        return self._jobs.hold(job_id, worker, progress, lease_until_ms=self._lease_ms())

    def release(self, job_id: str, worker: str) -> None:
        """Give it back undone: it is the next one again."""
        self._jobs.release(job_id, worker)

    def end_done(
        self, job_id: str, worker: str, progress: JobProgress, report: PlayerReport
    ) -> bool:
        """Keep the report; False when the job is somebody else's now."""
        return self._jobs.end(
            job_id, worker, "done", progress, now_ms=self._now_ms(), report=report
        )

    def end_failed(self, job_id: str, worker: str, progress: JobProgress, sentence: str) -> bool:
        """Say why there is no report; False when the job is somebody else's now."""
        return self._jobs.end(
            job_id, worker, "failed", progress, now_ms=self._now_ms(), failure=sentence
        )

    def end_cancelled(self, job_id: str, worker: str, progress: JobProgress) -> bool:
        """Stopped because somebody asked; False when the job is somebody else's now."""
        return self._jobs.end(job_id, worker, "cancelled", progress, now_ms=self._now_ms())

    def forget_older(self, days: int) -> int:
        """Remove those that were over so many days ago; how many they were."""
        before = self.clock() - timedelta(days=days)
        return self._jobs.remove_older(epoch_ms(before))

    def _refusal(self, address: str) -> Refusal | None:
        counts = self._jobs.counts()
        if counts["queued"] + counts["running"] >= self.limits.waiting:
            return Refusal(
                reason=_("Too many reports are being made at the moment: try again later."),
                whose="all",
            )
        most = self.limits.waiting_per_address
        if address and self._jobs.waiting_of(address) >= most:
            reason = ngettext(
                "{count} report is being made for you already: wait until it is finished, or "
                "cancel it.",
                "{count} reports are being made for you already: wait until one is finished, or "
                "cancel one.",
                most,
            )
            return Refusal(reason=reason.format(count=most), whose="address")
        return None

    def _now_ms(self) -> int:
        return epoch_ms(self.clock())

    def _lease_ms(self) -> int:
        return epoch_ms(self.clock() + timedelta(seconds=self.limits.lease_seconds))


def _given_up(attempts: int) -> str:
    return english(
        "This report was begun {count} times and each time the program ended in the middle: see "
        "the server's log, or ask for fewer games."
    ).format(count=attempts)


def _digest(visitor: str) -> str:
    """A store that somebody reads must not let them pass for a visitor."""
    return hashlib.sha256(visitor.encode("utf-8", "replace")).hexdigest() if visitor else ""
