"""Where the opening ends and where the endgame begins, as Lichess divides a game.

Source: scalachess `Divider.scala` (the table of scores symmetric since 2025-06-03).
"""

from __future__ import annotations

from collections.abc import Iterable

import chess

from pipeline.records import Division, Phase

_TWO_BY_TWO = 0x0303


def divide(boards: Iterable[chess.Board]) -> Division:
    """`boards` holds the starting position and the position after each ply."""
    middlegame: int | None = None
    for index, board in enumerate(boards):
        if middlegame is None and _is_middlegame(board):
            middlegame = index
        if middlegame is not None and _majors_and_minors(board) <= 6:
            # A game that falls straight into an ending has no middlegame.
            return Division(middlegame=middlegame if middlegame < index else None, endgame=index)
    return Division(middlegame=middlegame, endgame=None)


def phase_at(division: Division, position: int) -> Phase:
    """The phase that position number `position` (0 = start) lies in."""
    if division.endgame is not None and position >= division.endgame:
        return Phase.ENDGAME
    if division.middlegame is not None and position >= division.middlegame:
        return Phase.MIDDLEGAME
    return Phase.OPENING


def _is_middlegame(board: chess.Board) -> bool:
    return _majors_and_minors(board) <= 10 or _is_backrank_sparse(board) or _mixedness(board) > 150


def _majors_and_minors(board: chess.Board) -> int:
    return (board.occupied & ~(board.kings | board.pawns)).bit_count()


def _is_backrank_sparse(board: chess.Board) -> bool:
    white = (board.occupied_co[chess.WHITE] & chess.BB_RANK_1).bit_count()
    black = (board.occupied_co[chess.BLACK] & chess.BB_RANK_8).bit_count()
    return white < 4 or black < 4


def _mixedness(board: chess.Board) -> int:
    """How far the armies are intermingled, summed over the 49 squares of two by two."""
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    total = 0
    for y in range(7):
        for x in range(7):
            region = _TWO_BY_TWO << (x + 8 * y)
            total += _SCORES[y][(white & region).bit_count()][(black & region).bit_count()]
    return total


def _score(y: int, white: int, black: int) -> int:  # noqa: C901 (a table)
    """`y` is 1 for ranks 1 and 2, up to 7; four men at most stand in a region."""
    match (white, black):
        case (0, 1):
            return 1 + y
        case (0, 2):
            return 2 + (6 - y) if y < 6 else 0
        case (0, 3) | (0, 4):
            return 3 + (7 - y) if y < 7 else 0
        case (1, 0):
            return 1 + (8 - y)
        case (1, 1):
            return 5 + abs(4 - y)
        case (1, 2):
            return 4 + (7 - y)
        case (1, 3):
            return 5 + (7 - y)
        case (2, 0):
            return 2 + (y - 2) if y > 2 else 0
        case (2, 1):
            return 4 + (y - 1)
        case (2, 2):
            return 7
        case (3, 0) | (4, 0):
            return 3 + (y - 1) if y > 1 else 0
        case (3, 1):
            return 5 + (y - 1)
        case _:
            return 0


_SCORES = [
    [[_score(y, white, black) for black in range(5)] for white in range(5)] for y in range(1, 8)
]
