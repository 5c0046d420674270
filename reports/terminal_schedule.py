"""What is scheduled, in the terminal: a row each.

Names and arguments go through `Text`: their brackets are no markup.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from config.language import _
from pipeline.store.schedule_records import Schedule
from reports.lines import ABSENT


def render_schedules(
    schedules: Sequence[Schedule], due: Mapping[str, datetime | None], console: Console
) -> None:
    """Times in each schedule's own zone; `due` is by name, UTC."""
    if not schedules:
        console.print(_("Nothing is scheduled: movelo schedule add does it."))
        return
    table = Table(title=_("Schedules"), title_justify="left", box=SIMPLE, padding=(0, 1))
    table.add_column(_("Name"), no_wrap=True)
    table.add_column(_("When"), no_wrap=True)
    table.add_column(_("Next"))
    table.add_column(_("Last run"))
    table.add_column(_("Command"))
    for schedule in schedules:
        order = schedule.order
        table.add_row(
            Text(schedule.name),
            Text(f"{order.cron}\n{order.zone}"),
            _time(due[schedule.name], order.zone),
            _last_run(schedule),
            Text(shlex.join(["movelo", *order.arguments])),
        )
    console.print(table, highlight=False)


def _last_run(schedule: Schedule) -> str:
    if schedule.started_at_ms is None:
        return ABSENT
    began = datetime.fromtimestamp(schedule.started_at_ms / 1000, UTC)
    return f"{_time(began, schedule.order.zone)}\n{_how(schedule)}"


def _how(schedule: Schedule) -> str:
    if schedule.finished_at_ms is None:
        return _("running, or ended with its machine")
    if schedule.exit_code is None:
        return _("given up")
    if schedule.exit_code == 0:
        return _("all went well")
    if schedule.exit_code == 3:
        return _("some players failed")
    return _("failed (exit code {code})").format(code=schedule.exit_code)


def _time(moment: datetime | None, zone: str) -> str:
    return ABSENT if moment is None else f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"
