import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.evals import Centipawns, Mate
from engines.uci_answers import best_move_in, is_exact_score, score_in

MATE_LINE = "info depth 5 score mate {} nodes 9 pv e2e4"


@given(st.integers(-20_000, 20_000))
def test_centipawns_of_the_side_to_move_are_seen_from_white(value: int) -> None:
    line = f"info depth 8 seldepth 9 multipv 1 score cp {value} nodes 77 pv e2e4"
    assert is_exact_score(line)
    assert score_in(line, chess.WHITE) == Centipawns(value)
    assert score_in(line, chess.BLACK) == Centipawns(-value)


@given(st.integers(1, 200))
def test_a_mate_belongs_to_whoever_gives_it(moves: int) -> None:
    assert score_in(MATE_LINE.format(moves), chess.WHITE) == Mate("white", moves)
    assert score_in(MATE_LINE.format(-moves), chess.WHITE) == Mate("black", moves)
    assert score_in(MATE_LINE.format(moves), chess.BLACK) == Mate("black", moves)


@pytest.mark.parametrize(
    "line",
    [
        "info depth 9 score cp 31 lowerbound nodes 10001",
        "info depth 9 score mate 3 upperbound nodes 10001",
        "info depth 9 currmove e2e4 currmovenumber 1",
        "info string my score is cp 100",
        "bestmove e2e4",
        "",
    ],
)
def test_bounds_and_talk_are_no_values(line: str) -> None:
    assert not is_exact_score(line)


@pytest.mark.parametrize(
    "line",
    ["info score cp lots", "info score cp", "info score wdl 1 2 3", "info score mate 0"],
)
def test_a_value_that_cannot_be_is_an_error(line: str) -> None:
    with pytest.raises(ValueError):
        score_in(f"{line} ", chess.WHITE)


@pytest.mark.parametrize(
    "line", ["bestmove (none)", "bestmove", "bestmove 0000", "bestmove NULL", "bestmove e2e5"]
)
def test_a_move_that_cannot_be_played_is_an_error(line: str) -> None:
    with pytest.raises(ValueError):
        best_move_in(line, chess.Board())


def test_a_promotion_may_be_written_in_upper_case() -> None:
    board = chess.Board("7k/4P3/8/8/8/8/8/K7 w - - 0 1")
    assert best_move_in("bestmove e7e8Q ponder h8g7", board) == "e7e8q"
