"""Schedules in the store, on SQLite and on a real PostgreSQL."""

import os
from dataclasses import replace
from pathlib import Path

from pipeline.store import Store
from pipeline.store.schedule_records import ScheduleOrder

pytest_plugins = ["postgresql_server"]

NIGHTLY = ScheduleOrder(
    cron="30 3 * * *", zone="UTC", arguments=("batch", "names.txt"), folder="/home/club"
)


def test_a_folder_whose_name_is_no_text_is_kept_as_it_is(store_url: Path | str) -> None:
    folder = os.fsdecode(b"/home/cl\xfcb")
    order = replace(NIGHTLY, folder=folder, arguments=("batch", folder))
    with Store(store_url) as store:
        assert store.schedules.add("night", order, now_ms=0)
        assert [schedule.order for schedule in store.schedules.all()] == [order]
        begun = store.schedules.begin("night", due_ms=1, now_ms=1)
        assert begun is not None and begun.order == order
