"""What one game gave and took: its end, its phases, its time pressure."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_reports import made_game_report, made_move

from engines.evals import Color
from pipeline.differences.account import Account, account_of
from pipeline.differences.move_losses import pressure_seconds
from pipeline.records import Clock, Ending, GameReport, MoveScore, Phase

BASE = made_game_report(1)


def game(
    whites_percents: list[float],
    *,
    score: float,
    color: Color = "white",
    seconds_left: list[float] | None = None,
    phase: Phase = Phase.MIDDLEGAME,
    **fields: Any,
) -> GameReport:
    """A game of the player's with White's win percent at the start and after each move."""
    moves = tuple(
        _move(number, whites_percents, seconds_left, phase)
        for number in range(1, len(whites_percents))
    )
    own, opponent = replace(BASE.white, score=score), replace(BASE.black, score=1 - score)
    white, black = (own, opponent) if color == "white" else (opponent, own)
    made = replace(BASE, moves=moves, plies=len(moves), color=color, white=white, black=black)
    return replace(made, **fields)


def _move(
    ply: int, percents: list[float], seconds_left: list[float] | None, phase: Phase
) -> MoveScore:
    color: Color = "white" if ply % 2 else "black"
    before, after = percents[ply - 1], percents[ply]
    if color == "black":
        before, after = 100 - before, 100 - after
    left = None if seconds_left is None else seconds_left[ply - 1]
    return made_move(
        ply=ply, color=color, win_percent_before=before, win_percent_after=after, phase=phase,
        seconds_left=left, seconds_spent=None if left is None or ply < 3 else 1.0,
    )  # fmt: skip


def account(*arguments: Any, **fields: Any) -> Account:
    found = account_of(game(*arguments, **fields))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("status", "ending"),
    [
        ("outoftime", Ending.CLOCK),
        ("resign", Ending.RESIGNATION),
        ("timeout", Ending.RESIGNATION),
        ("draw", Ending.DRAW),
        ("mate", Ending.BOARD),
        ("stalemate", Ending.BOARD),
        ("unknownFinish", Ending.UNKNOWN),
    ],
)
def test_every_status_of_lichess_is_a_way_to_end(status: str, ending: Ending) -> None:
    assert account([50, 60, 60], score=1.0, status=status).ending is ending


def test_a_pgn_without_a_status_tells_what_its_result_and_moves_tell() -> None:
    drawn = account([50, 50], score=0.5, status=None)
    given_up = account([50, 90], score=1.0, status=None)
    elsewhere = account([50, 90], score=1.0, status=None, url="https://example.org/7")
    mated = game([50, 97.5], score=1.0, status=None)
    mated = replace(mated, moves=(replace(mated.moves[0], san="Qh5#"),))
    found = account_of(mated)
    assert drawn.ending is Ending.DRAW
    assert given_up.ending is Ending.RESIGNATION
    assert elsewhere.ending is Ending.UNKNOWN
    assert found is not None and found.ending is Ending.BOARD


def test_the_last_position_is_worth_what_the_player_s_own_chances_were() -> None:
    lost_on_time = account([50, 55, 80], score=0.0, status="outoftime")
    assert lost_on_time.worth == pytest.approx(0.8)
    as_black = account([50, 55, 80], score=0.0, status="outoftime", color="black")
    assert as_black.worth == pytest.approx(0.2)


def test_a_mate_is_worth_the_score_and_so_is_a_stalemate() -> None:
    assert account([50, 90, 97.5], score=1.0, status="mate").worth == 1.0
    assert account([50, 97.5, 50], score=0.5, status="stalemate").worth == 0.5


def test_an_end_that_no_evaluation_reaches_is_worth_nobody_knows_what() -> None:
    assert account([50, 55, 60], score=1.0, status="resign", plies=320).worth is None
    assert account([50], score=1.0, status="resign", plies=40).worth is None


def test_a_game_without_a_result_or_decided_by_lichess_has_no_account() -> None:
    assert account_of(game([50, 60], score=1.0, status="cheat")) is None
    nobodys = game([50, 60], score=1.0)
    assert account_of(replace(nobodys, color=None)) is None
    unfinished = replace(nobodys, white=replace(nobodys.white, score=None))
    assert account_of(unfinished) is None


@given(
    st.lists(st.floats(min_value=2.5, max_value=97.5), min_size=2, max_size=12),
    st.sampled_from(["mate", "resign", "outoftime"]),
    st.sampled_from(["white", "black"]),
    st.sampled_from([0.0, 1.0]),
)
def test_what_phases_change_leads_from_the_start_to_the_end(
    percents: list[float], status: str, color: Color, score: float
) -> None:
    found = account(percents, score=score, status=status, color=color)
    assert found.worth is not None
    assert found.start_worth + sum(found.changes.values()) == pytest.approx(found.worth)


def test_each_side_s_losses_are_its_own_and_gains_are_none() -> None:
    found = account([50, 44, 50, 51, 70], score=1.0)
    both = found.phases[Phase.MIDDLEGAME]
    assert (both.own.moves, both.theirs.moves) == (2, 2)
    assert both.own.win_percent == pytest.approx(6)
    assert both.theirs.win_percent == pytest.approx(25)


def test_time_pressure_is_a_tenth_of_the_time_and_never_more_than_thirty_seconds() -> None:
    assert pressure_seconds(Clock(initial_seconds=180, increment_seconds=0)) == 18
    assert pressure_seconds(Clock(initial_seconds=600, increment_seconds=5)) == 30


def test_a_move_is_in_time_pressure_by_the_clock_before_it() -> None:
    clock = Clock(initial_seconds=100, increment_seconds=0)
    seconds = [99, 99, 9.5, 50, 8, 49]  # before White's second and third move: 10.5 and 9
    found = account([50, 50, 50, 48, 48, 45, 45], score=0.0, seconds_left=seconds, clock=clock)
    assert found.by_clock is not None
    pressed, calm = found.by_clock
    assert (pressed.own.moves, calm.own.moves) == (1, 1)
    assert pressed.own.win_percent == pytest.approx(3)
    assert calm.own.win_percent == pytest.approx(2)
    assert (pressed.theirs.moves, calm.theirs.moves) == (0, 2)


def test_without_clocks_or_a_time_control_nobody_knows_of_time_pressure() -> None:
    assert account([50, 50, 50], score=0.5).by_clock is None
    assert account([50, 50, 50], score=0.5, seconds_left=[9, 9], clock=None).by_clock is None
