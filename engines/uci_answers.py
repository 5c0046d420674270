"""What a UCI engine prints about a search, read without a process in sight.

The engine speaks for the side to move; an `Eval` for White. The protocol's description is
Stefan Meyer-Kahlen's `engine-interface.txt`, of 2006.
"""

from __future__ import annotations

import chess

from config.language import _
from engines.evals import Centipawns, Eval, Mate


def is_exact_score(line: str) -> bool:
    """Whether an `info` line states a value.

    The nodes may run out in the middle of a search for a bound: that is no value. What follows
    `info string` is for people.
    """
    if not line.startswith("info ") or " score " not in line:
        return False
    return " lowerbound" not in line and " upperbound" not in line and " string " not in line[:12]


def score_in(line: str, turn: chess.Color) -> Eval:
    """The value in a line of which `is_exact_score` holds, with `turn` to move.

    Raises ValueError, with the reason, for one that cannot be.
    """
    kind, _space, rest = line.partition(" score ")[2].lstrip().partition(" ")
    number = int(rest.split(maxsplit=1)[0] if rest.strip() else "")
    for_white = number if turn == chess.WHITE else -number
    if kind == "cp":
        return Centipawns(for_white)
    if kind != "mate":
        raise ValueError(_("it scores in '{kind}'").format(kind=kind))
    if number == 0:
        raise ValueError(_("it sees a mate on the board where there is none"))
    return Mate("white" if for_white > 0 else "black", abs(number))


def best_move_in(line: str, board: chess.Board) -> str:
    """The move (UCI) of a `bestmove` line; ValueError for none, or one that is not legal.

    Some engines write the piece of a promotion in upper case.
    """
    move_uci = line.split()[1].lower() if len(line.split()) > 1 else "(none)"
    if move_uci in ("(none)", "null"):
        raise ValueError(_("it answered without a move"))
    move = board.parse_uci(move_uci)
    if not move:
        raise ValueError(_("it answered without a move"))
    return move.uci()
