"""`movelo engine budgets`: how many nodes a position are enough, measured."""

from __future__ import annotations

import json
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.evaluate import FilesArgument
from pipeline.cli.options import JsonOption


class ComparedPlayers(Enum):
    """Whose games are read."""

    VALIDATION = "validation"
    HELD_OUT = "held-out"
    ALL = "all"


def budgets(
    files: FilesArgument,
    evals: Annotated[
        list[Path],
        typer.Option(
            "--evals",
            metavar="FILE",
            help="What 'movelo analyse' wrote, one file a number of nodes; give several.",
        ),
    ],
    human: Annotated[
        Path | None,
        typer.Option(
            "--human",
            metavar="DIR",
            help="Likelihoods of the human-move model, as 'movelo evaluate --human' keeps them.",
        ),
    ] = None,
    players: Annotated[
        ComparedPlayers,
        typer.Option(
            "--players",
            help="validation: those on whom no reading was fitted, and who are not held out.",
        ),
    ] = ComparedPlayers.VALIDATION,
    against: Annotated[
        int | None,
        typer.Option(
            "--against",
            min=1,
            metavar="N",
            help="Compare errors with those of N nodes a position; without it, of the most.",
        ),
    ] = None,
    nodes_per_second: Annotated[
        float | None,
        typer.Option(
            "--nodes-per-second",
            min=1,
            metavar="N",
            help="What one engine process searches here, to state costs in CPU seconds.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure what more nodes a position bring: error and width of the ranges, against Lichess.

    Below the numbers of nodes stand staged searches composed of them, which spend more on
    some positions than on others. First the games are evaluated, once for each number of nodes:

    movelo analyse games.ndjson --nodes 10000 --out evals.10000.jsonl

    and so on; then, as often as you like:

    movelo engine budgets games.ndjson --evals evals.10000.jsonl --evals evals.50000.jsonl
    """
    from rich.console import Console

    from pipeline.cli.human_likelihoods import fitting_cache
    from pipeline.cli.progress import CountingStages
    from pipeline.cli.sources import game_sources
    from pipeline.strength.budget_table import budgets_to_json
    from pipeline.strength.budgets import measure_budgets
    from pipeline.strength.estimate import StrengthModel
    from pipeline.strength.evaluations_file import read_evaluations
    from reports.terminal_budgets import render_budgets

    with CountingStages(Console(stderr=True)) as stages:
        table = measure_budgets(
            StrengthModel.load(),
            game_sources(files),
            [read_evaluations(file) for file in evals],
            human=fitting_cache(human, None),
            players=players.value,
            against=against,
            nodes_per_second=nodes_per_second,
            progress=stages.show,
        )
    if as_json:
        sys.stdout.write(json.dumps(budgets_to_json(table), indent=2) + "\n")
    else:
        render_budgets(table, Console())
