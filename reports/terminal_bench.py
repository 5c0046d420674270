"""A machine's figures in the terminal: what the engines reach, by themselves and for movelo."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from engines.bench import BenchResult, BudgetFigures
from reports.words import counted

_ENGINE_BOUND_TARGET = 0.90
_BUSY_TARGET = 0.97


def render_bench(result: BenchResult, console: Console) -> None:
    """The machine, the engines by themselves, a column a budget, and what it all means."""
    for part in (_heading(result), _table(result), _explanation(result)):
        console.print(part, highlight=False)


def _heading(result: BenchResult) -> Text:
    cores, engines = counted(result.cores, "core"), counted(result.workers, "engine")
    lines = [
        f"{result.engine.name}, network {result.engine.network or 'not stated'}",
        f"{cores}; {engines} at once, each with {result.hash_mebibytes} MiB of hash",
        _by_themselves(result),
    ]
    return Text("\n".join(lines))


def _by_themselves(result: BenchResult) -> str:
    alone, together = result.alone_nodes_per_second, result.together_nodes_per_second
    if alone is None or together is None:
        return (
            "this engine does not know Stockfish's bench command: "
            "what it reaches by itself is left out"
        )
    engines = counted(result.workers, "engine")
    return (
        f"Stockfish's own bench: one engine {alone:,} nodes/s, "
        f"{engines} at once {together:,} nodes/s"
    )


def _table(result: BenchResult) -> Table:
    table = Table(box=SIMPLE, padding=(0, 0, 0, 1))
    table.add_column("budget")
    for name, _ in result.budgets:
        table.add_column(name, justify="right", no_wrap=True)
    columns = [dict(_cells(result, figures)) for _, figures in result.budgets]
    for heading in columns[0] if columns else ():
        table.add_row(heading, *(column[heading] for column in columns))
    return table


def _cells(result: BenchResult, figures: BudgetFigures) -> Iterator[tuple[str, str]]:
    """Rows that no figure is known for are left out: they are unknown in every column."""
    yield "nodes a position, asked for", f"{figures.limit.nodes_per_position:,}"
    yield "nodes a position, searched", f"{figures.alone.nodes_per_position:,.0f}"
    yield "games", f"{figures.games:,}"
    yield "seconds", f"{figures.wall_seconds:.1f}"
    yield "games a minute", f"{figures.games_per_minute:.1f}"
    yield "positions a second", f"{figures.positions_per_second:.1f}"
    yield "nodes a second", f"{figures.nodes_per_second:,.0f}"
    if (engine_bound := result.engine_bound(figures)) is not None:
        yield "÷ own bench, all at once", f"{engine_bound:.2f}"
    if figures.busy_share is not None:
        yield "engines busy", f"{figures.busy_share:.1%}"
    yield "idle at the end", f"{figures.idle_at_end_share:.1%}"
    yield "main process, ms a position", f"{figures.own_cpu_milliseconds_per_position:.2f}"


def _explanation(result: BenchResult) -> Text:
    return Text("\n".join(_sentences(result)), style="dim")


def _sentences(result: BenchResult) -> Iterator[str]:
    yield (
        "nodes searched: as the engine counts them, in the first of these games and by one "
        "engine; the pool's engines search the same."
    )
    if result.together_nodes_per_second is not None:
        yield (
            f"÷ own bench: to reach {_ENGINE_BOUND_TARGET:.2f}; it searches other positions, "
            "deeper, without a pause, here always with the network."
        )
    if any(figures.busy_share is not None for _, figures in result.budgets):
        yield (
            f"engines busy: their CPU time in wall time × engines, to reach {_BUSY_TARGET:.0%}; "
            f"with their starts ({_start_seconds(result):.2f} s each) and the clearing of hash."
        )
    yield (
        "idle at the end: engines without a game while the last ones are finished; less in a "
        "longer run."
    )
    yield "main process: CPU time for everything that is not the engines'."
    if result.peak_mebibytes is not None:
        yield f"main process, peak memory: {result.peak_mebibytes:.0f} MiB"


def _start_seconds(result: BenchResult) -> float:
    return max(figures.alone.start_seconds for _, figures in result.budgets)
