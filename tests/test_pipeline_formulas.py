"""Lichess's arithmetic on evaluations, against values from Lichess's own tests and games."""

import csv
import json
from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.evals import Centipawns, Color, Eval, Mate
from pipeline.formulas.accuracy import (
    accuracy_percent,
    average_centipawn_loss,
    game_accuracy_percent,
)
from pipeline.formulas.division import divide, phase_at
from pipeline.formulas.judgement import judge
from pipeline.formulas.win_percent import mover_win_percent, win_percent, winning_chances
from pipeline.records import Division, Phase

VECTORS = Path(__file__).parent / "vectors"


def rows(name: str) -> list[dict[str, str]]:
    with (VECTORS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def evaluation(text: str) -> Eval:
    kind, value = text.split(":")
    if kind == "cp":
        return Centipawns(int(value))
    return Mate("white" if int(value) > 0 else "black", abs(int(value)))


@pytest.mark.parametrize(
    "row", rows("winpercent"), ids=lambda r: f"{r['kind']}{r['value_white_pov']}"
)
def test_win_percent_is_lichess_s(row: dict[str, str]) -> None:
    value = evaluation(f"{row['kind']}:{row['value_white_pov']}")
    assert win_percent(value) == pytest.approx(float(row["win_percent_white"]), abs=1e-9)
    if row["winning_chances_unclamped"]:
        expected = float(row["winning_chances_unclamped"])
        assert winning_chances(int(row["value_white_pov"])) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("row", rows("move_accuracy"), ids=lambda r: "-".join(list(r.values())[:2]))
def test_accuracy_of_a_move_is_lichess_s(row: dict[str, str]) -> None:
    # Some rows name the centipawns and print the win percent to six places: wp(15)=51.380429.
    before = float(row["win_percent_before_mover_pov"].split("=")[-1])
    after = float(row["win_percent_after_mover_pov"].split("=")[-1])
    assert accuracy_percent(before, after) == pytest.approx(float(row["accuracy"]), abs=1e-5)


@pytest.mark.parametrize("row", rows("game_accuracy_lila"), ids=lambda r: r["lila_test"])
def test_accuracy_of_a_game_is_lichess_s(row: dict[str, str]) -> None:
    evals = [Centipawns(15), *map(Centipawns, json.loads(row["cps_white_pov_after_each_ply"]))]
    start: Color = "white" if row["start_color"] == "white" else "black"
    accuracy = game_accuracy_percent(evals, start)
    for color in ("white", "black"):
        if row[f"{color}_expected"] == "none":
            assert accuracy[color] is None
        else:
            exact = float(row[f"{color}_recomputed"])
            assert accuracy[color] == pytest.approx(exact, abs=1e-6)
            tolerance = float(row[f"{color}_tol"])
            assert accuracy[color] == pytest.approx(float(row[f"{color}_expected"]), abs=tolerance)


def test_a_hole_in_the_evaluations_does_not_swap_the_colours() -> None:
    evals: list[Eval | None] = [Centipawns(0)] * 8 + [Centipawns(600)] * 8
    evals[3] = None  # neither White's second move nor Black's second can be scored
    # Ply 8 is Black's, one of the six of Black's seven moves that are scored.
    assert average_centipawn_loss(evals, "white") == {"white": 0, "black": 100}
    accuracy = game_accuracy_percent(evals, "white")
    assert accuracy["white"] == 100
    assert accuracy["black"] is not None and accuracy["black"] < 90


# That Lichess judges no move which its engine preferred is tested in test_pipeline_analysis.
judged_rows = [row for row in rows("judgement") if row["has_variation"] == "true"]


@pytest.mark.parametrize("row", judged_rows, ids=lambda r: r["rule"])
def test_judgements_are_lichess_s(row: dict[str, str]) -> None:
    before, after = evaluation(row["prev_white_pov"]), evaluation(row["next_white_pov"])
    mover: Color = "white" if row["mover"] == "white" else "black"
    found = judge(before, after, mover)
    assert (found.value.capitalize() if found else "none") == row["expected"]


@pytest.mark.parametrize("row", rows("divider"), ids=lambda r: r["id"])
def test_phases_are_lichess_s(row: dict[str, str]) -> None:
    board = chess.Board()
    boards = [board.copy()]
    for san in row["san_moves"].split():
        board.push_san(san)
        boards.append(board.copy())
    division = divide(boards)
    assert division.middlegame == (int(row["middle"]) if row["middle"] else None)
    assert division.endgame == (int(row["end"]) if row["end"] else None)


def test_a_position_belongs_to_the_phase_it_lies_in() -> None:
    division = Division(middlegame=20, endgame=50)
    phases = [phase_at(division, position) for position in (0, 19, 20, 49, 50, 90)]
    assert phases == [Phase.OPENING] * 2 + [Phase.MIDDLEGAME] * 2 + [Phase.ENDGAME] * 2
    assert phase_at(Division(middlegame=None, endgame=None), 40) is Phase.OPENING


evals = st.one_of(
    st.integers(-20_000, 20_000).map(Centipawns),
    st.builds(Mate, st.sampled_from(["white", "black"]), st.integers(0, 60)),
)


@given(evals)
def test_the_two_sides_win_percents_sum_to_100(value: Eval) -> None:
    white, black = mover_win_percent(value, "white"), mover_win_percent(value, "black")
    assert white + black == pytest.approx(100)
    assert 2.4 < white < 97.6


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))
def test_more_centipawns_never_lower_the_chances(a: int, b: int) -> None:
    low, high = sorted((a, b))
    assert -1 <= winning_chances(low) <= winning_chances(high) <= 1


@given(st.lists(evals, min_size=3, max_size=40), st.sampled_from(["white", "black"]))
def test_accuracy_lies_between_0_and_100(values: list[Eval], start: Color) -> None:
    for accuracy in game_accuracy_percent(values, start).values():
        assert accuracy is not None
        assert 0 <= accuracy <= 100


@given(st.lists(evals, min_size=3, max_size=40))
def test_colours_reversed_give_the_same_accuracy_reversed(values: list[Eval]) -> None:
    def reverse(e: Eval) -> Eval:
        if isinstance(e, Centipawns):
            return Centipawns(-e.value)
        return Mate("black" if e.winner == "white" else "white", e.moves)

    one = game_accuracy_percent(values, "white")
    other = game_accuracy_percent([reverse(e) for e in values], "black")
    assert one["white"] == pytest.approx(other["black"])
    assert one["black"] == pytest.approx(other["white"])
