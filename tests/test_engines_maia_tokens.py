from collections import Counter

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import IllegalMove, InputError
from engines.evals import COLORS, PositionSequence
from engines.maia_tokens import Choice, choices, history_tokens, move_index, piece_planes

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
THEIRS = 6


def sequence_of(*moves_uci: str, fen: str = chess.STARTING_FEN) -> PositionSequence:
    return PositionSequence(game_id="g", start_fen=fen, moves_uci=moves_uci)


def asked(sequence: PositionSequence, first_ply: int = 1) -> list[Choice]:
    return list(choices(sequence, first_ply, COLORS))


def piece_on(board: chess.Board, square: str) -> int | None:
    """0 to 11, or None for an empty square; `square` as the mover sees the board."""
    row = piece_planes(board)[chess.parse_square(square)]
    assert row.sum() <= 1
    return int(row.argmax()) if row.any() else None


# --- positions -----------------------------------------------------------------------------


def test_the_start_position_is_seen_from_white() -> None:
    board = chess.Board()
    assert [piece_on(board, square) for square in ("a1", "b1", "c1", "d1", "e1")] == [
        *(ROOK, KNIGHT, BISHOP, QUEEN, KING)
    ]
    assert piece_on(board, "e2") == PAWN
    assert piece_on(board, "e4") is None
    assert piece_on(board, "e7") == THEIRS + PAWN
    assert [piece_on(board, square) for square in ("d8", "e8")] == [THEIRS + QUEEN, THEIRS + KING]


def test_black_to_move_sees_the_board_mirrored_by_ranks_and_their_own_pieces_first() -> None:
    board = chess.Board()
    board.push_uci("g1f3")
    assert piece_on(board, "e1") == KING  # Black's, on e8
    assert piece_on(board, "d1") == QUEEN  # files stay where they are
    assert piece_on(board, "f6") == THEIRS + KNIGHT  # White's knight on f3
    assert piece_on(board, "g8") is None


@given(st.lists(st.integers(min_value=0), max_size=60))
def test_every_piece_of_any_position_is_there_once(picks: list[int]) -> None:
    board = chess.Board()
    for pick in picks:
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[pick % len(moves)])
    planes = piece_planes(board)
    assert planes.shape == (64, 12)
    assert planes.sum(axis=1).max() == 1
    counted = Counter(planes.nonzero()[1].tolist())
    own = Counter(
        piece.piece_type - 1 + (0 if piece.color == board.turn else THEIRS)
        for piece in board.piece_map().values()
    )
    assert counted == own


@given(st.lists(st.integers(min_value=0), max_size=60))
def test_a_position_and_its_colour_flip_look_alike_and_number_their_moves_alike(
    picks: list[int],
) -> None:
    board = chess.Board()
    for pick in picks:
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[pick % len(moves)])
    flipped = board.mirror()
    assert (piece_planes(board) == piece_planes(flipped)).all()
    assert {move_index(board, move) for move in board.legal_moves} == {
        move_index(flipped, move) for move in flipped.legal_moves
    }


# --- the history ---------------------------------------------------------------------------


def test_the_first_position_fills_a_history_of_fewer_than_eight() -> None:
    tokens = asked(sequence_of("e2e4", "e7e5"))[1].tokens
    start, after_e4 = chess.Board(), chess.Board()
    after_e4.push_uci("e2e4")
    assert tokens.shape == (1, 64, 96)
    assert tokens.dtype == np.float32
    for place in range(7):
        assert (tokens[0, :, place * 12 : place * 12 + 12] == piece_planes(start)).all()
    assert (tokens[0, :, 84:] == piece_planes(after_e4)).all()


def test_the_last_eight_positions_stand_oldest_first_each_as_its_mover_saw_it() -> None:
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"]
    tokens = asked(sequence_of(*moves))[9].tokens  # nine moves were played before it
    board = chess.Board()
    for ply, move in enumerate(moves[:9], start=1):
        board.push_uci(move)
        place = ply - 2
        if place >= 0:
            assert (tokens[0, :, place * 12 : place * 12 + 12] == piece_planes(board)).all()


def test_a_history_of_one_is_repeated() -> None:
    planes = piece_planes(chess.Board())
    assert (history_tokens([planes]) == np.tile(planes, 8)).all()


# --- moves ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move", "index"),
    [
        pytest.param(chess.STARTING_FEN, "e2e4", 12 * 64 + 28, id="e4"),
        pytest.param(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            *("e7e5", 12 * 64 + 28),
            id="e5 is Black's e4",
        ),
        pytest.param("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 4 * 64 + 6, id="castling"),
        pytest.param("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", 4 * 64 + 2, id="castling, Black"),
        pytest.param("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 36 * 64 + 43, id="en passant"),
        pytest.param("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", 35 * 64 + 44, id="e. p., Black"),
        pytest.param("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 4096, id="queen"),
        pytest.param("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", 4097, id="rook"),
        pytest.param("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8b", 4098, id="bishop"),
        pytest.param("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", 4099, id="knight"),
        pytest.param(
            "4k3/8/8/8/8/8/7p/4K1R1 b - - 0 1",
            *("h2g1n", 4096 + (7 * 8 + 6) * 4 + 3),
            id="Black takes and promotes",
        ),
    ],
)
def test_moves_are_numbered_as_the_model_numbers_them(fen: str, move: str, index: int) -> None:
    assert move_index(chess.Board(fen), chess.Move.from_uci(move)) == index


@pytest.mark.parametrize(
    ("fen", "move", "index"),
    [
        pytest.param("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1h1", 4 * 64 + 6, id="from e1, short"),
        pytest.param("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1a1", 4 * 64 + 2, id="from e1, long"),
        pytest.param("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "f1b1", 5 * 64 + 2, id="from f1, long"),
        pytest.param("1r3k2/8/8/8/8/8/8/4K3 b b - 0 1", "f8b8", 5 * 64 + 2, id="Black"),
        pytest.param("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", 6 * 64 + 7, id="king is there"),
    ],
)
def test_chess960_castling_is_the_king_going_where_it_will_stand(
    fen: str, move: str, index: int
) -> None:
    board = chess.Board(fen, chess960=True)
    played = chess.Move.from_uci(move)
    assert played in board.legal_moves
    assert move_index(board, played) == index


def test_a_chess960_king_that_moves_and_does_not_castle_keeps_its_square() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", chess960=True)
    assert move_index(board, chess.Move.from_uci("e1f1")) == 4 * 64 + 5


# --- the plies of a game -------------------------------------------------------------------


def test_only_the_plies_asked_for_are_questions() -> None:
    sequence = sequence_of("e2e4", "e7e5", "g1f3", "b8c6")
    assert [choice.ply for choice in choices(sequence, 3, COLORS)] == [3, 4]
    assert [choice.ply for choice in choices(sequence, 1, ["black"])] == [2, 4]


def test_the_mover_comes_from_the_board_where_black_began() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R b K - 0 1"
    sequence = sequence_of("e8d8", "e1g1", fen=fen)
    assert [choice.ply for choice in choices(sequence, 1, ["black"])] == [1]


def test_the_played_move_is_pointed_out_among_the_legal_ones() -> None:
    choice = asked(sequence_of("e2e4"))[0]
    assert len(choice.move_indices) == 20
    assert choice.move_indices[choice.played] == 12 * 64 + 28
    assert not choice.is_forced


def test_one_legal_move_is_no_choice() -> None:
    fen = "k7/8/8/8/8/8/1q6/K7 w - - 0 1"
    assert asked(sequence_of("a1b2", fen=fen))[0].is_forced


def test_an_illegal_move_is_named_with_its_game_and_ply() -> None:
    with pytest.raises(IllegalMove, match=r"game g, ply 2: 'e2e4'"):
        asked(sequence_of("e2e4", "e2e4"))


def test_an_impossible_start_is_refused() -> None:
    with pytest.raises(InputError, match="starting position"):
        asked(sequence_of("e2e4", fen="8/8/8/8/8/8/8/8 w - - 0 1"))
