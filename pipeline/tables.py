"""A report as tables, for pandas: one row a game, or one row a move.

    from pipeline.tables import games_frame, moves_frame
    moves = moves_frame(report)          # a PlayerReport, as pipeline.run makes it

`GAME_COLUMNS` and `MOVE_COLUMNS` name the columns with their types. Units stand in the names:
percent is 0 to 100; scores, expected scores and coverage are 0 to 1; times are UTC; ratings are
those before the game. `own_…` is the report's player, `opponent_…` the other side (in a game in
which the player has no colour: White and Black). What is not known is missing.

Games: `score` and `expected_score` are the player's; `strength_low` to `strength_high` holds the
rating on `strength_scale` with probability `strength_coverage`, and `strength_median` halves
that; where there is no range, `strength_absent_reason` says why. `nodes_per_position` and
`search_policy` are missing where somebody else evaluated (Lichess, a PGN). `moves`,
`average_centipawn_loss` and so on are about the evaluated moves of that side.

Moves: those with an evaluation before and after, everything from the mover's point of view;
`ply` is from 1, `is_own` says whether the report's player moved, `centipawn_loss` is 0 or more
with evaluations clamped to ±1000, `seconds_left` is after the move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, TypeAlias

from engines.evals import Color
from pipeline.records import GameReport, NoEstimate, PlayerReport, SideReport

if TYPE_CHECKING:
    import pandas

Cell: TypeAlias = str | int | float | datetime | None
Row: TypeAlias = dict[str, Cell]
Kind: TypeAlias = Literal["text", "whole", "real", "yes_no", "time"]

PANDAS_TYPES: Mapping[Kind, str] = {
    "text": "string",
    "whole": "Int64",
    "real": "float64",
    "yes_no": "boolean",
    "time": "datetime64[ms, UTC]",
}

_SIDE_COLUMNS: Mapping[str, Kind] = {
    "name": "text",
    "title": "text",
    "rating": "whole",
    "rating_diff": "whole",
    "rating_provisional": "yes_no",
    "computer_level": "whole",
    "strength_scale": "text",
    "strength_low": "real",
    "strength_median": "real",
    "strength_high": "real",
    "strength_coverage": "real",
    "strength_with_human_model": "yes_no",
    "strength_with_pairing": "yes_no",
    "strength_absent_reason": "text",
    "moves": "whole",
    "accuracy_percent": "real",
    "average_centipawn_loss": "whole",
    "inaccuracies": "whole",
    "mistakes": "whole",
    "blunders": "whole",
}

GAME_COLUMNS: Mapping[str, Kind] = {
    "game_id": "text",
    "url": "text",
    "created_at": "time",
    "speed": "text",
    "variant": "text",
    "rated": "yes_no",
    "initial_seconds": "whole",
    "increment_seconds": "whole",
    "color": "text",
    "score": "real",
    "expected_score": "real",
    "status": "text",
    "eco": "text",
    "opening": "text",
    "plies": "whole",
    "engine": "text",
    "engine_network": "text",
    "nodes_per_position": "whole",
    "search_policy": "text",
    **{f"own_{name}": kind for name, kind in _SIDE_COLUMNS.items()},
    **{f"opponent_{name}": kind for name, kind in _SIDE_COLUMNS.items()},
}

MOVE_COLUMNS: Mapping[str, Kind] = {
    "game_id": "text",
    "ply": "whole",
    "color": "text",
    "is_own": "yes_no",
    "san": "text",
    "move_uci": "text",
    "win_percent_before": "real",
    "win_percent_after": "real",
    "centipawn_loss": "whole",
    "accuracy_percent": "real",
    "judgement": "text",
    "phase": "text",
    "legal_move_count": "whole",
    "is_best_move": "yes_no",
    "best_move_san": "text",
    "gives_check": "yes_no",
    "captures": "yes_no",
    "seconds_left": "real",
    "seconds_spent": "real",
}


def games_frame(report: PlayerReport) -> pandas.DataFrame:
    """One row a game, newest first, with the columns of `GAME_COLUMNS`."""
    return frame_of(map(game_row, report.games), GAME_COLUMNS)


def moves_frame(report: PlayerReport) -> pandas.DataFrame:
    """One row an evaluated move, game by game, with the columns of `MOVE_COLUMNS`."""
    rows = (row for game in report.games for row in move_rows(game))
    return frame_of(rows, MOVE_COLUMNS)


def frame_of(rows: Iterable[Row], columns: Mapping[str, Kind]) -> pandas.DataFrame:
    """Rows as a frame with these columns and their types, also where there are no rows."""
    import pandas  # takes long to load, and few commands need it

    frame = pandas.DataFrame(list(rows), columns=list(columns), dtype=object)
    return frame.astype({name: PANDAS_TYPES[kind] for name, kind in columns.items()})


def game_row(game: GameReport) -> Row:
    """One game, with the keys of `GAME_COLUMNS` in their order."""
    color: Color = game.color or "white"
    own, opponent = game.side(color), game.opponent(color)
    cells = (*_game_cells(game, own), *_side_cells(own), *_side_cells(opponent))
    return dict(zip(GAME_COLUMNS, map(_writable, cells), strict=True))


def move_rows(game: GameReport) -> Iterator[Row]:
    """Each evaluated move, with the keys of `MOVE_COLUMNS` in their order."""
    color: Color = game.color or "white"
    for move in game.moves:
        cells: tuple[Cell, ...] = (
            game.id,
            move.ply,
            move.color,
            move.color == color,
            move.san,
            move.move_uci,
            _rounded(move.win_percent_before, 2),
            _rounded(move.win_percent_after, 2),
            move.centipawn_loss,
            _rounded(move.accuracy_percent, 2),
            move.judgement.value if move.judgement else None,
            move.phase.value,
            move.legal_move_count,
            move.is_best_move,
            move.best_move_san,
            move.gives_check,
            move.captures,
            _rounded(move.seconds_left, 2),
            _rounded(move.seconds_spent, 2),
        )
        yield dict(zip(MOVE_COLUMNS, cells, strict=True))


def _game_cells(game: GameReport, own: SideReport) -> tuple[Cell, ...]:
    clock, opening, engine, limit = game.clock, game.opening, game.engine, game.limit
    return (
        game.id,
        game.url,
        game.created_at.astimezone(UTC),
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
        engine.name if engine else None,
        engine.network if engine else None,
        limit.nodes_per_position if limit else None,
        limit.policy if limit else None,
    )


def _side_cells(side: SideReport) -> tuple[Cell, ...]:
    player = side.player
    return (
        player.name,
        player.title,
        player.rating,
        player.rating_diff,
        player.provisional,
        player.computer_level,
        *_strength_cells(side),
        *_summary_cells(side),
    )


def _strength_cells(side: SideReport) -> tuple[Cell, ...]:
    strength = side.strength
    if isinstance(strength, NoEstimate):
        return (*(None,) * 7, strength.reason)
    return (
        strength.scale,
        _rounded(strength.low, 1),
        _rounded(strength.median, 1),
        _rounded(strength.high, 1),
        strength.coverage,
        strength.games_with_human_model > 0,
        strength.with_pairing,
        None,
    )


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


def _writable(cell: Cell) -> Cell:
    """A name from a PGN may hold half a surrogate pair, which no file can take."""
    return cell.encode("utf-8", "replace").decode() if isinstance(cell, str) else cell


def _rounded(value: float | None, places: int) -> float | None:
    return None if value is None else round(value, places)
