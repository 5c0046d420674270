"""Many games of one player: narrower, but never certain, and in any order."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import Evidence
from pipeline.strength.aggregate import pooled_posterior, tempering
from pipeline.strength.grid import RATINGS, quantile
from pipeline.strength.prior import log_prior

PRIOR = log_prior(np.random.default_rng(1).normal(1500, 350, size=10_000))
EVEN = np.zeros(len(RATINGS))


def evidence(rating: float, spread: float = 300) -> Evidence:
    log_likelihoods = -0.5 * ((RATINGS - rating) / spread) ** 2
    return Evidence(
        game_id="g",
        color="white",
        scale="lichess_rapid",
        moves=30,
        log_likelihoods=tuple(log_likelihoods.tolist()),
    )


def width(posterior: np.ndarray) -> float:
    return quantile(posterior, 0.9) - quantile(posterior, 0.1)


@given(st.lists(st.floats(800, 2400), min_size=2, max_size=20), st.randoms())
def test_the_order_of_games_does_not_matter(ratings: list[float], rng: random.Random) -> None:
    shuffled = rng.sample(ratings, len(ratings))
    one, other = (
        pooled_posterior([evidence(r) for r in order], log_prior=PRIOR, shared_variance=0.1)
        for order in (ratings, shuffled)
    )
    assert one == pytest.approx(other)


@given(st.floats(1000, 2000), st.floats(0, 0.9), st.integers(1, 200))
def test_one_more_game_that_says_the_same_never_widens_the_range(
    rating: float, shared: float, games: int
) -> None:
    fewer, more = (
        pooled_posterior([evidence(rating)] * n, log_prior=EVEN, shared_variance=shared)
        for n in (games, games + 1)
    )
    assert width(more) <= width(fewer) + 1e-6


def test_the_range_stops_narrowing_at_what_all_games_share() -> None:
    many = pooled_posterior([evidence(1500)] * 100_000, log_prior=EVEN, shared_variance=0.1)
    least = 2 * 1.2816 * 300 * np.sqrt(0.1)
    assert width(many) == pytest.approx(least, rel=0.02)


def test_independent_games_narrow_the_range_by_the_square_root_of_their_number() -> None:
    one, nine = (
        pooled_posterior([evidence(1600)] * n, log_prior=EVEN, shared_variance=0) for n in (1, 9)
    )
    assert width(one) / width(nine) == pytest.approx(3, rel=0.02)


def test_the_prior_counts_once_however_many_games_there_are() -> None:
    # With no evidence in the games, their number must not sharpen the population.
    empty = [evidence(1500, spread=1e9)] * 50
    posterior = pooled_posterior(empty, log_prior=PRIOR, shared_variance=0.1)
    assert posterior == pytest.approx(np.exp(PRIOR), rel=1e-6)


def test_many_games_outweigh_the_population() -> None:
    few, many = (
        quantile(pooled_posterior([evidence(2300)] * n, log_prior=PRIOR, shared_variance=0.05), 0.5)
        for n in (1, 50)
    )
    assert few < many - 200
    assert many == pytest.approx(2300, abs=60)


def test_one_game_is_not_tempered() -> None:
    assert tempering(1, 0.3) == 1
