"""`movelo engine bench`: how fast this machine evaluates games, and what holds it back."""

from __future__ import annotations

import json
import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from config.language import english
from pipeline.cli.options import EngineOption, JsonOption, WorkersOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from config.choices import Budget
    from engines.alone import EngineSetup
    from engines.bench import BenchResult, BudgetFigures, OpenPool
    from engines.evals import PositionSequence
    from pipeline.progress import Progress

_OWN_BENCH = english("Stockfish's own bench: runs")
_SECONDS_PER_BUDGET = 14.0
_SECONDS_TO_COUNT_NODES = 2.0


class BudgetName(Enum):
    """`config.choices.Budget` as an option that may be given several times."""

    FAST = "fast"
    STANDARD = "standard"
    DEEP = "deep"


def bench(
    engine: EngineOption = None,
    workers: WorkersOption = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            metavar="N",
            help="So many games a budget; without it, as many as a quarter of a minute takes.",
        ),
    ] = None,
    budget: Annotated[
        list[BudgetName] | None,
        typer.Option("--budget", help="Only this one; may be given several times."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure how fast this machine evaluates games: about a minute, if nothing else runs.

    The games are those of the demonstration, over and over where more are needed. For each
    budget the engines that movelo runs at once are compared with what they reach in Stockfish's
    own bench, and the time is told that they were busy.

    Example: movelo engine bench --budget fast
    """
    from rich.console import Console

    from config.settings import load_settings
    from engines.alone import EngineSetup
    from engines.cores import usable_cores
    from pipeline.cli.engine_choice import chosen_engine
    from pipeline.cli.progress import TerminalProgress
    from reports.terminal_bench import render_bench

    settings = load_settings().engine
    wanted: list[Budget] = [name.value for name in dict.fromkeys(budget or BudgetName)]
    with TerminalProgress(Console(stderr=True)) as progress:
        result = _measured(
            EngineSetup(
                path=chosen_engine(settings, engine),
                hash_mebibytes=settings.hash_mebibytes,
                options=settings.uci_options(),
            ),
            {name: settings.budgets.nodes(name) for name in wanted},
            workers=workers or settings.workers or usable_cores(),
            games=games,
            progress=progress,
        )
    if as_json:
        sys.stdout.write(json.dumps(bench_to_json(result), indent=2) + "\n")
    else:
        render_bench(result, Console())


def bench_to_json(result: BenchResult) -> dict[str, Any]:
    """Every figure, with its unit in its name; null for what is not known here."""
    return {
        "engine": result.engine.name,
        "network": result.engine.network,
        "cores": result.cores,
        "workers": result.workers,
        "hash_mebibytes": result.hash_mebibytes,
        "one_engine_alone_nodes_per_second": result.alone_nodes_per_second,
        "engines_alone_at_once_nodes_per_second": result.together_nodes_per_second,
        "main_process_peak_mebibytes": result.peak_mebibytes,
        "budgets": [
            {"budget": name, **_figures_to_json(result, figures)}
            for name, figures in result.budgets
        ],
    }


def _figures_to_json(result: BenchResult, figures: BudgetFigures) -> dict[str, Any]:
    return {
        "nodes_per_position_asked": figures.limit.nodes_per_position,
        "nodes_per_position_searched": figures.alone.nodes_per_position,
        "nodes_counted_in_games": figures.alone.games,
        "games": figures.games,
        "positions": figures.positions,
        "wall_seconds": figures.wall_seconds,
        "games_per_minute": figures.games_per_minute,
        "positions_per_second": figures.positions_per_second,
        "nodes_per_second": figures.nodes_per_second,
        "share_of_engines_alone": result.engine_bound(figures),
        "engines_busy_share": figures.busy_share,
        "idle_at_end_share": figures.idle_at_end_share,
        "engine_start_seconds": figures.alone.start_seconds,
        "main_process_cpu_milliseconds_per_position": figures.own_cpu_milliseconds_per_position,
    }


# --- measuring ------------------------------------------------------------------------------


def _measured(
    setup: EngineSetup,
    budgets: dict[Budget, int],
    *,
    workers: int,
    games: int | None,
    progress: Progress,
) -> BenchResult:
    from engines.alone import bench_nodes_per_second
    from engines.bench import BenchResult, peak_mebibytes
    from engines.cores import usable_cores
    from engines.find import probe_engine

    engine = probe_engine(setup.path)
    progress.begin(_OWN_BENCH, 2)
    alone = bench_nodes_per_second(setup, processes=1)
    progress.advance(_OWN_BENCH)
    together = bench_nodes_per_second(setup, processes=workers)
    progress.advance(_OWN_BENCH)
    figures = tuple(
        (name, _budget_figures(name, nodes, setup, workers, games, progress))
        for name, nodes in budgets.items()
    )
    return BenchResult(
        engine=engine,
        cores=usable_cores(),
        workers=workers,
        hash_mebibytes=setup.hash_mebibytes,
        alone_nodes_per_second=alone,
        together_nodes_per_second=together,
        budgets=figures,
        peak_mebibytes=peak_mebibytes(),
    )


def _budget_figures(
    name: Budget,
    nodes: int,
    setup: EngineSetup,
    workers: int,
    games: int | None,
    progress: Progress,
) -> BudgetFigures:
    from itertools import islice

    from engines.alone import search_alone
    from engines.bench import games_for, measure_pool, repeated, system_clocks
    from engines.evals import SearchLimit

    shipped, clocks = _shipped_games(), system_clocks()
    limit = SearchLimit(nodes_per_position=nodes)
    alone = search_alone(
        setup,
        shipped[:games],
        limit=limit,
        enough_seconds=_SECONDS_TO_COUNT_NODES,
        clock=clocks.wall,
    )
    if games is None:
        chosen = games_for(_SECONDS_PER_BUDGET, shipped, workers=workers, alone=alone)
    else:
        chosen = list(islice(repeated(shipped), games))
    stage = english("Budget {name}: games").format(name=name)
    progress.begin(stage, len(chosen))
    return measure_pool(
        chosen,
        limit=limit,
        open_pool=_pool_opener(setup, workers),
        alone=alone,
        clocks=clocks,
        on_game=lambda: progress.advance(stage),
    )


def _pool_opener(setup: EngineSetup, workers: int) -> OpenPool:
    from engines.pool import EnginePool

    return lambda limit: EnginePool(
        setup.path,
        workers=workers,
        limit=limit,
        hash_mebibytes=setup.hash_mebibytes,
        options=setup.options,
    )


def _shipped_games() -> Sequence[PositionSequence]:
    from pipeline.demo.games import demo_games
    from pipeline.replay import replay

    return [replay(game).positions() for game in demo_games()]
