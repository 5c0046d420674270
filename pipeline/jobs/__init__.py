"""The queue of reports that people ask for, and who works it off."""

from pipeline.jobs.job_queue import JobLimits, JobQueue, Refusal
from pipeline.store.job_records import (
    Job,
    JobOrder,
    JobProgress,
    JobSource,
    JobState,
    StageProgress,
)

__all__ = [
    "Job",
    "JobLimits",
    "JobOrder",
    "JobProgress",
    "JobQueue",
    "JobSource",
    "JobState",
    "Refusal",
    "StageProgress",
]
