"""The quick count of legal moves is the library's, in whatever position."""

import random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.formulas.legal_moves import legal_move_count

NASTY = (
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2",  # en passant would open the rank
    "4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1",  # a pinned pawn in the way of a bishop
    "4r2k/8/8/8/8/8/4P3/4K3 w - - 0 1",  # a pawn pinned along its own file
    "3r3k/2P5/8/8/8/8/8/3K4 w - - 0 1",  # promotions by step and by capture, in check
    "2b4k/1P6/8/8/8/8/8/4K3 w - - 0 1",
    "q6k/1P6/8/3K4/8/8/8/8 w - - 0 1",  # a pinned pawn that may take its sniper and promote
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/5b2/8/8/8/R3K2R w KQkq - 0 1",  # castling through an attacked square
    "8/8/8/8/8/8/8/KQ5k w - - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
)


@pytest.mark.parametrize("fen", NASTY)
def test_positions_made_to_be_nasty(fen: str) -> None:
    board = chess.Board(fen)
    assert legal_move_count(board) == board.legal_moves.count()


@given(seed=st.integers(0, 2**32), chess960=st.booleans())
def test_every_position_of_random_games(seed: int, chess960: bool) -> None:
    chance = random.Random(seed)
    board = chess.Board.from_chess960_pos(chance.randrange(960)) if chess960 else chess.Board()
    for _ in range(120):
        moves = list(board.legal_moves)
        assert legal_move_count(board) == len(moves), board.fen()
        if not moves:
            break
        board.push(chance.choice(moves))


@given(seed=st.integers(0, 2**32))
def test_positions_with_men_anywhere(seed: int) -> None:
    """Many pins at once, promotions everywhere: such as no game has."""
    chance = random.Random(seed)
    board = chess.Board(None)
    squares = chance.sample(range(64), 26)
    men = ["K", "k", *chance.choices("PPPNBRQppnbrq", k=24)]
    for square, man in zip(squares, men, strict=True):
        if man not in "Pp" or 8 <= square < 56:
            board.set_piece_at(square, chess.Piece.from_symbol(man))
    for board.turn in (chess.WHITE, chess.BLACK):
        assert legal_move_count(board) == board.legal_moves.count(), board.fen()
