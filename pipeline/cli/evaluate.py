"""`movelo evaluate`: how good the ranges are, on games whose players' ratings are known."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from config.errors import StoreError
from config.language import _
from pipeline.cli.human_options import HumanGamesOption, HumanOption
from pipeline.cli.options import JsonOption

if TYPE_CHECKING:
    from pipeline.strength.evaluation import Evaluation
    from pipeline.strength.human_cache import HumanCache


class Players(Enum):
    """Whose games are evaluated."""

    AUTO = "auto"
    ALL = "all"
    HELD_OUT = "held-out"


FilesArgument = Annotated[
    list[Path],
    typer.Argument(metavar="FILE", help="Lichess's NDJSON or PGN, plain, .gz or .zst."),
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
    human: HumanOption = None,
    human_games: HumanGamesOption = None,
    without_human_model: Annotated[
        bool,
        typer.Option("--without-human-model", help="Measure Stockfish's evidence alone."),
    ] = False,
    sample: Annotated[
        int,
        typer.Option(
            "--sample", min=0, metavar="N", help="So many games, always the same ones; 0 means all."
        ),
    ] = 0,
    players: Annotated[
        Players,
        typer.Option(
            "--players",
            help="auto: only players the model was not fitted on, where the file was used for it.",
        ),
    ] = Players.AUTO,
    with_pairing: Annotated[
        bool,
        typer.Option(
            "--with-pairing",
            help="Measure that option too: ranges from the opponents' moves as well.",
        ),
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE.svg", help="Draw how far probabilities hold."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure error, coverage and width of the ranges, beside guesses that cost nothing.

    With the human-move model where it is installed, or where --human has its likelihoods: then
    only games of which there are some are measured. What was computed is kept, so that the same
    command continues where it was stopped.

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

    with (
        _opened(human, human_games, without=without_human_model) as cache,
        CountingStages(Console(stderr=True)) as stages,
    ):
        found = measure(
            StrengthModel.load(),
            game_sources(files),
            evaluations=[read_evaluations(file) for file in evals or ()],
            human=cache,
            sample=sample,
            players=players.value,
            with_pairing=with_pairing,
            progress=stages.show,
        )
    if as_json:
        sys.stdout.write(json.dumps(evaluation_to_json(found), indent=2) + "\n")
    else:
        render_evaluation(found, Console())
    if plot is not None:
        _draw(found, plot)


def _opened(
    folder: Path | None, games: int | None, *, without: bool
) -> AbstractContextManager[HumanCache | None]:
    from pipeline.cli.human_likelihoods import measuring_cache

    if without and (folder is not None or games):
        raise typer.BadParameter(
            _("leave it out, or leave --human and --human-games out."),
            param_hint="--without-human-model",
        )
    return (None if without else measuring_cache(folder, games)) or nullcontext()


def _draw(evaluation: Evaluation, file: Path) -> None:
    from pipeline.cli.output import write_whole
    from reports.svg_reliability import reliability_chart

    try:
        write_whole(file, reliability_chart(evaluation) + "\n")
    except StoreError as error:
        raise StoreError(
            _("The plot cannot be written to {file}; name another file.").format(file=file)
        ) from error
    typer.echo(_("reliability plot: {file}").format(file=file), err=True)
