"""`movelo analyse`: evaluations of the games of a file, for fitting and measuring the model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.options import BudgetOption, EngineOption, NodesOption, WorkersOption, nodes_of


def analyse(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Lichess's NDJSON or PGN, plain, .gz or .zst.")
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where the evaluations are written.")
    ],
    sample: Annotated[
        int,
        typer.Option(
            "--sample", min=0, metavar="N", help="So many games, always the same ones; 0 means all."
        ),
    ] = 0,
    nodes: NodesOption = None,
    budget: BudgetOption = None,
    workers: WorkersOption = None,
    engine: EngineOption = None,
) -> None:
    """Let Stockfish evaluate the games of FILE, whether or not they came with evaluations.

    What it writes is what `movelo evaluate` and `movelo train` take with --evals. Every game is
    kept as soon as it is done: the same command continues where it was stopped.

    Example: movelo analyse games.ndjson.zst --sample 200 --out evals.jsonl
    """
    from config.settings import load_settings
    from pipeline.cli.files import games_in
    from pipeline.cli.output import write_whole
    from pipeline.cli.workshop import workshop
    from pipeline.evaluation import evaluate_all
    from pipeline.sample import sampled
    from pipeline.strength.evaluations_file import evaluations_line

    settings = load_settings()
    chosen_nodes = nodes_of(nodes, budget, settings.engine)
    with workshop(settings, nodes=chosen_nodes, workers=workers, engine=engine) as tools:
        chosen = sampled(games_in(file, tools.progress), sample)
        found = evaluate_all(
            chosen.replays,
            store=tools.store,
            limit=tools.limit,
            open_evaluator=tools.open_evaluator,
            progress=tools.progress,
        )
    write_whole(out, "".join(f"{evaluations_line(evals)}\n" for evals in found.evals))
    typer.echo(f"{len(found.evals)} games evaluated: {out}")
    for left_out in (*chosen.set_aside, *found.failures):
        typer.echo(f"left out: {left_out.where}: {left_out.reason}", err=True)
