"""One line a game, for spreadsheets and data frames; units stand in the column names."""

from __future__ import annotations

import csv
import io

from pipeline.records import GameReport, PlayerReport
from pipeline.tables import Cell, game_row
from reports.to_tables import csv_field


def games_to_csv(report: PlayerReport) -> str:
    """The report's games, newest first, with a header; an unknown value is an empty field.

    `own_…` is the report's player, `opponent_…` the other side (in a game in which the
    player has no colour: White and Black). Text that a spreadsheet would take for a formula
    gets an apostrophe in front.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_columns())
    writer.writerows(map(_row, report.games))
    return text.getvalue()


def _columns() -> tuple[str, ...]:
    sides = (f"{who}_{name}" for who in ("own", "opponent") for name in _SIDE_COLUMNS)
    return (*_GAME_COLUMNS, *sides)


_GAME_COLUMNS = (
    "game_id",
    "url",
    "created_at_utc",
    "speed",
    "variant",
    "rated",
    "initial_seconds",
    "increment_seconds",
    "color",
    "score",
    "expected_score",
    "status",
    "eco",
    "opening",
    "plies",
    "engine",
    "nodes_per_position",
)
_SIDE_COLUMNS = (
    "name",
    "title",
    "rating",
    "rating_provisional",
    "computer_level",
    "strength_scale",
    "strength_low",
    "strength_high",
    "strength_coverage",
    "strength_with_human_model",
    "strength_with_pairing",
    "strength_absent_reason",
    "moves",
    "accuracy_percent",
    "average_centipawn_loss",
    "inaccuracies",
    "mistakes",
    "blunders",
)


def _row(game: GameReport) -> list[Cell]:
    known = game_row(game)
    known["created_at_utc"] = known["created_at"]  # as text it does not say so itself
    return [csv_field(known[column]) for column in _columns()]
