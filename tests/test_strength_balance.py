"""How much evidence and population weigh: ranges must hold at every level, not only overall."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.strength.balance import Balance, Unseen, fit_balance, places
from pipeline.strength.grid import RATINGS, normalised, share_below
from pipeline.strength.prior import log_prior

EVEN = np.zeros(len(RATINGS))
NARROW, WIDE = 40.0, 350.0
"""How far readings scatter around the rating, in points."""


def unseen(ratings: np.ndarray, scatter: float, *, stated: float | None = None) -> Unseen:
    """Readings that scatter so, by a likelihood that states another scatter, or the right one."""
    readings = ratings + np.random.default_rng(7).normal(0, scatter, len(ratings))
    z = (readings[:, None] - RATINGS[None, :]) / (stated or scatter)
    return Unseen(log_likelihoods=-0.5 * z**2, ratings=ratings)


def population(count: int = 3000) -> np.ndarray:
    return np.random.default_rng(3).normal(1500, 350, count)


def coverage(found: Unseen, balance: Balance, prior: np.ndarray, chosen: np.ndarray) -> float:
    log_weights = balance.prior_weight * prior + balance.evidence_weight * found.log_likelihoods
    place = places(log_weights, found.ratings)[chosen]
    return float(((place >= 0.1) & (place <= 0.9)).mean())


def test_evidence_that_tells_much_leaves_the_prior_its_full_weight() -> None:
    ratings = population()
    found = fit_balance(unseen(ratings, NARROW), log_prior(ratings), coverage=0.8)
    assert found.prior_weight == 1.0
    assert found.evidence_weight == pytest.approx(1.0, abs=0.11)


def test_where_the_prior_would_draw_the_strongest_to_the_middle_it_counts_less() -> None:
    ratings, prior = population(), log_prior(population())
    found = unseen(ratings, WIDE)
    balance = fit_balance(found, prior, coverage=0.8)
    assert balance.prior_weight < 1.0
    strong = ratings > 2000
    assert coverage(found, balance, prior, strong) > coverage(found, Balance(), prior, strong)
    everybody = np.ones(len(ratings), dtype=bool)
    assert coverage(found, balance, prior, everybody) == pytest.approx(0.8, abs=0.02)


@pytest.mark.parametrize(("stated", "way"), [(150.0, -1), (300.0, 1)])
def test_evidence_counts_less_where_it_claims_too_much_and_more_where_too_little(
    stated: float, way: int
) -> None:
    ratings = np.random.default_rng(5).uniform(1000, 2400, 3000)
    found = unseen(ratings, 200.0, stated=stated)
    balance = fit_balance(found, log_prior(ratings), coverage=0.8)
    assert way * (balance.evidence_weight - 1) > 0
    everybody = np.ones(len(ratings), dtype=bool)
    held = coverage(found, balance, log_prior(ratings), everybody)
    assert abs(held - 0.8) < abs(coverage(found, Balance(), log_prior(ratings), everybody) - 0.8)


@pytest.mark.parametrize("few", [20, 55])
def test_a_band_with_few_games_or_a_fiftieth_of_them_decides_nothing(few: int) -> None:
    ratings = np.concatenate([population(), np.full(few, 2900.0)])
    found = unseen(ratings, NARROW)
    # Nothing holds for these few: they are read a thousand points too low.
    found.log_likelihoods[-few:] = -0.5 * ((1900 - RATINGS) / NARROW) ** 2
    prior = log_prior(ratings)
    with_them, without = (
        fit_balance(part, prior, coverage=0.8) for part in (found, unseen(population(), NARROW))
    )
    assert with_them.prior_weight == without.prior_weight == 1.0


@given(
    rating=st.floats(350, 3250),
    centre=st.floats(400, 3200),
    spread=st.floats(15, 900),
)
def test_a_place_is_the_share_of_the_probability_below(
    rating: float, centre: float, spread: float
) -> None:
    log_weights = -0.5 * ((RATINGS - centre) / spread) ** 2
    found = places(log_weights[np.newaxis], np.array([rating]))
    assert found[0] == pytest.approx(share_below(normalised(log_weights), rating), abs=1e-9)


def test_without_a_reason_to_do_otherwise_both_count_fully() -> None:
    assert Balance() == Balance(prior_weight=1.0, evidence_weight=1.0)
