"""`movelo engine`: which engine is used, and how to get one."""

from __future__ import annotations

import typer

from pipeline.cli.engine_bench import bench
from pipeline.cli.engine_budgets import budgets
from pipeline.cli.options import EngineOption

app = typer.Typer(no_args_is_help=True, help="Which engine movelo uses, and how to get one.")
app.command()(bench)
app.command()(budgets)


@app.command()
def info(engine: EngineOption = None) -> None:
    """Say which engine is used: where it is, its name, network and budget."""
    from config.settings import load_settings
    from engines.cores import usable_cores
    from engines.find import probe_engine
    from pipeline.cli.engine_choice import chosen_engine

    settings = load_settings().engine
    path = chosen_engine(settings, engine)
    found = probe_engine(path)
    typer.echo(f"engine:   {found.name}")
    typer.echo(f"network:  {found.network or 'not stated'}")
    typer.echo(f"path:     {path}")
    typer.echo(f"budget:   {settings.nodes()} nodes per position")
    typer.echo(f"workers:  {settings.workers or usable_cores()}")


@app.command()
def install() -> None:
    """Download the pinned official Stockfish, check its SHA-256, try it, and keep it."""
    import requests
    from rich.console import Console

    from config.settings import data_folder
    from config.version import version
    from engines.find import probe_engine
    from engines.install import STOCKFISH_19, install_engine
    from pipeline.cli.progress import TerminalProgress

    with requests.Session() as session, TerminalProgress(Console(stderr=True)) as bars:
        session.headers["User-Agent"] = f"movelo/{version()}"
        stage = f"Downloading Stockfish ({STOCKFISH_19.tag}), MiB"
        bars.begin(stage, None)
        path = install_engine(
            data_folder(),
            session=session,
            progress=lambda done, total: bars.reach(stage, done >> 20, total and total >> 20),
        )
    typer.echo(f"{probe_engine(path).name} is installed: {path}")
