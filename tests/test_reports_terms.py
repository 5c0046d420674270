"""What chess and Lichess call things is said as their players know it."""

import pytest
from made_reports import LIMIT, STOCKFISH, made_move

from engines.evals import LICHESS_ANALYSIS
from pipeline.records import Clock, Judgement
from reports.terms import (
    engine_text,
    move_number_text,
    scale_name,
    speed_name,
    status_text,
    time_control_text,
    white_win_percent,
)


@pytest.mark.parametrize(
    ("initial_seconds", "increment_seconds", "shown"),
    [(300, 3, "5+3"), (30, 0, "½+0"), (90, 1, "1½+1"), (600, 0, "10+0"), (200, 0, "3.33+0")],
)
def test_time_controls_are_written_as_lichess_does(
    initial_seconds: int, increment_seconds: int, shown: str
) -> None:
    clock = Clock(initial_seconds=initial_seconds, increment_seconds=increment_seconds)
    assert time_control_text(clock) == shown


def test_scales_and_speeds_have_names() -> None:
    assert scale_name("lichess_blitz") == "Lichess blitz"
    assert scale_name("lichess_rapid") == "Lichess rapid"
    assert scale_name("fide") == "FIDE"
    assert speed_name("ultraBullet") == "UltraBullet"


def test_endings_are_words_even_when_lichess_invents_one() -> None:
    assert status_text("outoftime") == "time ran out"
    assert status_text("abducted") == "abducted"
    assert status_text(None) == ""


def test_the_search_effort_is_stated() -> None:
    assert engine_text(STOCKFISH, LIMIT.with_all_nodes()) == (
        "Stockfish 15.1 (nn-ad9b42354671.nnue), 100,000 nodes a position"
    )
    assert engine_text(STOCKFISH, LIMIT) == (
        "Stockfish 15.1 (nn-ad9b42354671.nnue), up to 100,000 nodes a position"
    )
    assert engine_text(LICHESS_ANALYSIS, None) == "Lichess server analysis"
    assert engine_text(None, None) == "not evaluated"


@pytest.mark.parametrize(
    ("ply", "color", "number"),
    [
        (1, "white", "1."),
        (2, "black", "1…"),
        (3, "white", "2."),
        (1, "black", "1…"),
        (2, "white", "2."),
        (3, "black", "2…"),
    ],
)
def test_move_numbers_are_right_whoever_began(ply: int, color: str, number: str) -> None:
    assert move_number_text(made_move(ply=ply, color=color)) == number


def test_whites_chances_are_whites_after_moves_of_either_side() -> None:
    black = made_move(color="black", win_percent_after=30.0, judgement=Judgement.BLUNDER)
    assert white_win_percent(black) == 70.0
    assert white_win_percent(made_move(win_percent_after=30.0)) == 30.0
