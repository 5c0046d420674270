"""The walk and the smoother: exact where the answer is known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.trends.smoother import cubic_weights, smooth
from pipeline.trends.walk import WANDERINGS, Walk, Wanderings, log_prior

RATINGS = np.arange(400.0, 3201.0, 20.0)
CELLS, STEP_POINTS = 141, 20.0


def one_way(points: float, jumps: float = 0.0) -> Wanderings:
    return Wanderings(points=np.array([points]), jumps=np.array([jumps]))


def at_the_middle() -> np.ndarray:
    start = np.zeros((1, CELLS))
    start[0, CELLS // 2] = 1.0
    return start


@given(points=st.floats(1, 300), years=st.floats(0.001, 1))
def test_the_walk_grows_by_its_variance_however_short_it_is(points: float, years: float) -> None:
    spread = Walk(CELLS, STEP_POINTS, one_way(points)).spread(at_the_middle(), years)[0]
    mean = spread @ RATINGS
    assert mean == pytest.approx(1800, abs=0.1)
    assert spread @ (RATINGS - mean) ** 2 == pytest.approx(points**2 * years, rel=1e-4, abs=0.01)


@given(points=st.floats(1, 300), jumps=st.floats(0, 3), first=st.floats(0.01, 1))
def test_a_time_cut_in_two_gives_the_same_as_in_one(
    points: float, jumps: float, first: float
) -> None:
    walk = Walk(CELLS, STEP_POINTS, one_way(points, jumps))
    whole = walk.spread(at_the_middle(), 1.5)
    in_two = walk.spread(walk.spread(at_the_middle(), first), 1.5 - first)
    assert in_two == pytest.approx(whole, abs=1e-12)
    assert whole.sum() == pytest.approx(1)


def test_a_jump_is_rare_and_wide() -> None:
    spread = Walk(CELLS, STEP_POINTS, one_way(0, jumps=2)).spread(at_the_middle(), 0.1)[0]
    assert spread[CELLS // 2] > np.exp(-0.2)
    assert spread @ (RATINGS - 1800) ** 2 == pytest.approx(0.2 * 200**2, rel=1e-3)


def test_the_prior_over_the_ways_is_one_and_likes_no_wandering_best() -> None:
    prior = np.exp(log_prior())
    assert prior.sum() == pytest.approx(1)
    steady = WANDERINGS.jumps == 0
    densities = prior[steady][1:-1] / WANDERINGS.points[steady][1:-1]
    assert (np.diff(densities) < 0).all()


def likelihoods(readings: np.ndarray, spread: float) -> np.ndarray:
    return np.asarray(-0.5 * ((readings[:, None] - RATINGS) / spread) ** 2)


def ranges(readings: np.ndarray, gaps: np.ndarray, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of each step."""
    found = smooth(RATINGS, likelihoods(readings, spread), gaps)
    centres = (found.edges[:-1] + found.edges[1:]) / 2
    means = found.probabilities @ centres
    return means, np.sqrt((found.probabilities * (centres - means[:, None]) ** 2).sum(axis=1))


def test_steps_within_hours_are_pooled_as_if_at_once() -> None:
    readings = np.random.default_rng(3).normal(1612, 150, size=40)
    means, deviations = ranges(readings, np.full(39, 1e-5), 150)
    assert means == pytest.approx(readings.mean(), abs=1)
    assert deviations == pytest.approx(150 / np.sqrt(40), rel=0.05)


def test_it_is_the_same_backwards_in_time() -> None:
    rng = np.random.default_rng(4)
    readings, gaps = rng.normal(1500, 150, size=30), rng.uniform(0.001, 0.1, size=29)
    means, deviations = ranges(readings, gaps, 150)
    back_means, back_deviations = ranges(readings[::-1], gaps[::-1], 150)
    assert back_means[::-1] == pytest.approx(means, abs=0.01)
    assert back_deviations[::-1] == pytest.approx(deviations, abs=0.01)


def test_a_steady_player_gets_a_nearly_flat_line_and_a_riser_is_followed() -> None:
    rng = np.random.default_rng(5)
    noise, gaps = rng.normal(0, 150, size=150), np.full(149, 1 / 150)
    steady, _ = ranges(1600 + noise, gaps, 150)
    assert np.ptp(steady) < 80
    rising, _ = ranges(1400 + 500 * np.arange(150) / 149 + noise, gaps, 150)
    assert rising[0] < 1500 < 1800 < rising[-1]


def test_a_gap_widens_the_band_in_its_middle() -> None:
    rng = np.random.default_rng(6)
    truth = 1600 + np.cumsum(rng.normal(0, 25, size=80))
    log_likelihoods = likelihoods(truth + rng.normal(0, 100, size=80), 100)
    log_likelihoods[40] = 0.0
    gaps = np.full(79, 1 / 80)
    gaps[39:41] = 0.5
    found = smooth(RATINGS, log_likelihoods, gaps)
    centres = (found.edges[:-1] + found.edges[1:]) / 2
    means = found.probabilities @ centres
    deviations = np.sqrt((found.probabilities * (centres - means[:, None]) ** 2).sum(axis=1))
    assert deviations[40] > 1.5 * deviations[20]
    assert deviations[40] > 1.5 * deviations[60]


def test_thousands_of_readings_are_told_apart_more_finely_than_the_ratings() -> None:
    readings = np.full(200, 1607.3)
    means, deviations = ranges(readings, np.full(199, 1e-8), 60)
    assert means == pytest.approx(1607.3, abs=0.5)
    assert deviations == pytest.approx(60 / np.sqrt(200), rel=0.05)


def test_readings_that_cannot_be_reconciled_still_give_an_answer() -> None:
    readings = np.array([500.0, 3100.0, 500.0, 3100.0])
    means, _ = ranges(readings, np.full(3, 1e-6), 5)
    assert np.isfinite(means).all()
    assert ((means >= 400) & (means <= 3200)).all()


@given(st.floats(400, 3200), st.floats(-2, 2), st.floats(-1e-3, 1e-3))
def test_cubic_weights_are_exact_for_parabolas_and_go_on_straight(
    wanted: float, slope: float, curve: float
) -> None:
    weights = cubic_weights(RATINGS, np.array([wanted]))[:, 0]
    assert weights.sum() == pytest.approx(1)
    inner = 420 <= wanted <= 3180

    def value(rating: np.ndarray | float) -> np.ndarray | float:
        return slope * (rating - 1800) + (curve if inner else 0.0) * (rating - 1800) ** 2

    assert weights @ value(RATINGS) == pytest.approx(value(wanted), abs=1e-6)
