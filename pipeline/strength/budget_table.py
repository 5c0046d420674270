"""What more and less thought a position is worth: the table, and its form in JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pipeline.strength.figures import RangeFigures
from pipeline.strength.lichess_agreement import LichessAgreement
from pipeline.strength.measured import Measured

BUDGETS_SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetRow:
    """One way to spend nodes, on the games that every row has.

    `nodes_per_position` is None for a staged search. `excess_error` is the mean absolute error
    less that of the row which is compared with, over the same player-games: its standard error
    is far smaller than that of either. `cpu_seconds_per_game` is what the nodes take at the
    speed that was given; None where none was. `lichess` is None where no game came with
    Lichess's evaluations.
    """

    name: str
    nodes_per_position: int | None
    nodes_per_game: float
    cpu_seconds_per_game: float | None
    ranges: RangeFigures
    excess_error: Measured
    lichess: LichessAgreement | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedBudgets:
    """The rows of one speed, cheapest budget first, then the staged searches.

    `against` is the budget that the excess errors are counted from, in nodes a position.
    `with_human_model`: the ranges are those with the human-move model.
    """

    speed: str
    against: int
    games: int
    player_games: int
    players: int
    with_human_model: bool
    rows: tuple[BudgetRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetTable:
    """`players` says whose games: "validation", "held-out" or "all"."""

    model_name: str
    stated_coverage: float
    players: str
    nodes_per_second: float | None
    left_out: tuple[tuple[str, int], ...]
    speeds: tuple[SpeedBudgets, ...]


def budgets_to_json(table: BudgetTable) -> dict[str, Any]:
    """The same names and nesting, with `left_out` as an object of reason and count."""
    return {
        "schema_version": BUDGETS_SCHEMA_VERSION,
        **asdict(table),
        "left_out": dict(table.left_out),
    }
