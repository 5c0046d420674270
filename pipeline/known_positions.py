"""Which positions of a game others have evaluated already: its opening, and its last men."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import chess

from engines.evals import KnownEval, PositionSequence
from engines.positions import Position, final_board, positions_backwards
from pipeline.fetch.tablebase import is_tablebase_position

MOST_OPENING_PLIES = 30


class KnownSource(Protocol):
    """What `CloudEvals` and `Tablebase` are to this stage."""

    def known(self, board: chess.Board) -> KnownEval | None:
        """What is known of a position that is not finished; its history does not count."""
        ...


def known_positions(
    sequence: PositionSequence, *, cloud: KnownSource | None, tablebase: KnownSource | None
) -> dict[int, KnownEval]:
    """By number (0 = start), the positions that the cloud or the tablebase knows.

    The tablebase is asked from the last position back to the first with too many men. The
    cloud is asked from the start to the first position that it does not know (a book ends
    once), for 30 plies at most, and not where the tablebase has answered. Finished positions
    are not asked for. A position that occurs twice gets the same evaluation twice, though an
    engine, which sees the repetition, may tell them apart. Raises InputError or IllegalMove
    for a game that cannot be replayed.
    """
    if cloud is None and tablebase is None:
        return {}
    backwards = tuple(positions_backwards(final_board(sequence)))
    ending = _ending(backwards, tablebase) if tablebase else {}
    opening = backwards[::-1][: MOST_OPENING_PLIES + 1]
    if cloud:
        return _opening([p for p in opening if p.number not in ending], cloud) | ending
    return ending


def _ending(backwards: Sequence[Position], tablebase: KnownSource) -> dict[int, KnownEval]:
    """Men and castling rights only go: the positions with tables are the game's last ones."""
    known: dict[int, KnownEval] = {}
    for position in backwards:
        if not is_tablebase_position(position.board):
            break
        found = None if position.finished else tablebase.known(position.board)
        if found is not None:
            known[position.number] = found
    return known


def _opening(positions: Sequence[Position], cloud: KnownSource) -> dict[int, KnownEval]:
    known: dict[int, KnownEval] = {}
    for position in positions:
        if position.finished:
            continue
        found = cloud.known(position.board)
        if found is None:
            break
        known[position.number] = found
    return known
