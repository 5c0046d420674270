"""The table of budgets in the terminal: what more thought a position costs and brings."""

from __future__ import annotations

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from config.language import _, english, retold
from config.localized import localized, number_text
from pipeline.strength.budget_table import BudgetRow, BudgetTable, SpeedBudgets
from pipeline.strength.measured import Measured
from reports.counts import counted
from reports.lines import ABSENT
from reports.terms import speed_name
from reports.words import coverage_text, decimal_text, percent_text, percentage

_WHOSE = {
    "validation": english("validation players (no reading was fitted on them)"),
    "held-out": english("players that the model was not fitted on"),
    "all": english("all players"),
}


def render_budgets(table: BudgetTable, console: Console) -> None:
    """One table a speed, and what its columns mean."""
    games = counted(sum(speed.player_games for speed in table.speeds), "player-game")
    console.print(
        _("{model_name} on {games} of {whose}").format(
            model_name=table.model_name, games=games, whose=retold(_WHOSE[table.players])
        ),
        highlight=False,
    )
    for speed in table.speeds:
        console.print()
        console.print(_table(speed, table))
    console.print(_explanation(table), highlight=False)


def _table(speed: SpeedBudgets, table: BudgetTable) -> Table:
    shown = Table(
        title=_title(speed, table.stated_coverage),
        title_justify="left",
        box=SIMPLE,
        show_edge=False,
        padding=(0, 0, 0, 1),
    )
    shown.add_column(_("nodes a position"), min_width=8)
    for heading in _headings(speed, table.nodes_per_second):
        shown.add_column(heading, justify="right", no_wrap=True)
    staged = False
    for row in speed.rows:
        if row.nodes_per_position is None and not staged:
            shown.add_section()
            staged = True
        shown.add_row(row.name, *_cells(row, speed, table.nodes_per_second))
    return shown


def _title(speed: SpeedBudgets, coverage: float) -> str:
    how = (
        _("with the human-move model") if speed.with_human_model else _("by Stockfish's view alone")
    )
    games, sides = counted(speed.games, "game"), counted(speed.player_games, "player-game")
    return _("{speed}: {coverage} ranges {how}; {games}, {sides} of {players}").format(
        speed=speed_name(speed.speed),
        coverage=coverage_text(coverage),
        how=how,
        games=games,
        sides=sides,
        players=counted(speed.players, "player"),
    )


def _headings(speed: SpeedBudgets, nodes_per_second: float | None) -> tuple[str, ...]:
    cost = (_("k nodes"),) if nodes_per_second is None else (_("k nodes"), _("CPU s"))
    change = _("% to {against}").format(against=_short(speed.against))
    return (*cost, _("MAE"), change, _("bias"), _("covers"), _("width"), _("win%"), _("alike"))


def _short(nodes: int) -> str:
    return f"{nodes // 1000}k" if nodes % 1000 == 0 else str(nodes)


def _cells(row: BudgetRow, speed: SpeedBudgets, nodes_per_second: float | None) -> tuple[str, ...]:
    cost = (
        number_text(row.nodes_per_game / 1000),
        *(() if nodes_per_second is None else (_seconds(row.cpu_seconds_per_game),)),
    )
    reference = next(r for r in speed.rows if r.nodes_per_position == speed.against)
    is_reference = row is reference
    per_cent = 100 / reference.ranges.mae.value if reference.ranges.mae.value else None
    found = row.lichess
    return (
        *cost,
        _with_error(row.ranges.mae, 1),
        "" if is_reference or per_cent is None else _signed(row.excess_error, per_cent),
        f"{row.ranges.bias.value:+z.0f}",
        percentage(_with_error(row.ranges.coverage, 100)),
        f"{row.ranges.mean_width.value:.0f}",
        ABSENT if found is None else decimal_text(found.win_percent_difference.value, 1),
        ABSENT if found is None else percent_text(100 * found.judged_alike.value),
    )


def _seconds(seconds: float | None) -> str:
    return ABSENT if seconds is None else number_text(seconds, 2)


def _with_error(measured: Measured, factor: float) -> str:
    value = f"{measured.value * factor:.0f}"
    if measured.standard_error is None:
        return value
    return f"{value}±{measured.standard_error * factor:.0f}"


def _signed(measured: Measured, factor: float) -> str:
    value = localized(f"{measured.value * factor:+z.1f}")
    if measured.standard_error is None:
        return value
    return f"{value}±{number_text(measured.standard_error * factor, 1)}"


def _explanation(table: BudgetTable) -> Text:
    lines = [
        _("k nodes: thousands of nodes a game") + _about_seconds(table.nodes_per_second),
        _(
            "MAE: mean absolute difference of the range's median and the rating before the "
            "game; ± one standard error, by player."
        ),
        _(
            "% to …: how much more or less that is than with so many nodes, on the same "
            "player-games."
        ),
        _(
            "bias: the mean of median less rating; covers: how often the range held the "
            "rating; width: from its low to its high end."
        ),
        _(
            "win%: mean absolute difference from Lichess's own evaluations; alike: moves "
            "judged alike (inaccuracy, mistake, blunder or none). Of the games that have "
            "them."
        ),
        _(
            "Staged searches are composed of the evaluations above; searched for real, they "
            "would come out a little different."
        ),
    ]
    lines += [
        _("left out: {count} {reason}").format(count=count, reason=retold(reason))
        for reason, count in table.left_out
    ]
    return Text("\n".join(lines), style="dim")


def _about_seconds(nodes_per_second: float | None) -> str:
    if nodes_per_second is None:
        return "."
    return _("; CPU s: what they take at {nodes_per_second} nodes a second.").format(
        nodes_per_second=number_text(nodes_per_second)
    )
