"""Jobs, orders and reports as they are written into the store, and read again."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from pydantic import ValidationError

from pipeline.records import PlayerReport
from pipeline.store.as_json import adapter, written
from pipeline.store.job_records import Job, JobOrder, JobProgress


def job_of(row: sa.Row[Any]) -> Job:
    """A row of jobs, with `jobs_ahead`."""
    return Job(
        id=row.id,
        order=order_of(row.order_json),
        state=row.state,
        created_at=_time(row.created_at_ms),
        started_at=None if row.started_at_ms is None else _time(row.started_at_ms),
        finished_at=None if row.finished_at_ms is None else _time(row.finished_at_ms),
        attempts=row.attempts,
        cancel_asked=row.cancel_asked,
        jobs_ahead=row.jobs_ahead,
        progress=adapter(JobProgress).validate_json(row.progress_json),
        failure=row.failure,
    )


def order_of(written: str) -> JobOrder:
    """What `written` wrote of an order."""
    order: JobOrder = adapter(JobOrder).validate_json(written)
    return order


def packed_report(report: PlayerReport) -> bytes:
    """All of it, compressed."""
    return zlib.compress(written(report).encode())


def unpacked_report(packed: bytes) -> PlayerReport | None:
    """None for what another movelo packed in another form, or that is not whole."""
    try:
        report: PlayerReport = adapter(PlayerReport).validate_json(zlib.decompress(packed))
    except (ValidationError, zlib.error):
        return None
    return report


def players_in(report: PlayerReport) -> list[str]:
    """The ids of the player and of all opponents."""
    names = {
        name.casefold()
        for game in report.games
        for name in (game.white.player.name, game.black.player.name)
        if name is not None
    }
    return sorted(names | {report.player.casefold()})


def _time(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, tz=UTC)
