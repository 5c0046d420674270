"""FIDE's first ratings and performances: printed cases and the laws that hold for them."""

import csv
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo.fide import (
    FIDE_RULES,
    FideRules,
    FirstRating,
    first_rating,
    perfect_performance,
    performance,
    rules_on,
)
from pipeline.elo.fide_tables import scoring_percent
from pipeline.records import NoEstimate

VECTORS = Path(__file__).parent / "vectors"
OLD, NEW = rules_on(date(2024, 2, 29)), rules_on(date(2024, 3, 1))
POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}

tournaments = st.lists(st.integers(1400, 2800), min_size=1, max_size=15).flatmap(
    lambda ratings: st.tuples(st.just(ratings), st.integers(0, 2 * len(ratings)))
)


def rows(name: str) -> list[dict[str, str]]:
    with (VECTORS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def opponents_of(text: str) -> list[int]:
    """`5 x 2000`, or `5 opponents summing to 9507`."""
    words = text.split()
    count, last = int(words[0]), int(words[-1])
    if words[1] == "x":
        return [last] * count
    return [last // count + (place < last % count) for place in range(count)]


# --- a first rating --------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("fide_initial"), ids=lambda r: r["id"])
def test_a_first_rating_is_that_of_the_rules_since_march_2024(row: dict[str, str]) -> None:
    # Recomputed from the regulation; F-N01 is a real first rating on FIDE's list.
    found = first_rating(opponents_of(row["rated_opponents"]), float(row["score"]), NEW)
    assert isinstance(found, FirstRating)
    assert found.rating == int(row["Ru_current_rule_2024_03"])
    assert found.average_opponent_rating == pytest.approx(float(row["Ra_incl_two_1800"]), abs=5e-5)
    assert found.difference == int(row["dp"])
    uncapped = found.average_opponent_rating + found.difference
    assert found.capped == (uncapped >= 2200.5)


@pytest.mark.parametrize(
    "row",
    [row for row in rows("fide_initial") if row["Ru_archived_rule_until_2024_02"]],
    ids=lambda r: r["id"],
)
def test_a_first_rating_is_that_of_the_rules_until_february_2024(row: dict[str, str]) -> None:
    found = first_rating(opponents_of(row["rated_opponents"]), float(row["score"]), OLD)
    assert isinstance(found, FirstRating)
    assert found.rating == int(row["Ru_archived_rule_until_2024_02"])
    online = row["fide_online_calculator_still_archived_rule"]
    assert online in ("", str(found.rating))


@pytest.mark.parametrize(
    ("opponents", "score", "reason"),
    [
        ([2000] * 4, 4, "needs 5 games against rated opponents, and there are 4"),
        ([2000] * 5, 0, "zero in the first event is disregarded"),
        ([1400] * 5, 0.5, "is under 1400"),
    ],
)
def test_without_a_first_rating_the_reason_is_said(
    opponents: list[int], score: float, reason: str
) -> None:
    found = first_rating(opponents, score, NEW)
    assert isinstance(found, NoEstimate)
    assert reason in found.reason


def test_a_first_rating_of_exactly_2200_is_not_capped() -> None:
    # (9637 + 3600) / 7 + 309 = 2200, and 2200.57 is cut to it.
    exact = first_rating([1927, 1927, 1927, 1928, 1928], 5, NEW)
    above = first_rating([1927, 1927, 1927, 1928, 1932], 5, NEW)
    assert isinstance(exact, FirstRating)
    assert isinstance(above, FirstRating)
    assert (exact.rating, exact.capped) == (2200, False)
    assert (above.rating, above.capped) == (2200, True)


def test_the_floor_was_1000_before_march_2024() -> None:
    found = first_rating([1400] * 5, 1, OLD)
    assert isinstance(found, FirstRating)
    assert found.rating == 1400 - 240


@given(
    st.lists(st.integers(1400, 2800), min_size=5, max_size=15),
    st.integers(1, 29),
    st.sampled_from(FIDE_RULES),
)
def test_a_better_score_never_gives_a_lower_first_rating(
    opponents: list[int], half_points: int, rules: FideRules
) -> None:
    less = min(half_points, 2 * len(opponents) - 1)
    lower, higher = (first_rating(opponents, half / 2, rules) for half in (less, less + 1))
    if isinstance(lower, FirstRating):
        assert isinstance(higher, FirstRating)
        assert higher.rating >= lower.rating


# --- performance -----------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("fide_performance_scalachess"), ids=lambda r: r["games"])
def test_the_performance_is_what_scalachess_tests(row: dict[str, str]) -> None:
    games = [game.split(":") for game in row["games"].split(";")]
    found = performance([int(r) for _, r in games], sum(POINTS[w] for w, _ in games))
    assert found == int(row["performance_Rp"])


@pytest.mark.parametrize("row", rows("fide_performance_tpr_ptp"), ids=lambda r: r["case"][:30])
def test_both_performances_are_those_listed(row: dict[str, str]) -> None:
    opponents = [int(rating) for rating in row["opponents"].split(";")]
    assert performance(opponents, float(row["score"])) == int(row["TPR_Ra_plus_dp"])
    assert perfect_performance(opponents, float(row["score"])) == int(row["PTP"])


@given(tournaments)
def test_a_better_score_never_lowers_either_performance(case: tuple[list[int], int]) -> None:
    opponents, half_points = case
    less = max(0, half_points - 1)
    for count in (performance, perfect_performance):
        assert count(opponents, half_points / 2) >= count(opponents, less / 2)


@given(tournaments)
def test_the_perfect_performance_is_the_lowest_rating_that_expects_the_score(
    case: tuple[list[int], int],
) -> None:
    opponents, half_points = case
    found = perfect_performance(opponents, half_points / 2)

    def expected_percent(rating: int) -> int:
        return sum(scoring_percent(rating - opponent) for opponent in opponents)

    assert expected_percent(found) >= 50 * half_points
    assert found == min(opponents) - 800 or expected_percent(found - 1) < 50 * half_points


@given(st.lists(st.integers(1400, 2800), min_size=1, max_size=15))
def test_the_ends_are_800_below_and_736_above(opponents: list[int]) -> None:
    assert perfect_performance(opponents, 0) == min(opponents) - 800
    assert perfect_performance(opponents, len(opponents)) == max(opponents) + 736
    assert performance(opponents, 0) == sum(opponents) // len(opponents) - 800


@pytest.mark.parametrize("score", [-0.5, 3.5, 0.7, float("nan"), float("inf")])
def test_an_impossible_score_is_refused(score: float) -> None:
    for count in (performance, perfect_performance):
        with pytest.raises(InputError, match="whole and half points from 0 to 3"):
            count([1500] * 3, score)
    with pytest.raises(InputError, match="whole and half points from 0 to 3"):
        first_rating([1500] * 3, score, NEW)


def test_no_opponents_and_bad_ratings_are_refused() -> None:
    for count in (performance, perfect_performance):
        with pytest.raises(InputError, match="There are no games"):
            count([], 0)
        with pytest.raises(InputError, match=r"^The rating of opponent 2 must be a whole number"):
            count([1500, float("nan")], 1)
