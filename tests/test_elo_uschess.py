"""US Chess ratings: recomputed events, the printed example, bonus, floors and laws."""

import csv
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo.played import Played
from pipeline.elo.uschess import (
    absolute_floor,
    bonus_threshold_on,
    effective_games,
    new_rating,
    peak_floor,
    provisional_rating,
)

VECTORS = Path(__file__).parent / "vectors"

ratings = st.floats(100, 2800)
halves = st.sampled_from([0.0, 0.5, 1.0])
events = st.lists(st.builds(Played, ratings, halves), min_size=1, max_size=9)
PRINTED = [Played(1400, 1), Played(1550, 0), Played(1650, 0.5)]


def rows(name: str) -> list[dict[str, str]]:
    with (VECTORS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def games_of(row: dict[str, str]) -> list[Played]:
    """Any games with the row's opponents that make its score: only the total counts."""
    left = float(row["score"])
    games = []
    for opponent in row["opponents"].split(";"):
        score = min(1.0, left)
        games.append(Played(float(opponent), score))
        left -= score
    return games


@pytest.mark.parametrize(
    "row", rows("uschess_recomputed"), ids=lambda r: "-".join(list(r.values())[:5])
)
def test_an_event_comes_out_as_recomputed_from_the_formula(row: dict[str, str]) -> None:
    found = new_rating(
        float(row["rating"]),
        games_of(row),
        prior_games=int(row["prior_games"]),
        bonus_threshold=float(row["B"]),
    )
    assert found.effective_games == pytest.approx(float(row["N_eff"]), abs=6e-7)
    assert effective_games(float(row["rating"]), 10**6) == pytest.approx(
        float(row["N_star"]), abs=6e-7
    )
    assert found.k == pytest.approx(float(row["K"]), abs=6e-7)
    assert found.expected_score == pytest.approx(float(row["expected"]), abs=6e-7)
    assert found.change == pytest.approx(float(row["change_without_bonus"]), abs=6e-7)
    assert found.bonus == pytest.approx(float(row["bonus"]), abs=6e-7)
    assert found.rating_after == pytest.approx(float(row["new_rating"]), abs=6e-7)


def test_the_printed_example_of_few_games_is_1511() -> None:
    assert round(provisional_rating(1500, PRINTED, prior_games=6)) == 1511
    found = new_rating(1500, PRINTED, prior_games=6, bonus_threshold=12)
    assert found.rating_after == provisional_rating(1500, PRINTED, prior_games=6)
    assert (found.k, found.expected_score, found.bonus) == (None, None, 0)


def test_the_formula_changes_after_8_games() -> None:
    assert new_rating(1500, PRINTED, prior_games=8, bonus_threshold=12).k is None
    assert new_rating(1500, PRINTED, prior_games=9, bonus_threshold=12).k == pytest.approx(800 / 12)
    with pytest.raises(InputError, match="ends at 8 prior games"):
        provisional_rating(1500, PRINTED, prior_games=9)


def test_a_first_event_counts_alone() -> None:
    assert provisional_rating(9999, PRINTED, prior_games=0) == pytest.approx(4600 / 3)


def test_a_bonus_needs_3_games_and_less_than_4_count_as_4() -> None:
    two, three = ([Played(1800, 1)] * n for n in (2, 3))
    assert new_rating(1500, two, prior_games=100, bonus_threshold=12).bonus == 0
    found = new_rating(1500, three, prior_games=100, bonus_threshold=12)
    assert found.bonus == pytest.approx(found.change - 24)


@pytest.mark.parametrize(
    ("ended_on", "threshold"),
    [
        (date(2017, 5, 1), 14),
        (date(2023, 1, 31), 14),
        (date(2023, 2, 1), 12),
        (date(2024, 12, 31), 12),
        (date(2025, 1, 1), 10),
    ],
)
def test_the_bonus_threshold_is_that_of_the_day(ended_on: date, threshold: float) -> None:
    assert bonus_threshold_on(ended_on) == threshold


def test_before_may_2017_the_threshold_must_be_given() -> None:
    with pytest.raises(InputError, match="known from 2017-05-01 on, and the event ended on 2017"):
        bonus_threshold_on(date(2017, 4, 30))


@pytest.mark.parametrize(
    ("wins", "draws", "events_played", "floor"), [(0, 0, 0, 100), (3, 2, 4, 120), (20, 0, 9, 150)]
)
def test_the_absolute_floor_grows_from_100_to_150(
    wins: int, draws: int, events_played: int, floor: int
) -> None:
    assert absolute_floor(wins=wins, draws=draws, events=events_played) == floor


@pytest.mark.parametrize(
    ("peak", "floor"),
    [
        (1399, None),
        (1400, 1200),
        (1499, 1200),
        (1941, 1700),
        (2299, 2000),
        (2300, 2100),
        (2600, 2100),
    ],
)
def test_the_peak_floor_is_200_below_in_hundreds(peak: float, floor: int | None) -> None:
    assert peak_floor(peak) == floor


@given(ratings, events, st.integers(0, 500), st.integers(0, 8))
def test_a_better_result_against_the_same_opponents_never_lowers_the_rating(
    rating: float, games: list[Played], prior_games: int, index: int
) -> None:
    place = index % len(games)
    better = [*games]
    better[place] = Played(games[place].opponent_rating, min(1, games[place].score + 0.5))
    worse, improved = (
        new_rating(rating, g, prior_games=prior_games, bonus_threshold=12) for g in (games, better)
    )
    assert improved.rating_after >= worse.rating_after - 1e-9


def test_with_few_games_a_win_can_lower_a_rating_and_later_it_cannot() -> None:
    win = [Played(1000, 1)]
    assert new_rating(1800, win, prior_games=8, bonus_threshold=12).change < 0
    assert new_rating(1800, win, prior_games=9, bonus_threshold=12).change > 0


@given(ratings, ratings, st.integers(9, 500))
def test_after_8_games_a_win_never_costs_and_a_loss_never_gains(
    rating: float, opponent: float, prior_games: int
) -> None:
    won, lost = (
        new_rating(rating, [Played(opponent, s)], prior_games=prior_games, bonus_threshold=12)
        for s in (1, 0)
    )
    assert lost.rating_after <= rating <= won.rating_after


@given(ratings, st.integers(0, 500))
def test_the_effective_games_are_never_more_than_were_played(rating: float, prior: int) -> None:
    assert 0 <= effective_games(rating, prior) <= min(prior, 50)


def test_from_2355_on_up_to_50_games_count() -> None:
    assert effective_games(2330, 1000) == pytest.approx(48.02, abs=0.005)
    assert effective_games(2355, 1000) == pytest.approx(49.99, abs=0.005)
    assert effective_games(2355.1, 1000) == 50


def test_impossible_input_is_refused_in_one_sentence() -> None:
    with pytest.raises(InputError, match="There are no games"):
        new_rating(1500, [], prior_games=30, bonus_threshold=12)
    with pytest.raises(InputError, match=r"^Game 2: the score"):
        new_rating(1500, [PRINTED[0], Played(1500, 5)], prior_games=30, bonus_threshold=12)
    with pytest.raises(InputError, match="prior games must be 0 or more"):
        new_rating(1500, PRINTED, prior_games=-1, bonus_threshold=12)
    for threshold in (0, float("nan")):
        with pytest.raises(InputError, match="threshold B must be above 0"):
            new_rating(1500, PRINTED, prior_games=30, bonus_threshold=threshold)
    with pytest.raises(InputError, match="counted from 0 on"):
        absolute_floor(wins=-1, draws=0, events=1)
    with pytest.raises(InputError, match="The peak rating must be a finite number"):
        peak_floor(float("nan"))
