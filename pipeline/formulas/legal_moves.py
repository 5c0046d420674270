"""How many legal moves a position has, counted without making them.

python-chess makes every move to count them, which is a third of what it takes to score a game
that came with its evaluations.
"""

from __future__ import annotations

from collections.abc import Iterator

import chess

_PROMOTIONS = 4

_ALONG_RANKS, _ALONG_FILES = chess.BB_RANK_ATTACKS, chess.BB_FILE_ATTACKS
_ALONG_DIAGONALS = chess.BB_DIAG_ATTACKS
_RANKS, _FILES, _DIAGONALS = chess.BB_RANK_MASKS, chess.BB_FILE_MASKS, chess.BB_DIAG_MASKS


def legal_move_count(board: chess.Board) -> int:
    """`board.legal_moves.count()`, for chess and Chess960."""
    own = board.occupied_co[board.turn]
    king = board.king(board.turn)
    if king is None or board.is_check():
        return board.legal_moves.count()  # few; and without a king nothing is pinned
    lines = _pin_lines(board, king)
    return (
        _piece_moves(board, own, lines)
        + _king_moves(board, king, own)
        + _pawn_moves(board, own, lines)
        + _castling_moves(board)
    )


def _piece_moves(board: chess.Board, own: int, lines: dict[int, int]) -> int:
    """Of knights, bishops, rooks and queens; a pinned one stays on its line."""
    straight, oblique, knights = (
        board.rooks | board.queens,
        board.bishops | board.queens,
        board.knights,
    )
    occupied, free = board.occupied, ~own
    count, pieces = 0, own & (straight | oblique | knights)
    while pieces:
        square = pieces.bit_length() - 1
        mask = 1 << square
        pieces ^= mask
        ends = 0
        if straight & mask:
            ends |= _ALONG_RANKS[square][_RANKS[square] & occupied]
            ends |= _ALONG_FILES[square][_FILES[square] & occupied]
        if oblique & mask:
            ends |= _ALONG_DIAGONALS[square][_DIAGONALS[square] & occupied]
        if knights & mask:
            ends = chess.BB_KNIGHT_ATTACKS[square]
        if square in lines:
            ends &= lines[square]
        count += (ends & free).bit_count()
    return count


def _castling_moves(board: chess.Board) -> int:
    rank = chess.BB_RANK_1 if board.turn == chess.WHITE else chess.BB_RANK_8
    return sum(1 for _ in board.generate_castling_moves()) if board.castling_rights & rank else 0


def _king_moves(board: chess.Board, king: int, own: int) -> int:
    """Steps to squares that are not attacked; no slider looks through a king not in check."""
    steps = _squares(chess.BB_KING_ATTACKS[king] & ~own)
    return sum(not board.is_attacked_by(not board.turn, square) for square in steps)


def _pawn_moves(board: chess.Board, own: int, lines: dict[int, int]) -> int:
    pawns, free = board.pawns & own, ~board.occupied & chess.BB_ALL
    if not lines:
        return _unpinned_pawn_moves(board, pawns, free) + _en_passant(board)
    pinned = sum(chess.BB_SQUARES[square] for square in lines)
    count = _unpinned_pawn_moves(board, pawns & ~pinned, free)
    for square, line in lines.items():
        if pawns & chess.BB_SQUARES[square]:
            count += _pinned_pawn_moves(board, square, free, line)
    return count + _en_passant(board)


def _unpinned_pawn_moves(board: chess.Board, pawns: int, free: int) -> int:
    enemies = board.occupied_co[not board.turn]
    if board.turn == chess.WHITE:
        single = pawns << 8 & free
        double = (single & chess.BB_RANK_3) << 8 & free
        left, right = pawns << 7 & ~chess.BB_FILE_H, pawns << 9 & ~chess.BB_FILE_A
        last = chess.BB_RANK_8
    else:
        single = pawns >> 8 & free
        double = (single & chess.BB_RANK_6) >> 8 & free
        left, right = pawns >> 9 & ~chess.BB_FILE_H, pawns >> 7 & ~chess.BB_FILE_A
        last = chess.BB_RANK_1
    ends = (single, left & enemies, right & enemies)
    return double.bit_count() + sum(
        end.bit_count() + (_PROMOTIONS - 1) * (end & last).bit_count() for end in ends
    )


def _pinned_pawn_moves(board: chess.Board, square: int, free: int, line: int) -> int:
    """Along the line in which it is pinned, as far as it lies in a pawn's way."""
    enemies = board.occupied_co[not board.turn]
    forward = 8 if board.turn == chess.WHITE else -8
    step = chess.BB_SQUARES[square + forward] & free & line
    start = chess.BB_RANK_2 if board.turn == chess.WHITE else chess.BB_RANK_7
    double = 0
    if step and chess.BB_SQUARES[square] & start:
        double = chess.BB_SQUARES[square + 2 * forward] & free & line
    ends = step | (chess.BB_PAWN_ATTACKS[board.turn][square] & enemies & line)
    last = ends & (chess.BB_RANK_1 | chess.BB_RANK_8)
    return ends.bit_count() + double.bit_count() + (_PROMOTIONS - 1) * last.bit_count()


def _en_passant(board: chess.Board) -> int:
    """Two pawns leave a rank at once: the library looks whether that opens a line."""
    return sum(1 for _ in board.generate_legal_ep()) if board.ep_square is not None else 0


def _pin_lines(board: chess.Board, king: int) -> dict[int, int]:
    """Each own man that is pinned to the king, and the line on which it may move."""
    straight = board.rooks | board.queens
    oblique = board.bishops | board.queens
    snipers = board.occupied_co[not board.turn] & (
        (chess.BB_RANK_ATTACKS[king][0] | chess.BB_FILE_ATTACKS[king][0]) & straight
        | chess.BB_DIAG_ATTACKS[king][0] & oblique
    )
    lines: dict[int, int] = {}
    for sniper in _squares(snipers):
        between = chess.between(king, sniper) & board.occupied
        if between.bit_count() == 1 and between & board.occupied_co[board.turn]:
            lines[between.bit_length() - 1] = chess.ray(king, sniper)
    return lines


def _squares(mask: int) -> Iterator[int]:
    while mask:
        square = mask.bit_length() - 1
        yield square
        mask ^= chess.BB_SQUARES[square]
