"""An evaluation in the terminal: how good the ranges are, beside a constant guess."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipeline.strength.evaluation import Evaluation, Figures, Measured
from reports.words import counted, speed_name


def render_evaluation(evaluation: Evaluation, console: Console) -> None:
    """One table for each speed and size of pool: overall, then by 200-point band."""
    console.print(_heading(evaluation), highlight=False)
    groups = dict.fromkeys((f.speed, f.games_per_pool) for f in evaluation.figures)
    for speed, games in groups:
        figures = [f for f in evaluation.figures if (f.speed, f.games_per_pool) == (speed, games)]
        console.print()
        console.print(_table(speed, games, figures, evaluation.stated_coverage))
    console.print()
    console.print(_explanation(evaluation), highlight=False)


def _heading(evaluation: Evaluation) -> Text:
    whose = (
        "players that the model was not fitted on"
        if evaluation.players == "held-out"
        else "all players"
    )
    files = ", ".join(file.name for file in evaluation.files)
    games = counted(evaluation.player_games, "player-game")
    return Text(f"{evaluation.model_name} on {games} of {whose}, from {files}")


def _table(speed: str, games: int, figures: Iterable[Figures], coverage: float) -> Table:
    size = "single games" if games == 1 else f"pools of {games} games of one player"
    title = f"{speed_name(speed)}, {size}: {coverage:.0%} ranges"
    table = Table(title=title, title_justify="left")
    table.add_column("rating")
    table.add_column("players")
    for column in ("n", "MAE", "constant", "ACPL formula", "bias", "R²"):
        table.add_column(column, justify="right")
    for column in ("covers", "width"):
        table.add_column(column, justify="right")
    for row in figures:
        table.add_row(*_cells(row))
    return table


def _cells(row: Figures) -> tuple[str, ...]:
    return (
        "all" if row.band is None else f"{row.band[0]}–{row.band[1] - 1}",
        row.labels,
        str(row.pools),
        _with_error(row.mae, 1, 0),
        f"{row.constant_mae:.0f}",
        "–" if row.acpl_formula_mae is None else f"{row.acpl_formula_mae:.0f}",
        f"{row.bias.value:+.0f}",
        "–" if row.r_squared is None else f"{row.r_squared:.2f}",
        _with_error(row.coverage, 100, 1) + " %",
        f"{row.mean_width.value:.0f}",
    )


def _with_error(measured: Measured, factor: float, places: int) -> str:
    value = f"{measured.value * factor:.{places}f}"
    if measured.standard_error is None:
        return value
    return f"{value} ± {measured.standard_error * factor:.{places}f}"


def _explanation(evaluation: Evaluation) -> Text:
    lines = [
        "MAE: mean absolute difference of the range's median and the rating before the game; "
        "± one standard error, by player.",
        "covers: how often the range held the rating; width: from its low to its high end.",
        "constant: always the median rating. ACPL formula: 3100·exp(-0.01·ACPL).",
        "steady: without provisional ratings and those that moved by more than 15 points.",
    ]
    lines += [f"left out: {count} {reason}" for reason, count in evaluation.left_out]
    return Text("\n".join(lines), style="dim")
