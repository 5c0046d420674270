"""Plain Elo: the values of printed examples, and the laws of the formula."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo.logistic import (
    LARGEST_TABLE_DIFFERENCE,
    as_rating_period,
    both_changes,
    expected_table,
    one_after_another,
    rating_change,
)
from pipeline.elo.played import Played

VECTORS = Path(__file__).parent / "vectors"
ratings = st.floats(0, 4000)
halves = st.sampled_from([0.0, 0.5, 1.0])
ks = st.floats(1, 60)
game_lists = st.lists(st.builds(Played, ratings, halves), min_size=1, max_size=20)

EXAMPLE = [Played(1400, 1), Played(1600, 0.5), Played(1550, 0)]


def rows(name: str) -> list[dict[str, str]]:
    with (VECTORS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def value(row: dict[str, str]) -> float:
    cap = float(row["max_difference"]) if row["max_difference"] else None
    game = Played(float(row["opponent"]), float(row["score"] or 0))
    line = as_rating_period(float(row["rating"]), [game], float(row["k"] or 1), max_difference=cap)
    return line.expected_score if row["kind"] == "expected" else line.change


@pytest.mark.parametrize("row", rows("elo_seeds"), ids=lambda r: "-".join(list(r.values())[:6]))
def test_examples_come_out_as_printed_and_as_recomputed(row: dict[str, str]) -> None:
    assert value(row) == pytest.approx(float(row["recomputed"]), abs=5.1e-5)
    if row["as_printed"]:
        decimals = len(row["as_printed"].split(".")[1])
        assert value(row) == pytest.approx(float(row["as_printed"]), abs=0.5001 * 10**-decimals)


def test_a_rating_period_counts_every_game_from_the_starting_rating() -> None:
    period = as_rating_period(1500, EXAMPLE, 20)
    assert [round(line.expected_score, 2) for line in period.games] == [0.64, 0.36, 0.43]
    assert [round(line.change, 1) for line in period.games] == [7.2, 2.8, -8.6]
    assert {line.rating_before for line in period.games} == {1500}
    assert period.change == pytest.approx(1.4293, abs=5e-5)
    assert round(period.rating_after) == 1501
    assert (period.score, period.rating_before) == (1.5, 1500)


def test_one_after_another_counts_from_the_rating_so_far() -> None:
    changes = one_after_another(1500, EXAMPLE, 20)
    assert changes.change == pytest.approx(0.959663, abs=5e-7)
    assert changes.rating_after == pytest.approx(1500.959663, abs=5e-7)
    assert changes.games[1].rating_before == pytest.approx(1500 + changes.games[0].change)


def test_the_table_runs_from_0_to_the_limit_in_steps() -> None:
    table = expected_table(100, 400)
    assert [row.difference for row in table] == [0, 100, 200, 300, 400]
    assert [round(row.higher, 4) for row in table] == [0.5, 0.6401, 0.7597, 0.849, 0.9091]
    assert all(row.higher + row.lower == pytest.approx(1) for row in table)
    assert [row.difference for row in expected_table(30, 100)] == [0, 30, 60, 90]


@given(ratings, ratings, halves, ks)
def test_equal_k_gives_one_player_what_the_other_loses(
    a: float, b: float, score: float, k: float
) -> None:
    change_a, change_b = both_changes(a, b, score, k, k)
    assert change_a + change_b == pytest.approx(0, abs=1e-9)


@given(ratings, ratings, halves, ks, ks)
def test_each_player_changes_with_their_own_k(
    a: float, b: float, score: float, k_a: float, k_b: float
) -> None:
    change_a, change_b = both_changes(a, b, score, k_a, k_b)
    assert change_a * k_b == pytest.approx(-change_b * k_a, abs=1e-6)


@given(ratings, game_lists, ks, st.integers(0, 19))
def test_a_better_result_never_lowers_the_rating(
    rating: float, games: list[Played], k: float, index: int
) -> None:
    place = index % len(games)
    better = [*games]
    better[place] = Played(games[place].opponent_rating, min(1, games[place].score + 0.5))
    for count in (as_rating_period, one_after_another):
        worse = count(rating, games, k).rating_after
        assert count(rating, better, k).rating_after >= worse - 1e-9


@given(ratings, game_lists, ks)
def test_the_order_of_a_period_s_games_does_not_matter(
    rating: float, games: list[Played], k: float
) -> None:
    forwards, backwards = (as_rating_period(rating, g, k) for g in (games, games[::-1]))
    assert forwards.rating_after == pytest.approx(backwards.rating_after)


@given(ratings, game_lists, ks)
def test_a_period_changes_by_k_times_score_less_expectation(
    rating: float, games: list[Played], k: float
) -> None:
    period = as_rating_period(rating, games, k)
    assert period.change == pytest.approx(k * (period.score - period.expected_score), abs=1e-6)


@given(ratings, ratings, halves, ks)
def test_one_game_is_the_same_either_way(
    rating: float, opponent: float, score: float, k: float
) -> None:
    game = [Played(opponent, score)]
    period, sequence = as_rating_period(rating, game, k), one_after_another(rating, game, k)
    assert period == sequence
    assert period.change == rating_change(rating, opponent, score, k)


@pytest.mark.parametrize("k", [0, -20, float("nan"), float("inf")])
def test_an_impossible_k_is_refused(k: float) -> None:
    with pytest.raises(InputError, match=r"^K must be a number above 0"):
        rating_change(1500, 1600, 1, k)


@pytest.mark.parametrize("score", [0.7, 2, -1, float("nan")])
def test_a_score_other_than_1_half_or_0_is_refused(score: float) -> None:
    with pytest.raises(InputError, match=r"^The score must be 1, 0\.5 or 0, and it is"):
        rating_change(1500, 1600, score, 20)
    with pytest.raises(InputError, match=r"^The score must be"):
        both_changes(1500, 1600, score, 20, 20)


@pytest.mark.parametrize("rating", [float("nan"), float("inf"), float("-inf")])
def test_a_rating_that_is_no_number_is_refused(rating: float) -> None:
    with pytest.raises(InputError, match=r"^The rating must be a finite number"):
        rating_change(rating, 1600, 1, 20)
    with pytest.raises(InputError, match=r"^The opponent's rating must be a finite number"):
        rating_change(1500, rating, 1, 20)


def test_a_bad_game_is_named_by_its_place_in_the_list() -> None:
    with pytest.raises(InputError, match=r"^Game 2: the score must be 1, 0\.5 or 0"):
        as_rating_period(1500, [Played(1500, 1), Played(1500, 3)], 20)
    with pytest.raises(InputError, match=r"^Game 1: the opponent.s rating must be a finite number"):
        one_after_another(1500, [Played(float("nan"), 1)], 20)


def test_a_list_without_games_is_refused() -> None:
    for count in (as_rating_period, one_after_another):
        with pytest.raises(InputError, match="There are no games"):
            count(1500, [], 20)


@pytest.mark.parametrize("cap", [0, -400, float("nan")])
def test_a_largest_difference_that_is_none_is_refused(cap: float) -> None:
    with pytest.raises(InputError, match="largest difference"):
        rating_change(1500, 1600, 1, 20, max_difference=cap)


@pytest.mark.parametrize(
    ("step", "limit"), [(0, 400), (-5, 400), (500, 400), (1, LARGEST_TABLE_DIFFERENCE + 1)]
)
def test_an_impossible_table_is_refused(step: int, limit: int) -> None:
    with pytest.raises(InputError, match="step of at least 1"):
        expected_table(step, limit)
