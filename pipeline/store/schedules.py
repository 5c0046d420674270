"""Schedules as they lie in the store: several machines may look at them, one runs each."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from pipeline.store import tables
from pipeline.store.database import Database, alone_with
from pipeline.store.schedule_records import Schedule, ScheduleOrder


class Schedules:
    """Schedules by name. Times are in milliseconds since 1970."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, name: str, order: ScheduleOrder, *, now_ms: int) -> bool:
        """Keep one: what is due after now will be run. False when there is one of that name."""
        schedule = tables.schedules

        def work(connection: sa.Connection) -> bool:
            alone_with(connection, schedule)
            if connection.execute(sa.select(schedule).where(schedule.c.name == name)).first():
                return False
            values = {
                "name": name,
                "order_json": json.dumps(asdict(order), ensure_ascii=False),
                "handled_ms": now_ms,
                "attempts": 0,
            }
            connection.execute(sa.insert(schedule).values(values))
            return True

        return self._database.write(work)

    def remove(self, name: str) -> bool:
        """Forget it; False when there is none of that name. What runs goes on."""
        doomed = sa.delete(tables.schedules).where(tables.schedules.c.name == name)
        return self._database.write(lambda connection: connection.execute(doomed).rowcount == 1)

    def all(self) -> tuple[Schedule, ...]:
        """By name."""
        query = sa.select(tables.schedules).order_by(tables.schedules.c.name)
        return tuple(map(_schedule, self._database.rows(query)))

    def begin(self, name: str, *, due_ms: int, now_ms: int) -> Schedule | None:
        """Note that what was due is run now, once more if it was begun before and not ended.

        None when it was handled meanwhile, or the schedule is gone.
        """
        schedule = tables.schedules
        is_due = (schedule.c.name == name, schedule.c.handled_ms < due_ms)
        is_same = schedule.c.due_ms == due_ms
        begun = {
            "due_ms": due_ms,
            "attempts": sa.case((is_same, schedule.c.attempts + 1), else_=1),
            "started_at_ms": now_ms,
            "finished_at_ms": None,
            "exit_code": None,
        }

        def work(connection: sa.Connection) -> Schedule | None:
            changed = connection.execute(sa.update(schedule).where(*is_due).values(begun))
            if not changed.rowcount:
                return None
            query = sa.select(schedule).where(schedule.c.name == name)
            return _schedule(connection.execute(query).one())

        return self._database.write(work)

    def end(self, name: str, *, due_ms: int, now_ms: int, exit_code: int | None) -> None:
        """What was due needs nothing more; `exit_code` None when it was given up."""
        schedule = tables.schedules
        ended = {"handled_ms": due_ms, "finished_at_ms": now_ms, "exit_code": exit_code}
        own = sa.update(schedule).where(
            schedule.c.name == name, schedule.c.handled_ms < due_ms, schedule.c.due_ms == due_ms
        )
        self._database.write(lambda connection: connection.execute(own.values(ended)))


def _schedule(row: sa.Row[Any]) -> Schedule:
    return Schedule(
        name=row.name,
        order=_order(row.order_json),
        handled_ms=row.handled_ms,
        due_ms=row.due_ms,
        attempts=row.attempts,
        started_at_ms=row.started_at_ms,
        finished_at_ms=row.finished_at_ms,
        exit_code=row.exit_code,
    )


def _order(text: str) -> ScheduleOrder:
    # Folders may be named in bytes that are no text: JSON carries them, stricter readers do not.
    kept = json.loads(text)
    return ScheduleOrder(**{**kept, "arguments": tuple(kept["arguments"])})
