"""What a queue of reports knows of each: what was asked for, how far it is, what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from pipeline.records import SpeedReport
from pipeline.selection import Selection

JobState: TypeAlias = Literal["queued", "running", "done", "failed", "cancelled"]
JobSource: TypeAlias = Literal["lichess", "file"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOrder:
    """What is asked for.

    With `source` "file" the games are those that were handed in; then `selection.player` may be
    "", which means whoever played most of them.
    """

    selection: Selection
    source: JobSource


@dataclass(frozen=True, slots=True, kw_only=True)
class StageProgress:
    """One stage of a job: `done` of `total` steps (None where nobody knows) in `seconds`."""

    name: str
    done: int
    total: int | None
    seconds: float

    @property
    def seconds_left(self) -> float | None:
        """At the pace so far; None where that says nothing."""
        if self.total is None or not self.done:
            return None
        return max(0.0, (self.total - self.done) * self.seconds / self.done)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobProgress:
    """How far a job is. `speeds` are both views over the games so far, none before the fifth.

    `sentence` is what a person should know now (a wait for Lichess), "" for nothing; that and the
    stages' names are in English, to be `retold`.
    """

    stages: tuple[StageProgress, ...] = ()
    games_assessed: int = 0
    speeds: tuple[SpeedReport, ...] = ()
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One report that somebody asked for; times are UTC.

    `id` cannot be guessed: who knows it may see, cancel and repeat the job. `jobs_ahead` counts
    those that come before it, 0 unless it is queued. `failure` is a sentence in English, to be
    `retold`, None unless it failed. `attempts` is how often a worker began it.
    """

    id: str
    order: JobOrder
    state: JobState
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    attempts: int
    cancel_asked: bool
    jobs_ahead: int
    progress: JobProgress
    failure: str | None

    @property
    def player(self) -> str:
        """Whose games; "" where a file is to tell."""
        return self.order.selection.player

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in ("done", "failed", "cancelled")
