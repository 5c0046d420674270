"""The queue of reports as it lies in the store: several servers and workers share it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from pipeline.records import PlayerReport
from pipeline.store import tables
from pipeline.store.as_json import written
from pipeline.store.database import Database, Row, alone_with
from pipeline.store.job_changes import drop, ended, keep_report, name_player, remove_jobs
from pipeline.store.job_records import Job, JobOrder, JobProgress, JobState
from pipeline.store.job_rows import (
    job_of,
    packed_report,
    players_in,
    unpacked_report,
)

_WAITING: tuple[JobState, ...] = ("queued", "running")
_OVER: tuple[JobState, ...] = ("done", "failed", "cancelled")


class Jobs:
    """Jobs by id, and the one to be worked on next. Times are in milliseconds."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        job_id: str,
        order: JobOrder,
        *,
        visitor: str,
        address: str,
        now_ms: int,
        content: bytes | None = None,
    ) -> None:
        """Put a new one at the end of the queue, with what was handed in for it."""
        row: Row = {
            "id": job_id,
            "state": "queued",
            "player_id": order.selection.player.casefold(),
            "order_json": written(order),
            "visitor": visitor,
            "address": address,
            "created_at_ms": now_ms,
            "started_at_ms": None,
            "finished_at_ms": None,
            "worker": "",
            "lease_until_ms": 0,
            "attempts": 0,
            "cancel_asked": False,
            "progress_json": written(JobProgress()),
            "failure": None,
        }
        files: list[Row] = [] if content is None else [{"job_id": job_id, "content": content}]
        self._database.put_together([(tables.jobs, [row]), (tables.job_files, files)])

    def job(self, job_id: str) -> Job | None:
        """The job as it is now."""
        row = self._database.first(_with_place().where(tables.jobs.c.id == job_id))
        return None if row is None else job_of(row)

    def cancel_asked(self, job_id: str) -> bool | None:
        """Whether it is to end; None when there is no such job any more."""
        job = tables.jobs.c
        row = self._database.first(sa.select(job.cancel_asked).where(job.id == job_id))
        return None if row is None else bool(row.cancel_asked)

    def of_visitor(self, visitor: str, *, at_most: int) -> tuple[Job, ...]:
        """Those that a visitor asked for, the newest first."""
        job = tables.jobs.c
        query = _with_place().where(job.visitor == visitor)
        newest = query.order_by(job.created_at_ms.desc(), job.id).limit(at_most)
        return tuple(map(job_of, self._database.rows(newest)))

    def alike(self, visitor: str, order: JobOrder) -> Job | None:
        """The visitor's own job of the very same order that is not over, nor about to be."""
        job = tables.jobs.c
        is_same = (job.visitor == visitor, job.order_json == written(order), ~job.cancel_asked)
        row = self._database.first(_with_place().where(job.state.in_(_WAITING), *is_same))
        return None if row is None else job_of(row)

    def counts(self) -> dict[JobState, int]:
        """How many jobs are in each state."""
        state = tables.jobs.c.state
        query = sa.select(state, sa.func.count().label("jobs")).group_by(state)
        found: dict[JobState, int] = {row.state: row.jobs for row in self._database.rows(query)}
        return {name: found.get(name, 0) for name in (*_WAITING, *_OVER)}

    def waiting_of(self, address: str) -> int:
        """How many jobs of an address are queued or running."""
        job = tables.jobs.c
        is_of = sa.and_(job.address == address, job.state.in_(_WAITING))
        (row,) = self._database.rows(sa.select(sa.func.count()).where(is_of))
        return int(row[0])

    def content(self, job_id: str) -> bytes | None:
        """What was handed in for it; gone when the job is over."""
        file = tables.job_files.c
        row = self._database.first(sa.select(file.content).where(file.job_id == job_id))
        return None if row is None else bytes(row.content)

    def report(self, job_id: str) -> PlayerReport | None:
        """What came of it; None too for what another movelo wrote in another form."""
        kept = tables.job_reports.c
        row = self._database.first(sa.select(kept.report).where(kept.job_id == job_id))
        return None if row is None else unpacked_report(row.report)

    def claim(self, worker: str, *, now_ms: int, lease_until_ms: int) -> Job | None:
        """Take the oldest job that nobody works on, or whose worker has been silent too long."""
        job = tables.jobs.c
        is_left = sa.and_(job.state == "running", job.lease_until_ms < now_ms)
        oldest = (
            sa.select(job.id)
            .where(sa.or_(job.state == "queued", is_left))
            .order_by(job.created_at_ms, job.id)
            .limit(1)
        )

        def work(connection: sa.Connection) -> str | None:
            alone_with(connection, tables.jobs)
            job_id: str | None = connection.execute(oldest).scalar_one_or_none()
            if job_id is not None:
                taken = sa.update(tables.jobs).where(job.id == job_id)
                changes = {
                    "state": "running",
                    "worker": worker,
                    "lease_until_ms": lease_until_ms,
                    "started_at_ms": sa.func.coalesce(job.started_at_ms, now_ms),
                    "attempts": job.attempts + 1,
                }
                connection.execute(taken.values(changes))
            return job_id

        # An idle worker asks often, and need not make others wait.
        if self._database.first(oldest) is None:
            return None
        job_id = self._database.write(work)
        return None if job_id is None else self.job(job_id)

    def hold(self, job_id: str, worker: str, progress: JobProgress, *, lease_until_ms: int) -> bool:
        """Tell how far it is; False when the job is not this worker's any more."""
        told = {"progress_json": written(progress), "lease_until_ms": lease_until_ms}
        return self._change_own(job_id, worker, told)

    def release(self, job_id: str, worker: str) -> None:
        """Put it back for another worker, or for this one when it comes back."""
        self._change_own(
            job_id,
            worker,
            {"state": "queued", "worker": "", "attempts": tables.jobs.c.attempts - 1},
        )

    def ask_to_cancel(self, job_id: str, *, now_ms: int) -> None:
        """A queued job is over at once; a running one as soon as its worker learns of it."""

        def work(connection: sa.Connection) -> None:
            job = tables.jobs.c
            of_job = sa.update(tables.jobs).where(job.id == job_id)
            connection.execute(of_job.where(job.state == "running").values(cancel_asked=True))
            over = of_job.where(job.state == "queued")
            if connection.execute(over.values(ended("cancelled", now_ms))).rowcount:
                drop(connection, tables.job_files, [job_id])

        self._database.write(work)

    def end(
        self,
        job_id: str,
        worker: str,
        state: JobState,
        progress: JobProgress,
        *,
        now_ms: int,
        failure: str | None = None,
        report: PlayerReport | None = None,
    ) -> bool:
        """It is over; False, and nothing is kept, when it is not this worker's any more."""
        packed = None if report is None else packed_report(report)

        def work(connection: sa.Connection) -> bool:
            own = sa.update(tables.jobs).where(_is_own(job_id, worker))
            told = {"progress_json": written(progress), "failure": failure}
            if not connection.execute(own.values(ended(state, now_ms) | told)).rowcount:
                return False
            drop(connection, tables.job_files, [job_id])
            if report is not None:
                keep_report(connection, job_id, packed, players_in(report))
                name_player(connection, job_id, report.player)
            return True

        return self._database.write(work)

    def remove(self, job_id: str) -> bool:
        """Forget one that is over, with its report; False if there is none such."""
        job = tables.jobs.c
        return self._remove(sa.and_(job.id == job_id, job.state.in_(_OVER))) == 1

    def remove_older(self, than_ms: int) -> int:
        """Forget those that were over by then; how many they were."""
        job = tables.jobs.c
        return self._remove(sa.and_(job.finished_at_ms < than_ms, job.state.in_(_OVER)))

    def _remove(self, condition: sa.ColumnElement[bool]) -> int:
        def work(connection: sa.Connection) -> int:
            alone_with(connection, tables.jobs)
            ids = connection.execute(sa.select(tables.jobs.c.id).where(condition)).scalars().all()
            remove_jobs(connection, ids)
            return len(ids)

        return self._database.write(work)

    def _change_own(self, job_id: str, worker: str, changes: dict[str, Any]) -> bool:
        changed = sa.update(tables.jobs).where(_is_own(job_id, worker)).values(changes)
        return self._database.write(lambda connection: connection.execute(changed).rowcount == 1)


def _is_own(job_id: str, worker: str) -> sa.ColumnElement[bool]:
    job = tables.jobs.c
    return sa.and_(job.id == job_id, job.worker == worker, job.state == "running")


def _with_place() -> sa.Select[Any]:
    """Jobs, each with how many are queued before it."""
    job, other = tables.jobs.c, tables.jobs.alias("other").c
    is_before = sa.or_(
        other.created_at_ms < job.created_at_ms,
        sa.and_(other.created_at_ms == job.created_at_ms, other.id < job.id),
    )
    ahead = (
        sa.select(sa.func.count())
        .where(other.state.in_(_WAITING), is_before, job.state == "queued")
        .correlate(tables.jobs)
        .scalar_subquery()
    )
    return sa.select(tables.jobs, ahead.label("jobs_ahead"))
