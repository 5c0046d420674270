"""The table of all games of a batch, one row for each player of it and game.

    games = pandas.read_parquet("OUT/games")

Its columns are `player`, those of `pipeline.tables.GAME_COLUMNS` and, of both sides, how each
phase was played: evaluated moves in it and the mean of their accuracies (percent). `month` and
`speed` are the partitions; `month` is that in which the game began, UTC. `results_…` and
`moves_…` are the player's strength at that time by either view, the trends' range of
`trend_coverage` on `own_strength_scale`'s scale; missing where there is no trend.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from datetime import datetime
from statistics import fmean

from engines.evals import Color
from pipeline.records import (
    GameReport,
    NoEstimate,
    Phase,
    PlayerReport,
    SpeedTrends,
    Trend,
)
from pipeline.store.batch_records import PlayerOutcome, SpeedOutcome
from pipeline.tables import GAME_COLUMNS, Cell, Kind, Row, game_row

_SIDES = ("own", "opponent")
_VIEWS = ("results", "moves")
_ENDS = ("low", "median", "high")

_PHASE_FIGURES: Mapping[str, Kind] = {"moves": "whole", "accuracy_percent": "real"}
_PHASE_COLUMNS: Mapping[str, Kind] = {
    f"{side}_{phase.value}_{what}": kind
    for side in _SIDES
    for phase in Phase
    for what, kind in _PHASE_FIGURES.items()
}
_TREND_COLUMNS: Mapping[str, Kind] = {
    **{f"{view}_{end}": "real" for view in _VIEWS for end in _ENDS},
    "trend_coverage": "real",
}
BATCH_COLUMNS: Mapping[str, Kind] = {
    "player": "text",
    "month": "text",
    **GAME_COLUMNS,
    **_PHASE_COLUMNS,
    **_TREND_COLUMNS,
}

_RANGES = ("results", "moves", "difference")
_RANGE_PARTS = ("low", "median", "high", "coverage")

SUMMARY_COLUMNS: Mapping[str, Kind] = {
    "player": "text",
    "state": "text",
    "sentence": "text",
    "made_at": "time",
    "speed": "text",
    "scale": "text",
    "games": "whole",
    "first_game_at": "time",
    "last_game_at": "time",
    "rating_last": "whole",
    "score": "real",
    "expected_score": "real",
    **{f"{name}_{part}": "real" for name in _RANGES for part in _RANGE_PARTS},
    "moves_above_probability": "real",
    "accuracy_percent": "real",
}
"""One row a player and speed; players without a report have one row, without a speed."""

_OF_PLAYER = ("player", "state", "sentence", "made_at")


def batch_rows(report: PlayerReport) -> Iterator[Row]:
    """Each game of a report, newest first, with the keys of `BATCH_COLUMNS` in their order."""
    trends = {speed.speed: _TrendsBySpeed(speed.trends) for speed in report.speeds}
    none = _TrendsBySpeed(NoEstimate(reason=""))
    for game in report.games:
        row: Row = {
            "player": report.player,
            "month": f"{game.created_at:%Y-%m}",
            **game_row(game),
            **_phase_cells(game),
            **trends.get(game.speed, none).cells(game),
        }
        yield row


def summary_rows(outcome: PlayerOutcome) -> Iterator[Row]:
    """One a speed, with the keys of `SUMMARY_COLUMNS` in their order."""
    for speed in outcome.speeds or (None,):
        row: Row = dict.fromkeys(SUMMARY_COLUMNS)
        row |= {name: getattr(outcome, name) for name in _OF_PLAYER}
        if speed is not None:
            row |= _speed_cells(speed)
        yield row


def _speed_cells(speed: SpeedOutcome) -> Row:
    cells: Row = {}
    for name in _RANGES:
        found = getattr(speed, name)
        if found is not None:
            cells |= {f"{name}_{part}": getattr(found, part) for part in _RANGE_PARTS}
    plain = (name for name in SUMMARY_COLUMNS if hasattr(speed, name))
    return cells | {name: getattr(speed, name) for name in plain}


def _phase_cells(game: GameReport) -> Row:
    own: Color = game.color or "white"
    other: Color = "black" if own == "white" else "white"
    color_of: dict[str, Color] = {"own": own, "opponent": other}
    accuracies: dict[tuple[Color, Phase], list[float]] = {}
    for move in game.moves:
        accuracies.setdefault((move.color, move.phase), []).append(move.accuracy_percent)
    cells: Row = {}
    for side in _SIDES:
        for phase in Phase:
            found = accuracies.get((color_of[side], phase), [])
            cells[f"{side}_{phase.value}_moves"] = len(found) if game.moves else None
            cells[f"{side}_{phase.value}_accuracy_percent"] = (
                round(fmean(found), 2) if found else None
            )
    return cells


class _TrendsBySpeed:
    """Both trends of one speed, looked up by time."""

    def __init__(self, trends: SpeedTrends | NoEstimate) -> None:
        views = (trends.results, trends.moves) if isinstance(trends, SpeedTrends) else ()
        named = zip(_VIEWS, views, strict=False)
        self._views = {name: view for name, view in named if isinstance(view, Trend)}
        self._times = {name: [p.at for p in view.points] for name, view in self._views.items()}

    def cells(self, game: GameReport) -> Row:
        is_rated_alike = game.variant == "standard"
        cells: dict[str, Cell] = dict.fromkeys(_TREND_COLUMNS)
        for name, view in self._views.items() if is_rated_alike else ():
            point = view.points[_at_or_before(self._times[name], game.created_at)]
            cells |= {f"{name}_{end}": round(getattr(point, end), 1) for end in _ENDS}
            cells["trend_coverage"] = view.coverage
        return cells


def _at_or_before(times: list[datetime], at: datetime) -> int:
    return max(0, bisect_right(times, at) - 1)
