import chess
import pytest

from config.errors import IllegalMove, InputError
from engines.evals import Centipawns, Mate, PositionSequence
from engines.positions import final_board, finished_eval, positions_backwards


def game(moves: str = "", start_fen: str = chess.STARTING_FEN, **more: bool) -> PositionSequence:
    return PositionSequence(
        game_id="Ab12Cd34", start_fen=start_fen, moves_uci=tuple(moves.split()), **more
    )


def test_the_moves_stay_on_the_board() -> None:
    board = final_board(game("e2e4 e7e5"))
    assert [move.uci() for move in board.move_stack] == ["e2e4", "e7e5"]


@pytest.mark.parametrize(
    ("moves", "ply"), [("e2e4 e7e5 e4e5", 3), ("0000", 1), ("e2", 1), ("e2e4 e2e4", 2)]
)
def test_an_illegal_move_is_named_with_its_game_and_ply(moves: str, ply: int) -> None:
    with pytest.raises(IllegalMove, match=f"game Ab12Cd34, ply {ply}: '{moves.split()[-1]}'"):
        final_board(game(moves))


@pytest.mark.parametrize(
    ("start_fen", "fault"),
    [
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "no black king"),
        ("k7/8/8/8/8/8/8/KK6 w - - 0 1", "too many kings"),
        ("k7/pppppppp/p7/8/8/8/8/K7 w - - 0 1", "too many black pawns"),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "opposite check"),
        ("k7/8/8/8/8/8/8/K6P w - - 0 1", "pawns on backrank"),
        ("nonsense", "cannot be read"),
        ("", "cannot be read"),
    ],
)
def test_an_illegal_start_is_refused_with_the_reason(start_fen: str, fault: str) -> None:
    with pytest.raises(InputError, match=f"game Ab12Cd34.*{fault}"):
        final_board(game(start_fen=start_fen))


def test_chess960_castling_is_a_king_taking_its_rook() -> None:
    fen = "r2k3r/8/8/8/8/8/8/1R1K1R2 w FBha - 0 1"
    board = final_board(game("d1f1", fen, chess960=True))
    assert board.fen() == "r2k3r/8/8/8/8/8/8/1R3RK1 b kq - 1 1"


@pytest.mark.parametrize(
    ("moves", "start_fen", "evaluation"),
    [
        ("f2f3 e7e5 g2g4 d8h4", chess.STARTING_FEN, Mate("black", 0)),
        ("", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Mate("white", 0)),
        ("", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Centipawns(0)),
        ("", "7k/8/6K1/8/8/8/8/8 b - - 0 1", Centipawns(0)),
        ("", "7k/8/6K1/8/8/8/8/7R b - - 150 100", Centipawns(0)),
        ("g1f3 g8f6 f3g1 f6g8 " * 4, chess.STARTING_FEN, Centipawns(0)),
    ],
    ids=["mate", "mate on black", "stalemate", "bare kings", "75 moves", "fifth repetition"],
)
def test_finished_positions_need_no_engine(
    moves: str, start_fen: str, evaluation: Mate | Centipawns
) -> None:
    assert finished_eval(final_board(game(moves, start_fen))) == evaluation


@pytest.mark.parametrize("moves", ["", "g1f3 g8f6 f3g1 f6g8 " * 2, "g1f3 g8f6 f3g1 f6g8 " * 3])
def test_a_draw_that_must_be_claimed_does_not_end_the_game(moves: str) -> None:
    assert finished_eval(final_board(game(moves))) is None


def test_positions_come_last_first_each_named_by_its_start_and_moves() -> None:
    positions = list(positions_backwards(final_board(game("f2f3 e7e5 g2g4 d8h4"))))
    assert [position.number for position in positions] == [4, 3, 2, 1, 0]
    assert positions[0].finished == Mate("black", 0)
    assert [position.finished for position in positions[1:]] == [None] * 4
    assert positions[2].command == "position startpos moves f2f3 e7e5"
    assert positions[-1].command == "position startpos"
    assert positions[-1].board == chess.Board()


def test_a_chess960_start_is_named_with_the_files_of_its_rooks() -> None:
    fen = "r2k3r/8/8/8/8/8/8/1R1K1R2 w FBha - 0 1"
    last, first = positions_backwards(final_board(game("d1f1", fen, chess960=True)))
    assert first.command == f"position fen {fen}"
    assert last.command == f"position fen {fen} moves d1f1"


@pytest.mark.parametrize(
    ("start_fen", "fault"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "no white king"),
        ("k7/8/8/8/8/QQQQQQQQ/QQQQQQQQ/K7 w - - 0 1", "too many white pieces"),
        ("knnnnnnn/nnnnnnnn/nnnnnnnn/8/8/8/8/K7 w - - 0 1", "too many black pieces"),
    ],
)
def test_boards_that_would_crash_an_engine_are_refused(start_fen: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        final_board(game(start_fen=start_fen))
