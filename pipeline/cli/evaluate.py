"""`movelo evaluate`: how good the ranges are, on games whose players' ratings are known."""

from __future__ import annotations

import json
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.options import JsonOption


class Players(Enum):
    """Whose games are evaluated."""

    AUTO = "auto"
    ALL = "all"
    HELD_OUT = "held-out"


FilesArgument = Annotated[
    list[Path],
    typer.Argument(metavar="FILE…", help="Lichess's NDJSON or PGN, plain, .gz or .zst."),
]
EvalsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--evals",
        metavar="FILE",
        help="Evaluations by game id, for games that come without; may be given several times.",
    ),
]


def evaluate(
    files: FilesArgument,
    evals: EvalsOption = None,
    players: Annotated[
        Players,
        typer.Option(
            "--players",
            help="auto: only players the model was not fitted on, where the file was used for it.",
        ),
    ] = Players.AUTO,
    as_json: JsonOption = False,
) -> None:
    """Measure error, coverage and width of the ranges, beside a constant guess.

    Example: movelo evaluate games.ndjson.zst --json
    """
    from rich.console import Console

    from pipeline.cli.progress import CountingStages
    from pipeline.cli.sources import game_sources
    from pipeline.strength.estimate import StrengthModel
    from pipeline.strength.evaluate import evaluate as measure
    from pipeline.strength.evaluation import evaluation_to_json
    from pipeline.strength.evaluations_file import read_evaluations
    from reports.terminal_evaluation import render_evaluation

    with CountingStages(Console(stderr=True)) as stages:
        found = measure(
            StrengthModel.load(),
            game_sources(files),
            evaluations=[read_evaluations(file) for file in evals or ()],
            players=players.value,
            progress=stages.show,
        )
    if as_json:
        sys.stdout.write(json.dumps(evaluation_to_json(found), indent=2) + "\n")
    else:
        render_evaluation(found, Console())
