"""The scholastic rating of Échecs et Maths: its worked example, its table, its laws."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo.echecs_maths import bonus_threshold, new_rating
from pipeline.elo.played import Played

VECTORS = Path(__file__).parent / "vectors"
JACQUES = [Played(575, 1), Played(600, 1), Played(625, 1), Played(650, 0), Played(675, 0.5)]

ratings = st.floats(0, 2400)
halves = st.sampled_from([0.0, 0.5, 1.0])
events = st.lists(st.builds(Played, ratings, halves), min_size=1, max_size=10)


def rows(name: str) -> list[dict[str, str]]:
    with (VECTORS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_worked_example_goes_from_600_over_637_and_648_to_658() -> None:
    found = new_rating(600, JACQUES)
    assert found.rating_with_base == pytest.approx(637)
    assert found.bonus == pytest.approx(11)
    assert found.rating_with_bonus == pytest.approx(648)
    assert found.participation == 10
    assert found.rating_after == pytest.approx(658)


@pytest.mark.parametrize("row", rows("cma_seeds"), ids=lambda r: "-".join(r.values()))
def test_one_game_changes_what_the_table_says(row: dict[str, str]) -> None:
    game = Played(float(row["opponent"]), float(row["score"]))
    found = new_rating(float(row["rating"]), [game])
    assert found.base_change == pytest.approx(float(row["change"]))
    assert (found.bonus, found.participation) == (0, 2)


@pytest.mark.parametrize(("games", "threshold"), [(3, 22), (4, 24), (5, 26)])
def test_the_bonus_begins_above_22_24_26(games: int, threshold: int) -> None:
    assert bonus_threshold(games) == threshold


@pytest.mark.parametrize("games", [1, 2])
def test_a_short_event_has_no_bonus(games: int) -> None:
    assert new_rating(600, [Played(900, 1)] * games).bonus == 0
    with pytest.raises(InputError, match="events of 3 games"):
        bonus_threshold(games)


def test_the_bonus_is_one_point_for_each_point_above_the_threshold() -> None:
    assert new_rating(600, [Played(600, 1)] * 3).bonus == pytest.approx(48 - 22)
    assert new_rating(600, [Played(600, 1), Played(600, 0.5), Played(600, 0.5)]).bonus == 0


@given(ratings, ratings, halves)
def test_before_bonus_and_participation_one_player_gains_what_the_other_loses(
    a: float, b: float, score: float
) -> None:
    mine = new_rating(a, [Played(b, score)]).base_change
    theirs = new_rating(b, [Played(a, 1 - score)]).base_change
    assert mine + theirs == pytest.approx(0, abs=1e-9)


@given(ratings, ratings, halves)
def test_one_game_never_moves_the_base_by_more_than_30(a: float, b: float, score: float) -> None:
    assert abs(new_rating(a, [Played(b, score)]).base_change) <= 30


@given(ratings, events, st.integers(0, 9))
def test_a_better_result_never_lowers_the_rating(
    rating: float, games: list[Played], index: int
) -> None:
    place = index % len(games)
    better = [*games]
    better[place] = Played(games[place].opponent_rating, min(1, games[place].score + 0.5))
    worse, improved = new_rating(rating, games), new_rating(rating, better)
    assert improved.rating_after >= worse.rating_after - 1e-9


@given(ratings, events)
def test_the_parts_sum_to_the_new_rating_and_the_order_does_not_matter(
    rating: float, games: list[Played]
) -> None:
    found, backwards = new_rating(rating, games), new_rating(rating, games[::-1])
    parts = found.rating_before + found.base_change + found.bonus + found.participation
    assert found.rating_after == pytest.approx(parts)
    assert backwards.rating_after == pytest.approx(found.rating_after)


def test_impossible_input_is_refused_in_one_sentence() -> None:
    with pytest.raises(InputError, match="There are no games"):
        new_rating(600, [])
    with pytest.raises(InputError, match=r"^Game 1: the score must be 1, 0\.5 or 0"):
        new_rating(600, [Played(600, 0.25)])
    with pytest.raises(InputError, match=r"^The rating must be a finite number"):
        new_rating(float("nan"), [Played(600, 1)])
