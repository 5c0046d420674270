"""One player's moves of one game as columns of numbers: what the features are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engines.evals import Centipawns
from pipeline.formulas.accuracy import accuracy_percent
from pipeline.formulas.win_percent import CENTIPAWN_CEILING, win_percent
from pipeline.records import MoveScore, Phase
from pipeline.strength.centipawn_scale import OLD_SCALE

Column: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]

PIECES = "PNBRQK"
CASTLING = 6.0
"""Stands in `piece` for a castling move; 0 to 5 are the pieces in the order of `PIECES`."""

_PHASES = {Phase.OPENING: 0.0, Phase.MIDDLEGAME: 1.0, Phase.ENDGAME: 2.0}

CEILING = CENTIPAWN_CEILING * OLD_SCALE
"""Advantages count as this at most, in today's centipawns: old evaluations tell no more."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnMoves:
    """One value a move in every column, in the order of play.

    `number` is the full move as it would be written (1, 2, …); win percent and its loss are
    0 to 100 for the mover; centipawns are today's, whenever the game was evaluated; `phase`
    0 opening, 1 middlegame, 2 endgame; squares 0 (a1) to 63 (h8); `seconds_left` is NaN where
    the game has no clocks.
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


def own_moves(moves: Sequence[MoveScore], *, centipawn_scale: float = 1.0) -> OwnMoves:
    """The columns of `moves`, which all belong to one player; see `centipawn_scale`."""
    # Single precision: machines differ in the last digits of an exponential, and no feature
    # may hang on those.
    rows = np.array([_row(move) for move in moves], dtype=np.float32).reshape(-1, 11)
    return from_columns(rows.astype(np.float64).T, centipawn_scale)


def from_columns(columns: Column, centipawn_scale: float) -> OwnMoves:
    """From one row a quantity, as `_row` orders them."""
    number, before, after, phase, legal, check, captures, piece, start, end, left = columns
    centipawns = [_todays_centipawns(percent, centipawn_scale) for percent in (before, after)]
    percents = [_percent(value) for value in centipawns]
    return OwnMoves(
        number=number,
        win_percent_before=percents[0],
        win_percent_loss=np.maximum(0.0, percents[0] - percents[1]),
        centipawn_loss=np.maximum(0.0, centipawns[0] - centipawns[1]),
        accuracy_percent=np.array(
            [accuracy_percent(b, a) for b, a in zip(*percents, strict=True)], dtype=np.float64
        ),
        phase=phase,
        legal_move_count=legal,
        gives_check=check,
        captures=captures,
        piece=piece,
        from_square=start,
        to_square=end,
        seconds_left=left,
    )


def _row(move: MoveScore) -> tuple[float, ...]:
    return (
        (move.ply + 1) // 2,
        move.win_percent_before,
        move.win_percent_after,
        _PHASES[move.phase],
        move.legal_move_count,
        move.gives_check,
        move.captures,
        _piece(move.san),
        _square(move.move_uci[:2]),
        _square(move.move_uci[2:4]),
        np.nan if move.seconds_left is None else move.seconds_left,
    )


_AT_CEILING = win_percent(Centipawns(CENTIPAWN_CEILING)) / 100
_LOG_ODDS_A_CENTIPAWN = float(np.log(_AT_CEILING / (1 - _AT_CEILING))) / CENTIPAWN_CEILING


def _todays_centipawns(win_percents: Column, scale: float) -> Column:
    """Win percent backwards to centipawns, scaled."""
    centipawns = np.log(win_percents / (100 - win_percents)) / _LOG_ODDS_A_CENTIPAWN
    return np.asarray(np.clip(centipawns * scale, -CEILING, CEILING))


def _percent(centipawns: Column) -> Column:
    return np.asarray(100 / (1 + np.exp(-_LOG_ODDS_A_CENTIPAWN * centipawns)))


def _piece(san: str) -> float:
    if san[0] == "O":
        return CASTLING
    return float(max(0, PIECES.find(san[0])))


def _square(name: str) -> float:
    return (ord(name[0]) - ord("a")) + 8.0 * (ord(name[1]) - ord("1"))
