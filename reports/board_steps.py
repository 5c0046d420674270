"""A game as a board in a browser needs it, so that no rule of chess is told there again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import chess

from pipeline.records import GameReport

EMPTY_SQUARE = "-"

_Pieces = Mapping[chess.Square, chess.Piece]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSteps:
    """`start` is the placement field of a FEN; `changes` has one word for each move.

    `e2-e4P`: squares, each with what stands there after the move (FEN's letter, `-` for
    nothing), where the move left from and where it went to first. A castling has four.
    """

    start: str
    changes: tuple[str, ...]


def board_steps(game: GameReport) -> BoardSteps | None:
    """Every move of the game; None where the report came without its moves.

    ValueError for moves that do not follow from the start: a report has checked ones only.
    """
    if not game.moves_san:
        return None
    chess960 = game.variant == "chess960"
    board = chess.Board(game.initial_fen or chess.STARTING_FEN, chess960=chess960)
    start = board.board_fen()
    moves_uci = {move.ply: move.move_uci for move in game.moves}
    before = board.piece_map()
    changes = []
    for ply, san in enumerate(game.moves_san, start=1):
        known = moves_uci.get(ply)  # reading SAN again takes ten times as long
        move = chess.Move.from_uci(known) if known else board.parse_san(san)
        board.push(move)
        after = board.piece_map()
        changes.append(_change(before, after, move))
        before = after
    return BoardSteps(start=start, changes=tuple(changes))


def _change(before: _Pieces, after: _Pieces, move: chess.Move) -> str:
    changed = {s for s in before.keys() | after.keys() if before.get(s) != after.get(s)}
    ordered = sorted(
        changed, key=lambda square: (square != move.from_square, square != move.to_square, square)
    )
    return "".join(f"{chess.square_name(square)}{_letter(after.get(square))}" for square in ordered)


def _letter(piece: chess.Piece | None) -> str:
    return piece.symbol() if piece else EMPTY_SQUARE
