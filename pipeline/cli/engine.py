"""`movelo engine`: which engine is used, and how to get one."""

from __future__ import annotations

import typer

from config.language import _
from pipeline.cli.engine_bench import bench
from pipeline.cli.engine_budgets import budgets
from pipeline.cli.options import EngineOption

app = typer.Typer(no_args_is_help=True, help="Which engine movelo uses, and how to get one.")
app.command()(bench)
app.command()(budgets)


@app.command()
def info(engine: EngineOption = None) -> None:
    """Say which engine is used: where it is, its name, network and budget.

    Example: movelo engine info
    """
    from config.settings import load_settings
    from engines.cores import usable_cores
    from engines.find import probe_engine
    from pipeline.cli.engine_choice import chosen_engine

    settings = load_settings().engine
    path = chosen_engine(settings, engine)
    found = probe_engine(path)
    nodes = _("{nodes} nodes per position").format(nodes=settings.nodes())
    _say(_("engine:"), found.name)
    _say(_("network:"), found.network or _("not stated"))
    _say(_("path:"), path)
    _say(_("budget:"), nodes)
    _say(_("workers:"), settings.workers or usable_cores())


def _say(what: str, value: object) -> None:
    typer.echo(f"{what:<10}{value}")


@app.command()
def install() -> None:
    """Download the pinned official Stockfish, check its SHA-256, try it, and keep it.

    Example: movelo engine install
    """
    import requests
    from rich.console import Console

    from config.settings import data_folder
    from config.version import version
    from engines.find import probe_engine
    from engines.install import STOCKFISH_19, install_engine
    from pipeline.cli.progress import TerminalProgress

    with requests.Session() as session, TerminalProgress(Console(stderr=True)) as bars:
        session.headers["User-Agent"] = f"movelo/{version()}"
        stage = _("Downloading Stockfish ({tag}), MiB").format(tag=STOCKFISH_19.tag)
        bars.begin(stage, None)
        path = install_engine(
            data_folder(),
            session=session,
            progress=lambda done, total: bars.reach(stage, done >> 20, total and total >> 20),
        )
    typer.echo(_("{name} is installed: {path}").format(name=probe_engine(path).name, path=path))
