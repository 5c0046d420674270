"""How many nodes each position of a game gets: fewer where more of them change nothing.

Positions are searched from the last to the first, so that the next one is known. Measured in
MEASURED.md, beside this file.
"""

from __future__ import annotations

from itertools import islice

import chess

from engines.evals import Centipawns, Color, Eval, Mate, SearchLimit
from engines.positions import Position

OPENING_PLIES = 8
"""In the positions before them nobody has gone far astray yet."""

DECIDED_CENTIPAWNS = 800
"""From here on White wins 95 % by Lichess's formula, and as much from the other side."""

_QUICK_NODES = 2_000
_QUICK_PART = 5


def quick_nodes(limit: SearchLimit) -> int:
    """What a position gets that needs little: a fifth, but no fewer than 2,000."""
    nodes = limit.nodes_per_position
    return min(nodes, max(_QUICK_NODES, nodes // _QUICK_PART))


def is_quick(limit: SearchLimit, position: Position, following: Eval | None) -> bool:
    """Whether a position is to be searched with `quick_nodes` first.

    `following` is the evaluation of the game's next position; None after the last move.
    """
    if not limit.spares_nodes or quick_nodes(limit) == limit.nodes_per_position:
        return False
    return _is_opening(position) or (following is not None and is_decided(following))


def is_enough(position: Position, found: Eval) -> bool:
    """Whether a quick search may stand; else the position is searched again, with all nodes."""
    return _is_opening(position) or is_decided(found)


def _is_opening(position: Position) -> bool:
    """A game may begin elsewhere: then nothing is known of its first moves."""
    return position.number < OPENING_PLIES and position.command.startswith("position startpos")


def is_decided(evaluation: Eval) -> bool:
    """Whether one side is as good as sure to win."""
    return isinstance(evaluation, Mate) or abs(evaluation.value) > DECIDED_CENTIPAWNS


def forced_answer(board: chess.Board, following: Eval | None) -> tuple[Eval, str] | None:
    """Where there is one legal move, the next position's evaluation is this one's; else None."""
    moves = list(islice(board.legal_moves, 2))
    if following is None or len(moves) != 1:
        return None
    mover: Color = "white" if board.turn == chess.WHITE else "black"
    return _one_ply_earlier(following, mover), moves[0].uci()


def _one_ply_earlier(following: Eval, mover: Color) -> Eval:
    """A mate by the mover is a move further away; the other side's own moves stay as many."""
    if isinstance(following, Centipawns) or following.winner != mover:
        return following
    return Mate(mover, following.moves + 1)
