"""One line a game, for spreadsheets and data frames; units stand in the column names."""

from __future__ import annotations

from datetime import UTC
from typing import TypeAlias

from engines.evals import Color
from pipeline.records import GameReport, NoEstimate, PlayerReport, SideReport
from reports.inert import inert

Cell: TypeAlias = str | int | float | None


def games_to_csv(report: PlayerReport) -> str:
    """The report's games, newest first, with a header; an unknown value is an empty field.

    `own_…` is the report's player, `opponent_…` the other side (in a game in which the
    player has no colour: White and Black). Text that a spreadsheet would take for a formula
    gets an apostrophe in front.
    """
    # pandas takes long to load, and most reports are not CSV.
    import pandas

    rows = [_row(game) for game in report.games]
    # Without `object` a column of ints with a gap would turn into floats.
    frame = pandas.DataFrame(rows, columns=list(_columns()), dtype=object)
    return frame.to_csv(index=False, lineterminator="\n")


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


def _row(game: GameReport) -> dict[str, Cell]:
    color: Color = game.color or "white"
    own, opponent = game.side(color), game.side("black" if color == "white" else "white")
    row = {
        **dict(zip(_GAME_COLUMNS, _game_cells(game, own), strict=True)),
        **_prefixed("own", own),
        **_prefixed("opponent", opponent),
    }
    return {column: _inert(value) for column, value in row.items()}


def _game_cells(game: GameReport, own: SideReport) -> tuple[Cell, ...]:
    clock, opening, limit = game.clock, game.opening, game.limit
    return (
        game.id,
        game.url,
        game.created_at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        game.speed,
        game.variant,
        game.rated,
        clock.initial_seconds if clock else None,
        clock.increment_seconds if clock else None,
        game.color,
        own.score,
        _rounded(own.expected_score, 3),
        game.status,
        opening.eco if opening else None,
        opening.name if opening else None,
        game.plies,
        game.engine.name if game.engine else None,
        limit.nodes_per_position if limit else None,
    )


def _prefixed(who: str, side: SideReport) -> dict[str, Cell]:
    cells = (*_player_cells(side), *_strength_cells(side), *_summary_cells(side))
    return {f"{who}_{name}": cell for name, cell in zip(_SIDE_COLUMNS, cells, strict=True)}


def _player_cells(side: SideReport) -> tuple[Cell, ...]:
    player = side.player
    return player.name, player.title, player.rating, player.provisional, player.computer_level


def _strength_cells(side: SideReport) -> tuple[Cell, ...]:
    strength = side.strength
    if isinstance(strength, NoEstimate):
        return None, None, None, None, None, None, strength.reason
    low, high = _rounded(strength.low, 1), _rounded(strength.high, 1)
    with_human_model, with_pairing = strength.games_with_human_model > 0, strength.with_pairing
    return strength.scale, low, high, strength.coverage, with_human_model, with_pairing, None


def _summary_cells(side: SideReport) -> tuple[Cell, ...]:
    summary = side.summary
    if summary is None:
        return (None,) * 6
    return (
        summary.moves,
        _rounded(summary.accuracy_percent, 2),
        summary.average_centipawn_loss,
        summary.inaccuracies,
        summary.mistakes,
        summary.blunders,
    )


def _inert(value: Cell) -> Cell:
    """Text as a spreadsheet may read it: `inert`, and without half surrogate pairs."""
    return inert(value.encode("utf-8", "replace").decode()) if isinstance(value, str) else value


def _rounded(value: float | None, places: int) -> float | None:
    return None if value is None else round(value, places)
