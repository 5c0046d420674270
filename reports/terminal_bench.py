"""A machine's figures in the terminal: what the engines reach, by themselves and for movelo."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from config.language import _
from config.localized import localized, number_text
from engines.bench import BenchResult, BudgetFigures
from reports.counts import counted

_ENGINE_BOUND_TARGET = 0.90
_BUSY_TARGET = 0.97


def render_bench(result: BenchResult, console: Console) -> None:
    """The machine, the engines by themselves, a column a budget, and what it all means."""
    for part in (_heading(result), _table(result), _explanation(result)):
        console.print(part, highlight=False)


def _heading(result: BenchResult) -> Text:
    cores, engines = counted(result.cores, "core"), counted(result.workers, "engine")
    lines = [
        _("{engine}, network {network}").format(
            engine=result.engine.name, network=result.engine.network or _("not stated")
        ),
        _("{cores}; {engines} at once, each with {hash_mebibytes} MiB of hash").format(
            cores=cores, engines=engines, hash_mebibytes=result.hash_mebibytes
        ),
        _by_themselves(result),
    ]
    return Text("\n".join(lines))


def _by_themselves(result: BenchResult) -> str:
    alone, together = result.alone_nodes_per_second, result.together_nodes_per_second
    if alone is None or together is None:
        return _(
            "this engine does not know Stockfish's bench command: what it reaches by "
            "itself is left out"
        )
    engines = counted(result.workers, "engine")
    return _(
        "Stockfish's own bench: one engine {alone} nodes/s, {engines} at once {together} nodes/s"
    ).format(alone=number_text(alone), engines=engines, together=number_text(together))


def _table(result: BenchResult) -> Table:
    table = Table(box=SIMPLE, padding=(0, 0, 0, 1))
    table.add_column(_("budget"))
    for name, _figures in result.budgets:
        table.add_column(name, justify="right", no_wrap=True)
    columns = [dict(_cells(result, figures)) for _name, figures in result.budgets]
    for heading in columns[0] if columns else ():
        table.add_row(heading, *(column[heading] for column in columns))
    return table


def _cells(result: BenchResult, figures: BudgetFigures) -> Iterator[tuple[str, str]]:
    """Rows that no figure is known for are left out: they are unknown in every column."""
    yield _("nodes a position, asked for"), number_text(figures.limit.nodes_per_position)
    yield _("nodes a position, searched"), number_text(figures.alone.nodes_per_position)
    yield _("games"), number_text(figures.games)
    yield _("seconds"), number_text(figures.wall_seconds, 1)
    yield _("games a minute"), number_text(figures.games_per_minute, 1)
    yield _("positions a second"), number_text(figures.positions_per_second, 1)
    yield _("nodes a second"), number_text(figures.nodes_per_second)
    if (engine_bound := result.engine_bound(figures)) is not None:
        yield _("÷ own bench, all at once"), number_text(engine_bound, 2)
    if figures.busy_share is not None:
        yield _("engines busy"), localized(f"{figures.busy_share:.1%}")
    yield _("idle at the end"), localized(f"{figures.idle_at_end_share:.1%}")
    yield (
        _("main process, ms a position"),
        number_text(figures.own_cpu_milliseconds_per_position, 2),
    )


def _explanation(result: BenchResult) -> Text:
    return Text("\n".join(_sentences(result)), style="dim")


def _sentences(result: BenchResult) -> Iterator[str]:
    yield (
        _(
            "nodes searched: as the engine counts them, in the first of these games and by "
            "one engine; the pool's engines search the same."
        )
    )
    if result.together_nodes_per_second is not None:
        yield (
            _(
                "÷ own bench: to reach {engine_bound_target}; it searches other positions, "
                "deeper, without a pause, here always with the network."
            ).format(engine_bound_target=localized(f"{_ENGINE_BOUND_TARGET:.2f}"))
        )
    if any(figures.busy_share is not None for _name, figures in result.budgets):
        yield (
            _(
                "engines busy: their CPU time in wall time × engines, to reach "
                "{busy_target}; with their starts ({seconds} s each) and the clearing of hash."
            ).format(
                busy_target=f"{_BUSY_TARGET:.0%}",
                seconds=localized(f"{_start_seconds(result):.2f}"),
            )
        )
    yield (
        _(
            "idle at the end: engines without a game while the last ones are finished; less "
            "in a longer run."
        )
    )
    yield _("main process: CPU time for everything that is not the engines'.")
    if result.peak_mebibytes is not None:
        yield _("main process, peak memory: {peak_mebibytes} MiB").format(
            peak_mebibytes=f"{result.peak_mebibytes:.0f}"
        )


def _start_seconds(result: BenchResult) -> float:
    return max(figures.alone.start_seconds for _name, figures in result.budgets)
