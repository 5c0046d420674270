"""`movelo analyse`: evaluations of the games of a file, for fitting and measuring the model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from config.language import _, english, retold
from pipeline.cli.options import BudgetOption, EngineOption, NodesOption, WorkersOption, nodes_of

if TYPE_CHECKING:
    from pipeline.records import SetAside
    from pipeline.replay import Replay
    from pipeline.workshop import Workshop

_STAGE = english("Evaluating games")


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
    from pipeline.sample import sampled

    settings = load_settings()
    chosen_nodes = nodes_of(nodes, budget, settings.engine)
    with workshop(settings, nodes=chosen_nodes, workers=workers, engine=engine) as tools:
        chosen = sampled(games_in(file, tools.progress), sample)
        lines, failed = _evaluated(chosen.replays, tools)
    in_order = [lines[replay.game_id] for replay in chosen.replays if replay.game_id in lines]
    write_whole(out, "".join(in_order))
    typer.echo(_("{number} games evaluated: {out}").format(number=len(in_order), out=out))
    for one in (*chosen.set_aside, *failed):
        said = _("left out: {where}: {reason}")
        typer.echo(said.format(where=retold(one.where), reason=retold(one.reason)), err=True)


def _evaluated(replays: Sequence[Replay], tools: Workshop) -> tuple[dict[str, str], list[SetAside]]:
    """A line for each game by its id, as they are finished; and those that could not be."""
    from engines.evals import EngineFailure
    from pipeline.evaluation import Evaluation
    from pipeline.records import SetAside
    from pipeline.strength.evaluations_file import evaluations_line

    lines: dict[str, str] = {}
    failed: list[SetAside] = []
    tools.progress.begin(_STAGE, len(replays))
    with Evaluation(
        store=tools.store,
        limit=tools.limit,
        open_evaluator=tools.open_evaluator,
        ask_others=tools.ask_others,
    ) as evaluation:
        for outcome in evaluation.by_engine(replays):
            tools.progress.advance(_STAGE)
            if isinstance(outcome, EngineFailure):
                where = english("game {game_id}").format(game_id=outcome.game_id)
                failed.append(SetAside(where=where, reason=outcome.reason))
            else:
                lines[outcome.game_id] = f"{evaluations_line(outcome)}\n"
    return lines, failed
