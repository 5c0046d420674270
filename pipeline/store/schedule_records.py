"""A command that runs by the clock, and how its last run went."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleOrder:
    """`movelo ARGUMENTS…`, run in `folder` whenever `cron` says so in the time zone `zone`."""

    cron: str
    zone: str
    arguments: tuple[str, ...]
    folder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """One schedule; times are in milliseconds since 1970.

    `handled_ms`: whatever was due by then needs nothing more. `due_ms` is what was begun last,
    `attempts` how often; `exit_code` is that of the last run, None when it did not end by itself.
    """

    name: str
    order: ScheduleOrder
    handled_ms: int
    due_ms: int | None
    attempts: int
    started_at_ms: int | None
    finished_at_ms: int | None
    exit_code: int | None
