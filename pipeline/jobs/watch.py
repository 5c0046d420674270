"""How far a job is, told by whoever makes the report and read by whoever keeps it in the store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from pipeline.records import PlayerReport, SpeedReport
from pipeline.store.job_records import JobProgress, StageProgress

FIRST_ESTIMATE_GAMES = 5
"""Both views are shown from so many games on; fewer say next to nothing."""

_SHARE_OF_TIME = 0.2  # at most, for estimates on the way


class JobStopped(Exception):
    """Raised in the making of a report that is to end early; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class JobWatch:
    """A `pipeline.progress.Progress` for one job; its methods may be called from any thread.

    `clock` gives seconds, from anywhere. What came in before, of an earlier attempt, is shown
    until there is more.
    """

    def __init__(self, before: JobProgress, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._stages: dict[str, _Stage] = {}
        self._games = before.games_assessed
        self._speeds = before.speeds
        self._sentence = ""
        self._next_estimate_at = 0.0
        self._stopped: str | None = None
        self._wakes = threading.Event()

    def snapshot(self) -> JobProgress:
        """How far it is now."""
        now = self._clock()
        with self._lock:
            return JobProgress(
                stages=tuple(stage.progress(now) for stage in self._stages.values()),
                games_assessed=self._games,
                speeds=self._speeds,
                sentence=self._sentence,
            )

    def stop(self, reason: str) -> None:
        """Have the making end: whatever tells of progress next raises JobStopped."""
        self._stopped = reason
        self._wakes.set()

    @property
    def is_stopped(self) -> bool:
        """Whether it is to end."""
        return self._stopped is not None

    def sleep(self, seconds: float) -> None:
        """Wait, no longer than until the job is stopped."""
        self._wakes.wait(seconds)
        self._say("")
        self._go_on()

    def begin(self, stage: str, total: int | None) -> None:
        """A stage starts, or its total becomes known."""
        with self._lock:
            begun = self._stages.setdefault(stage, _Stage(stage, self._clock()))
            begun.total = total
        self._go_on()

    def advance(self, stage: str, steps: int = 1) -> None:
        """So many more steps are done."""
        with self._lock:
            begun = self._stages.setdefault(stage, _Stage(stage, self._clock()))
            begun.done += steps
            begun.moved_at = self._clock()
            self._sentence = ""
        self._go_on()

    def say(self, sentence: str) -> None:
        """Shown until there is progress."""
        self._say(sentence)
        self._go_on()

    def assessed(self, games: int, so_far: Callable[[], PlayerReport]) -> None:
        """A `pipeline.run.OnAssessed`: from the fifth game on both views are kept up to date."""
        speeds: tuple[SpeedReport, ...] | None = None
        began = self._clock()
        if games == FIRST_ESTIMATE_GAMES or (
            games > FIRST_ESTIMATE_GAMES and began >= self._next_estimate_at
        ):
            speeds = so_far().speeds
            ended = self._clock()
            self._next_estimate_at = ended + (ended - began) / _SHARE_OF_TIME
        with self._lock:
            if speeds is not None:
                self._speeds, self._games = speeds, games
        self._go_on()

    def _say(self, sentence: str) -> None:
        with self._lock:
            self._sentence = sentence

    def _go_on(self) -> None:
        if self._stopped is not None:
            raise JobStopped(self._stopped)


@dataclass(slots=True)
class _Stage:
    """`moved_at` is when the last step was done: a pace is over finished steps alone."""

    name: str
    began_at: float
    total: int | None = None
    done: int = 0
    moved_at: float | None = None

    def progress(self, now: float) -> StageProgress:
        until = now if self.moved_at is None else self.moved_at
        return StageProgress(
            name=self.name, done=self.done, total=self.total, seconds=until - self.began_at
        )
