"""Summaries of which moves a player chose, whatever they lost: pieces, captures, opening.

Which opening it was is left out: a repertoire is a habit, and would count anew in every game.
"""

from __future__ import annotations

import numpy as np

from pipeline.strength.loss_features import mean
from pipeline.strength.own_moves import CASTLING, PIECES, Mask, OwnMoves

_OPENING_MOVES = 10
_NAMES = dict(zip(PIECES, ("pawn", "knight", "bishop", "rook", "queen", "king"), strict=True))


def play_features(moves: OwnMoves) -> dict[str, float]:
    """Name -> value; NaN where the game has no such moves."""
    return {**_whole_game(moves), **_opening(moves)}


def _whole_game(moves: OwnMoves) -> dict[str, float]:
    file, rank = moves.to_square % 8, moves.to_square // 8
    knights = moves.piece == PIECES.index("N")
    length = np.maximum(
        np.abs(moves.to_square % 8 - moves.from_square % 8),
        np.abs(moves.to_square // 8 - moves.from_square // 8),
    )
    return {
        "legal_moves_mean": mean(moves.legal_move_count),
        "legal_moves_early": mean(moves.legal_move_count[moves.number <= 15]),
        "legal_moves_max": float(moves.legal_move_count.max()),
        "capture_share": mean(moves.captures),
        "check_share": mean(moves.gives_check),
        "castling_number": _first_number(moves, moves.piece == CASTLING),
        **{
            f"{_NAMES[piece]}_share": mean(moves.piece == index)
            for index, piece in enumerate(PIECES)
        },
        "knight_to_edge_share": mean((file[knights] == 0) | (file[knights] == 7)),
        "move_length_mean": mean(length),
        "first_check_number": _first_number(moves, moves.gives_check > 0),
        "first_capture_number": _first_number(moves, moves.captures > 0),
        "rank_spread": float(rank.std()),
    }


def _opening(moves: OwnMoves) -> dict[str, float]:
    early = (moves.number <= _OPENING_MOVES) & (moves.piece != CASTLING)
    pawns = early & (moves.piece == 0)
    flank = (moves.to_square % 8 == 0) | (moves.to_square % 8 == 7)
    return {
        "early_queen_moves": float((early & (moves.piece == 4)).sum()),
        "early_knight_moves": float((early & (moves.piece == 1)).sum()),
        "early_bishop_moves": float((early & (moves.piece == 2)).sum()),
        "early_king_moves": float((early & (moves.piece == 5)).sum()),
        "early_pawn_moves": float(pawns.sum()),
        "early_flank_pawn_moves": float((pawns & flank).sum()),
        "early_captures": float((early & (moves.captures > 0)).sum()),
        "early_checks": float((early & (moves.gives_check > 0)).sum()),
        "early_same_piece_moves": _moved_again(moves, early),
        "first_queen_number": _first_number(moves, moves.piece == 4),
    }


def _moved_again(moves: OwnMoves, early: Mask) -> float:
    """Opening moves by a piece that has moved before: lost time, as the books say."""
    visited = set(moves.to_square[early].tolist())
    return float(sum(square in visited for square in moves.from_square[early]))


def _first_number(moves: OwnMoves, holds: Mask) -> float:
    return float(moves.number[holds.argmax()]) if holds.any() else np.nan
