"""The queue of reports in the store, with the limits that the settings state."""

from __future__ import annotations

from datetime import UTC, datetime

from config.settings import WebSettings
from pipeline.jobs import JobLimits, JobQueue
from pipeline.store import Store


def job_queue(store: Store, settings: WebSettings) -> JobQueue:
    """For a server, or for a worker."""
    limits = JobLimits(
        waiting=settings.jobs_waiting,
        waiting_per_address=settings.jobs_per_address,
        games=settings.games_per_job,
        seconds=60 * settings.minutes_per_job,
    )
    return JobQueue(store, limits=limits, clock=lambda: datetime.now(UTC))
