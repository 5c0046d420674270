"""The examples for other machines, checked as far as that can be done without them."""

import re
import shlex
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click import Command, Group
from typer.main import get_command

from pipeline.cli.app import app

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "config" / "deploy"


def check_command(arguments: list[str]) -> None:
    """That movelo would take these arguments; nothing is run."""
    command: Command = get_command(app)
    while isinstance(command, Group):
        command = command.commands[arguments[0]]
        arguments = arguments[1:]
    command.make_context("movelo", list(arguments))


def documents(file: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(file.read_text("utf-8")))


def test_the_cron_line_is_one_and_its_command_is_movelo_s() -> None:
    pytest.importorskip("apscheduler")
    from pipeline.schedule.cron import Cron

    (line,) = [row for row in lines(DEPLOY / "crontab") if not row.startswith("#")]
    fields = line.split(None, 5)
    due = Cron(" ".join(fields[:5]), "UTC").next_after(datetime(2026, 6, 1, tzinfo=UTC))
    assert due == datetime(2026, 6, 1, 3, 30, tzinfo=UTC)
    assert "%" not in fields[5], "cron would take it for the end of a line"
    command, _or, otherwise = fields[5].partition(" || ")
    check_command(shlex.split(command)[1:])
    assert otherwise == "[ $? -eq 3 ]"


def test_the_systemd_service_runs_a_command_of_movelo_s() -> None:
    settings = dict(
        row.split("=", 1) for row in lines(DEPLOY / "movelo-batch.service") if "=" in row
    )
    check_command(shlex.split(settings["ExecStart"])[1:])
    assert settings["SuccessExitStatus"] == "3"


def test_systemd_finds_nothing_wrong(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed here")
    program = tmp_path / "movelo"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for name in ("movelo-batch.service", "movelo-batch.timer"):
        text = (DEPLOY / name).read_text().replace("%h/.local/bin/movelo", str(program))
        (tmp_path / name).write_text(text)
    found = subprocess.run(
        ["systemd-analyze", "verify", str(tmp_path / "movelo-batch.timer")],
        capture_output=True,
        text=True,
    )
    assert "movelo-batch" not in found.stderr, found.stderr


def test_the_cronjob_has_what_kubernetes_asks_for() -> None:
    job, claim = documents(DEPLOY / "kubernetes-cronjob.yaml")
    assert (job["apiVersion"], job["kind"]) == ("batch/v1", "CronJob")
    assert re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?", job["metadata"]["name"])
    assert job["spec"]["concurrencyPolicy"] in ("Allow", "Forbid", "Replace")
    pod = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    assert pod["restartPolicy"] == "Never", "a podFailurePolicy asks for it"
    (container,) = pod["containers"]
    check_command(container["args"])
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    assert mounted == {volume["name"] for volume in pod["volumes"]}
    claimed = pod["volumes"][0]["persistentVolumeClaim"]["claimName"]
    assert claim["metadata"]["name"] == claimed
    rule = job["spec"]["jobTemplate"]["spec"]["podFailurePolicy"]["rules"][0]
    assert rule["onExitCodes"]["containerName"] == container["name"]


def test_compose_has_web_schedules_database_dask_and_workers() -> None:
    (compose,) = documents(ROOT / "compose.yaml")
    services = compose["services"]
    assert set(services) == {"web", "scheduler", "dask", "worker", "database"}
    for service in services.values():
        for needed in service.get("depends_on", {}):
            assert needed in services
        for mount in service.get("volumes", ()):
            assert mount.split(":")[0] in compose["volumes"]
    check_command(services["web"]["command"])
    check_command(services["scheduler"]["command"])
    assert services["web"]["environment"]["MOVELO_CLUSTER__ADDRESS"] == "tcp://dask:8786"
    assert "MOVELO_DATABASE_URL" not in services["worker"]["environment"]


def test_every_setting_that_compose_names_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from config.settings import load_settings

    (compose,) = documents(ROOT / "compose.yaml")
    for name, value in compose["services"]["web"]["environment"].items():
        monkeypatch.setenv(name, value.replace("${POSTGRES_PASSWORD:?choose a password}", "x"))
    assert load_settings().cluster.address == "tcp://dask:8786"


def test_the_image_is_slim_runs_as_nobody_and_says_how_it_is() -> None:
    steps = instructions(ROOT / "Dockerfile")
    assert [words for step, words in steps if step == "FROM"][-1].endswith("slim-bookworm")
    names = [step for step, _words in steps]
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert dict(steps)["USER"] == "movelo"
    assert "/healthz" in dict(steps)["HEALTHCHECK"]
    check_command(yaml.safe_load(dict(steps)["CMD"]))
    known = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK"}
    assert set(names) <= known | {"ENTRYPOINT", "CMD"}


def test_whatever_the_image_is_built_of_is_let_through() -> None:
    let_through = {row[1:] for row in lines(ROOT / ".dockerignore") if row.startswith("!")}
    copied = {
        source
        for step, words in instructions(ROOT / "Dockerfile")
        if step == "COPY" and not words.startswith("--from")
        for source in words.split()[:-1]
    }
    assert {source.removeprefix("./") for source in copied} == let_through
    assert all((ROOT / source).exists() for source in copied)


def lines(file: Path) -> list[str]:
    return [row for row in file.read_text("utf-8").splitlines() if row.strip()]


def instructions(file: Path) -> list[tuple[str, str]]:
    """Each instruction with its words, continued lines joined, remarks left out."""
    rows = [row for row in lines(file) if not row.startswith("#")]
    joined = "\n".join(rows).replace("\\\n", " ")
    return [tuple(row.split(None, 1)) for row in joined.splitlines()]  # type: ignore[misc]
