"""From a reading to a likelihood, from a distribution to a range."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import Clock
from pipeline.strength.depth import (
    DEEP_NODES,
    SHALLOW_NODES,
    DepthEffect,
    fit_depth_effect,
    shallowness,
)
from pipeline.strength.grid import RATINGS, normalised, quantile
from pipeline.strength.likelihood import Circumstances, Likelihood, thinking_seconds
from pipeline.strength.likelihood import fit_likelihood as fit
from pipeline.strength.prior import log_prior


def circumstances(
    count: int, moves: float = 30.0, seconds: float = 600.0, shallow: float = 0.0
) -> Circumstances:
    return Circumstances(
        moves=np.full(count, moves),
        thinking_seconds=np.full(count, seconds),
        shallowness=np.full(count, shallow),
    )


def fit_likelihood(readings: np.ndarray, ratings: np.ndarray, given: Circumstances) -> Likelihood:
    return fit(readings, ratings, given)


def shrunken_readings(count: int = 20_000) -> tuple[np.ndarray, np.ndarray]:
    """As a regression reads: half way back to 1500, with a spread of 100 points."""
    rng = np.random.default_rng(5)
    ratings = rng.uniform(900, 2400, size=count)
    return 1500 + 0.5 * (ratings - 1500) + rng.normal(0, 100, size=count), ratings


def test_shrinking_to_the_middle_is_undone() -> None:
    readings, ratings = shrunken_readings()
    likelihood = fit_likelihood(readings, ratings, circumstances(len(ratings)))
    for rating in (1000, 1500, 2200):
        reading = 1500 + 0.5 * (rating - 1500)
        most_likely = RATINGS[likelihood.log_likelihoods(reading, circumstances(1)).argmax()]
        assert most_likely == pytest.approx(rating, abs=40)


def test_the_fitted_spread_is_that_of_the_readings() -> None:
    readings, ratings = shrunken_readings()
    likelihood = fit_likelihood(readings, ratings, circumstances(len(ratings)))
    _, spread = likelihood.mean_and_spread(np.array([1000.0, 2000.0]), circumstances(2))
    assert spread == pytest.approx([100, 100], rel=0.05)


def test_longer_games_are_trusted_more_where_they_deserve_it() -> None:
    rng = np.random.default_rng(6)
    ratings, moves = rng.uniform(900, 2400, 20_000), rng.uniform(10, 80, 20_000)
    readings = ratings + rng.normal(0, 1, 20_000) * 600 / np.sqrt(moves)
    given_ = replace(circumstances(20_000), moves=moves)
    likelihood = fit_likelihood(readings, ratings, given_)
    spreads = [
        likelihood.mean_and_spread(np.array([1500.0]), circumstances(1, n))[1][0] for n in (15, 60)
    ]
    assert spreads == pytest.approx([600 / np.sqrt(15), 600 / np.sqrt(60)], rel=0.1)


def test_who_plays_at_which_time_control_is_not_evidence() -> None:
    # Strong players prefer the short games here, and the readings are fooled by that.
    rng = np.random.default_rng(7)
    seconds = rng.choice([180.0, 300.0], size=20_000)
    ratings = rng.normal(np.where(seconds == 180, 1800, 1400), 250)
    readings = 1600 + 0.3 * (ratings - 1600) + rng.normal(0, 100, 20_000)
    given_ = replace(circumstances(20_000), thinking_seconds=seconds)
    likelihood = fit_likelihood(readings, ratings, given_)
    best = [
        RATINGS[likelihood.log_likelihoods(1600, circumstances(1, seconds=s)).argmax()]
        for s in (180.0, 300.0)
    ]
    assert best == pytest.approx([1600, 1600], abs=60)


def test_an_unknown_time_control_is_taken_for_the_usual_one() -> None:
    readings, ratings = shrunken_readings(2_000)
    likelihood = fit_likelihood(readings, ratings, circumstances(len(ratings)))
    unknown = likelihood.log_likelihoods(1500, circumstances(1, seconds=thinking_seconds(None)))
    assert unknown == pytest.approx(likelihood.log_likelihoods(1500, circumstances(1)))


def test_the_time_for_a_game_counts_forty_increments() -> None:
    assert thinking_seconds(Clock(initial_seconds=180, increment_seconds=2)) == 260


def test_shallow_evaluations_are_allowed_for() -> None:
    # The same games read 60 points lower, 20 more at 2000, and a little less surely.
    deep, ratings = shrunken_readings()
    z = (ratings - 1600) / 400
    noise = np.random.default_rng(9).normal(0, 40, len(deep))
    effect = fit_depth_effect(deep, deep - 60 - 20 * z + noise, z)
    assert (effect.level, effect.slope) == pytest.approx((-60, -20), abs=2)
    assert effect.log_spread == pytest.approx(np.log(np.hypot(100, 40) / 100), abs=0.02)
    likelihood = fit(deep, ratings, circumstances(len(ratings)), depth=effect)
    for rating, reading in ((1600, 1550 - 60), (2000, 1750 - 80)):
        given_ = circumstances(1, shallow=1.0)
        most_likely = RATINGS[likelihood.log_likelihoods(reading, given_).argmax()]
        assert most_likely == pytest.approx(rating, abs=40)


def test_few_games_with_both_kinds_of_evaluations_say_nothing() -> None:
    some = np.arange(29.0)
    assert fit_depth_effect(some, some - 500, some) == DepthEffect()


def test_shallowness_falls_with_the_logarithm_of_the_nodes() -> None:
    nodes = np.array([1000, SHALLOW_NODES, 100_000, DEEP_NODES, 10 * DEEP_NODES])
    assert shallowness(nodes) == pytest.approx([1, 1, 0.5, 0, 0])


@given(st.floats(0.01, 0.99), st.floats(600, 2800), st.floats(50, 400))
def test_a_quantile_has_that_much_of_a_normal_distribution_below_it(
    level: float, mean: float, spread: float
) -> None:
    probabilities = normalised(-0.5 * ((RATINGS - mean) / spread) ** 2)
    value = quantile(probabilities, level)
    assert probabilities[value - 10 > RATINGS].sum() <= level + 0.08
    assert probabilities[value + 10 >= RATINGS].sum() >= level - 0.08
    assert quantile(probabilities, level / 2) <= value


def test_a_prior_is_the_smoothed_histogram_and_rules_nothing_out() -> None:
    ratings = np.random.default_rng(8).normal(1500, 200, size=50_000)
    probabilities = np.exp(log_prior(ratings))
    assert probabilities.sum() == pytest.approx(1)
    assert quantile(probabilities, 0.5) == pytest.approx(1500, abs=20)
    assert probabilities.min() >= 0.02 / len(RATINGS) * 0.99
