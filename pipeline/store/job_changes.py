"""What changes in several tables when a job is over or removed: each within a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from pipeline.store import tables
from pipeline.store.as_json import written
from pipeline.store.job_records import JobState
from pipeline.store.job_rows import order_of


def remove_jobs(connection: sa.Connection, ids: Sequence[str]) -> None:
    """Jobs with whatever hangs on them."""
    for table in (tables.job_files, tables.job_reports, tables.job_players):
        drop(connection, table, ids)
    connection.execute(sa.delete(tables.jobs).where(tables.jobs.c.id.in_(ids)))


def drop(connection: sa.Connection, table: sa.Table, ids: Sequence[str]) -> None:
    """The rows of one table that hang on these jobs."""
    connection.execute(sa.delete(table).where(table.c.job_id.in_(ids)))


def keep_report(
    connection: sa.Connection, job_id: str, packed: bytes | None, players: Iterable[str]
) -> None:
    """What came of a job, and whose games are in it."""
    connection.execute(sa.insert(tables.job_reports).values(job_id=job_id, report=packed))
    rows = [{"job_id": job_id, "player_id": player} for player in players]
    if rows:
        connection.execute(sa.insert(tables.job_players), rows)


def name_player(connection: sa.Connection, job_id: str, player: str) -> None:
    """Whose games they are was known to the file alone."""
    job = tables.jobs.c
    of_job = job.id == job_id
    kept = connection.execute(sa.select(job.order_json).where(of_job)).scalar_one()
    order = order_of(kept)
    if not order.selection.player:
        named = replace(order, selection=replace(order.selection, player=player))
        changes = {"order_json": written(named), "player_id": player.casefold()}
        connection.execute(sa.update(tables.jobs).where(of_job).values(changes))


def ended(state: JobState, now_ms: int) -> dict[str, Any]:
    """The columns of a job that is over: who asked from where is of no use any more."""
    return {"state": state, "finished_at_ms": now_ms, "worker": "", "address": ""}
