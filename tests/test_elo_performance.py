"""The result-based view: expected scores and the performance rating with its interval."""

from math import log10

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.elo.expected import expected_score
from pipeline.elo.performance import performance

ratings = st.floats(min_value=0, max_value=4000)
halves = st.sampled_from([0.0, 0.5, 1.0])
results = st.lists(st.tuples(st.integers(400, 3000), halves), min_size=1, max_size=40)


@pytest.mark.parametrize(
    ("difference", "expected"), [(0, 0.5), (100, 0.6401), (200, 0.7597), (400, 10 / 11)]
)
def test_expected_scores_are_elo_s(difference: float, expected: float) -> None:
    assert expected_score(1500 + difference, 1500) == pytest.approx(expected, abs=5e-5)


@given(ratings, ratings)
def test_the_expected_scores_of_both_players_sum_to_1(a: float, b: float) -> None:
    assert expected_score(a, b) + expected_score(b, a) == pytest.approx(1)


def test_absurd_ratings_have_an_expected_score_too() -> None:
    assert expected_score(-1e9, 1e9) == pytest.approx(0)
    assert expected_score(1e9, -1e9) == pytest.approx(1)


@given(results)
def test_the_rating_lies_in_its_interval(games: list[tuple[int, float]]) -> None:
    found = performance([o for o, _ in games], [s for _, s in games])
    assert found.low < found.rating < found.high


@given(results, st.integers(0, 39), halves)
def test_a_better_result_never_lowers_the_performance(
    games: list[tuple[int, float]], index: int, better: float
) -> None:
    opponents, scores = [o for o, _ in games], [s for _, s in games]
    worse = performance(opponents, scores)
    scores[index % len(scores)] = max(scores[index % len(scores)], better)
    improved = performance(opponents, scores)
    assert improved.low >= worse.low
    assert improved.rating >= worse.rating - 1e-6
    assert improved.high >= worse.high


@given(results)
def test_the_order_of_games_does_not_matter(games: list[tuple[int, float]]) -> None:
    forwards = performance([o for o, _ in games], [s for _, s in games])
    backwards = performance([o for o, _ in games[::-1]], [s for _, s in games[::-1]])
    assert forwards == backwards


def test_one_half_in_two_games_of_equals_performs_as_they_are_rated() -> None:
    found = performance([1500, 1500], [1, 0])
    assert found.rating == pytest.approx(1500, abs=1e-6)
    assert 1500 - found.low == pytest.approx(found.high - 1500, abs=1.5)


@pytest.mark.parametrize(("wins", "games"), [(0, 7), (7, 7), (12, 20), (1, 1)])
def test_against_equals_it_is_as_if_half_a_win_and_half_a_loss_were_added(
    wins: int, games: int
) -> None:
    # Closed form of Jeffreys' prior for a binomial. Lichess once showed 2913 for 0/7 (lila#6207).
    found = performance([1500] * games, [1] * wins + [0] * (games - wins))
    odds = (wins + 0.5) / (games - wins + 0.5)
    assert found.rating == pytest.approx(1500 + 400 * log10(odds), abs=0.01)


def test_more_games_narrow_the_interval() -> None:
    few, many = (performance([1600] * n, [1, 0] * (n // 2)) for n in (10, 40))
    assert (many.high - many.low) == pytest.approx((few.high - few.low) / 2, rel=0.1)


@pytest.mark.parametrize("games", [1, 3, 10, 40])
def test_the_interval_holds_80_percent_of_simulated_players(games: int) -> None:
    random = np.random.default_rng(seed=games)
    held = []
    for _ in range(800):
        true = random.normal(1600, 150)
        opponents = random.normal(1600, 100, size=games)
        wins = random.random(games) < [expected_score(true, o) for o in opponents]
        found = performance(opponents.tolist(), wins.astype(float).tolist())
        held.append(found.low <= true <= found.high)
    # One game leaves two possible intervals only, so its coverage comes in a large step.
    assert 0.76 <= np.mean(held) <= (0.86 if games > 1 else 1)


def test_no_games_are_refused() -> None:
    with pytest.raises(ValueError, match="one score for each opponent"):
        performance([], [])
