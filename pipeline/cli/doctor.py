"""`movelo doctor`: what is there, what is missing, and how to get it."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import typer

from config.language import _, english, retold


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing looked at: `missing` says what to do, and is None when all is well."""

    what: str
    found: str
    missing: str | None = None
    needed: bool = True


def doctor() -> None:
    """Say what movelo finds on this machine and what it lacks; exit 1 if it cannot work.

    Example: movelo doctor
    """
    findings = list(examine())
    for finding in findings:
        mark = (
            "ok  " if finding.missing is None else (_("MISSING") if finding.needed else _("note"))
        )
        typer.echo(f"{mark:<8}{retold(finding.what):<12}{finding.found}")
        if finding.missing is not None:
            typer.echo(f"{'':<20}-> {finding.missing}")
    if any(f.missing is not None and f.needed for f in findings):
        raise typer.Exit(1)


def examine() -> Iterator[Finding]:
    """Look at everything that a report needs, cheapest first."""
    from config.version import version

    python = f"{platform.python_version()} ({sys.executable})"
    yield Finding(what="movelo", found=version())
    yield Finding(what="python", found=python)
    for what, look in _LOOKS.items():
        yield _looked_at(what, look)


def _looked_at(what: str, look: Callable[[], Finding]) -> Finding:
    from config.errors import MoveloError

    try:
        return look()
    except MoveloError as error:
        return Finding(what=what, found=_("not usable"), missing=str(error))


def _settings() -> Finding:
    from config.settings import load_settings
    from config.user_file import user_file

    load_settings()
    file = user_file()
    return Finding(
        what="settings",
        found=str(file) if file.exists() else _("{file} (not there: defaults)").format(file=file),
    )


def _store() -> Finding:
    from config.settings import load_settings
    from pipeline.cli.storage import open_store

    with open_store(load_settings()) as store:
        return Finding(what="store", found=store.place)


def _model() -> Finding:
    from pipeline.strength.estimate import StrengthModel

    return Finding(what="model", found=StrengthModel.load().name)


def _human_moves() -> Finding:
    from config.errors import ModelError
    from pipeline.cli.model import OBTAIN, tried_human_model

    what = "human moves"
    try:
        path = tried_human_model()
    except ModelError as error:
        advice = f"{retold(_WIDER_RANGES)}; {error}"
        return Finding(what=what, found=_("not usable"), missing=advice, needed=False)
    if path is None:
        advice = f"{retold(_WIDER_RANGES)}; {retold(OBTAIN)}"
        return Finding(what=what, found=_("no human-move model"), missing=advice, needed=False)
    return Finding(what=what, found=f"Maia-3 ({path})")


def _engine() -> Finding:
    from config.settings import load_settings
    from engines.find import probe_engine
    from pipeline.cli.engine_choice import chosen_engine

    path = chosen_engine(load_settings().engine)
    return Finding(what="engine", found=f"{probe_engine(path).name} ({path})")


def _lichess() -> Finding:
    import requests

    from config.settings import load_settings
    from pipeline.cli.lichess_client import user_agent

    settings = load_settings().lichess
    agent = user_agent(settings)
    try:
        answer = requests.head(
            settings.base_url, headers={"User-Agent": agent}, timeout=5, allow_redirects=False
        )
    except requests.RequestException:
        return Finding(
            what="lichess",
            found=_("{base_url} does not answer").format(base_url=settings.base_url),
            missing=_("check the connection; reports from files (--from) work without it"),
            needed=False,
        )
    return Finding(
        what="lichess",
        found=_("{base_url} answers ({status_code})").format(
            base_url=settings.base_url, status_code=answer.status_code
        ),
    )


def _token() -> Finding:
    if os.environ.get("LICHESS_TOKEN"):
        return Finding(what="token", found=_("LICHESS_TOKEN is set"))
    return Finding(
        what="token",
        found=_("LICHESS_TOKEN is not set"),
        missing=_("not needed; Lichess sends games faster with one (no scope needed)"),
        needed=False,
    )


_WIDER_RANGES = english("not needed: movelo works without, with wider ranges")

_LOOKS: dict[str, Callable[[], Finding]] = {
    english("settings"): _settings,
    english("store"): _store,
    english("model"): _model,
    english("human moves"): _human_moves,
    english("engine"): _engine,
    english("lichess"): _lichess,
    english("token"): _token,
}
