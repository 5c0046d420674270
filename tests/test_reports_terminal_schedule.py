"""What is scheduled, as it stands in the terminal."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from pipeline.store.schedule_records import Schedule, ScheduleOrder
from reports.terminal_schedule import render_schedules

NIGHTLY = Schedule(
    name="night",
    order=ScheduleOrder(
        cron="30 3 * * *", zone="UTC", arguments=("batch", "names.txt"), folder="/home/club"
    ),
    handled_ms=0,
    due_ms=None,
    attempts=0,
    started_at_ms=None,
    finished_at_ms=None,
    exit_code=None,
)


@pytest.mark.parametrize("hostile", ["lists[/x].txt", "[old].txt", "[red]club[/red]"])
def test_brackets_in_a_name_or_a_path_stand_as_they_are(hostile: str) -> None:
    order = replace(NIGHTLY.order, arguments=("batch", hostile))
    out = io.StringIO()
    schedule = replace(NIGHTLY, name=hostile, order=order)
    render_schedules([schedule], {hostile: None}, Console(file=out, width=200))
    assert out.getvalue().count(hostile) == 2
