"""`movelo schedule`: commands that run by the clock."""

from __future__ import annotations

import json
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from config.errors import SettingsError
from config.language import _
from pipeline.cli.options import JsonOption
from pipeline.epoch import epoch_ms

if TYPE_CHECKING:
    from config.settings import Settings
    from pipeline.store.schedule_records import Schedule

SCHEDULABLE = ("batch", "sync", "report", "import", "export")

app = typer.Typer(
    no_args_is_help=True,
    help="Run movelo by the clock: every night, every Monday morning.",
)


@app.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What you call it.")],
    cron: Annotated[
        str,
        typer.Argument(
            metavar="CRON",
            help='When, as crontab writes it: "30 3 * * *" is every night at half past three.',
        ),
    ],
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="COMMAND...", help="batch, sync, report, import or export with its options."
        ),
    ],
    zone: Annotated[
        str | None,
        typer.Option(
            "--zone", metavar="ZONE", help="The time zone that is meant, such as Europe/Paris."
        ),
    ] = None,
) -> None:
    """Have a command run by the clock, in this folder, by movelo schedule run or movelo serve.

    --zone stands before NAME. A run that was missed, because nothing ran then, is caught up once.

    Example: movelo schedule add --zone Europe/Paris club "30 3 * * *" batch --team lichess-swiss
    """
    from config.settings import load_settings
    from pipeline.cli.storage import open_store
    from pipeline.schedule.cron import Cron
    from pipeline.schedule.name import checked_name
    from pipeline.store.schedule_records import ScheduleOrder

    settings = load_settings()
    _check_command(arguments)
    order = ScheduleOrder(
        cron=cron,
        zone=zone or settings.schedule.zone or _zone_of_machine(),
        arguments=tuple(arguments),
        folder=str(Path.cwd()),
    )
    now = datetime.now(UTC)
    due = Cron(order.cron, order.zone).next_after(now)
    if due is None:
        raise SettingsError(_("{cron} names a day that never comes").format(cron=f"{cron!r}"))
    with open_store(settings) as store:
        if not store.schedules.add(checked_name(name), order, now_ms=epoch_ms(now)):
            raise SettingsError(
                _(
                    "there is a schedule {name} already: choose another name, or remove that one "
                    "with movelo schedule remove {name}"
                ).format(name=name)
            )
    said = _("{name} runs next on {time} ({zone}), when movelo schedule run or movelo serve is on.")
    typer.echo(said.format(name=name, time=_time_text(due, order.zone), zone=order.zone), err=True)


@app.command("list")
def list_schedules(as_json: JsonOption = False) -> None:
    """Show what is scheduled: when each is due next, and how the last run went.

    Example: movelo schedule list
    """
    from rich.console import Console

    from config.settings import load_settings
    from pipeline.cli.storage import open_store
    from reports.terminal_schedule import render_schedules

    with open_store(load_settings()) as store:
        schedules = store.schedules.all()
    now = datetime.now(UTC)
    due = {schedule.name: _next_due(schedule, now) for schedule in schedules}
    if as_json:
        told = [_as_record(schedule, due[schedule.name]) for schedule in schedules]
        sys.stdout.write(json.dumps({"schedules": told}) + "\n")
    else:
        render_schedules(schedules, due, Console())


@app.command()
def remove(name: Annotated[str, typer.Argument(metavar="NAME", help="Which one.")]) -> None:
    """Forget a schedule; what it has made stays, and what runs just now goes on.

    Example: movelo schedule remove club
    """
    from config.settings import load_settings
    from pipeline.cli.storage import open_store

    with open_store(load_settings()) as store:
        if not store.schedules.remove(name):
            raise SettingsError(
                _("there is no schedule {name}: movelo schedule list shows those there are").format(
                    name=name
                )
            )
    typer.echo(_("{name} is removed.").format(name=name), err=True)


@app.command()
def run(
    once: Annotated[
        bool, typer.Option("--once", help="Run what is due now, and end: for cron and systemd.")
    ] = False,
) -> None:
    """Run whatever is due, for as long as this runs; on as many machines as share the store.

    Each run is made by one of them.

    Example: movelo schedule run
    """
    from config.settings import load_settings
    from pipeline.cli.logs import log_to_stderr
    from pipeline.cli.schedule_process import LOOK_SECONDS, schedule_runner
    from pipeline.cli.storage import open_store

    settings = load_settings()
    log_to_stderr()
    over = threading.Event()
    with open_store(settings) as store:
        runner = schedule_runner(store, over)
        if once:
            runner.run_due()
            return
        _tell_running(settings, len(store.schedules.all()))
        try:
            runner.run(wait=lambda: over.wait(LOOK_SECONDS))
        finally:
            over.set()


def _tell_running(settings: Settings, schedules: int) -> None:
    from config.language import ngettext

    said = ngettext(
        "{count} schedule is watched; others may be added meanwhile (Ctrl-C ends it).",
        "{count} schedules are watched; others may be added meanwhile (Ctrl-C ends it).",
        schedules,
    )
    typer.echo(said.format(count=schedules), err=True)


def _check_command(arguments: list[str]) -> None:
    if arguments[0] not in SCHEDULABLE:
        raise typer.BadParameter(
            _("{command} is none of {known}: these can run by the clock.").format(
                command=f"{arguments[0]!r}", known=", ".join(SCHEDULABLE)
            ),
            param_hint="COMMAND",
        )


def _zone_of_machine() -> str:
    """By its name, which knows of summer time; UTC where the machine has none."""
    import os

    named = os.environ.get("TZ", "").lstrip(":")
    if named:
        return named
    link = Path("/etc/localtime")
    _before, found, zone = str(link.resolve()).partition("zoneinfo/")
    return zone if found and link.exists() else "UTC"


def _next_due(schedule: Schedule, now: datetime) -> datetime | None:
    from pipeline.schedule.cron import Cron

    return Cron(schedule.order.cron, schedule.order.zone).next_after(now)


def _time_text(moment: datetime, zone: str) -> str:
    from zoneinfo import ZoneInfo

    return f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"


def _as_record(schedule: Schedule, due: datetime | None) -> dict[str, object]:
    return {
        "name": schedule.name,
        "cron": schedule.order.cron,
        "zone": schedule.order.zone,
        "command": ["movelo", *schedule.order.arguments],
        "folder": schedule.order.folder,
        "next_due_at": None if due is None else due.isoformat(),
        "last_started_at": _moment(schedule.started_at_ms),
        "last_finished_at": _moment(schedule.finished_at_ms),
        "last_exit_code": schedule.exit_code,
        "attempts": schedule.attempts,
    }


def _moment(ms: int | None) -> str | None:
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC).isoformat()
