"""One player's moves of one game as columns of numbers: what the features are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pipeline.records import MoveScore, Phase

Column: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]

PIECES = "PNBRQK"
CASTLING = 6.0
"""Stands in `piece` for a castling move; 0 to 5 are the pieces in the order of `PIECES`."""

_PHASES = {Phase.OPENING: 0.0, Phase.MIDDLEGAME: 1.0, Phase.ENDGAME: 2.0}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnMoves:
    """One value a move in every column, in the order of play.

    `number` is the full move as it would be written (1, 2, …); win percent and its loss are
    0 to 100 for the mover; `phase` 0 opening, 1 middlegame, 2 endgame; squares 0 (a1) to
    63 (h8); `seconds_left` is NaN where the game has no clocks.
    """

    number: Column
    win_percent_before: Column
    win_percent_loss: Column
    centipawn_loss: Column
    accuracy_percent: Column
    phase: Column
    legal_move_count: Column
    gives_check: Column
    captures: Column
    piece: Column
    from_square: Column
    to_square: Column
    seconds_left: Column

    @property
    def count(self) -> int:
        """How many moves there are."""
        return len(self.number)

    @property
    def have_clocks(self) -> bool:
        """Whether the time left is known after every move."""
        return self.count > 0 and not bool(np.isnan(self.seconds_left).any())


def own_moves(moves: Sequence[MoveScore]) -> OwnMoves:
    """The columns of `moves`, which all belong to one player."""
    rows = np.array([_row(move) for move in moves], dtype=np.float64)
    columns = rows.reshape(-1, len(fields(OwnMoves))).T
    return OwnMoves(**{field.name: columns[i] for i, field in enumerate(fields(OwnMoves))})


def _row(move: MoveScore) -> tuple[float, ...]:
    return (
        (move.ply + 1) // 2,
        move.win_percent_before,
        max(0.0, move.win_percent_before - move.win_percent_after),
        move.centipawn_loss,
        move.accuracy_percent,
        _PHASES[move.phase],
        move.legal_move_count,
        move.gives_check,
        move.captures,
        _piece(move.san),
        _square(move.move_uci[:2]),
        _square(move.move_uci[2:4]),
        np.nan if move.seconds_left is None else move.seconds_left,
    )


def _piece(san: str) -> float:
    if san[0] == "O":
        return CASTLING
    return float(max(0, PIECES.find(san[0])))


def _square(name: str) -> float:
    return (ord(name[0]) - ord("a")) + 8.0 * (ord(name[1]) - ord("1"))
