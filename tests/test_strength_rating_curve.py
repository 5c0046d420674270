"""The curve through the few ratings at which the human-move model is asked."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.human_likelihoods import RATINGS
from pipeline.strength.rating_curve import curve_weights

known_ratings = st.sampled_from(range(len(RATINGS)))
ratings = st.floats(RATINGS[0], RATINGS[-1])


@given(known_ratings, st.lists(st.floats(-20, 0), min_size=5, max_size=5))
@settings(max_examples=50, deadline=None)
def test_the_curve_goes_through_every_known_value(index: int, values: list[float]) -> None:
    (found,) = curve_weights([RATINGS[index]]) @ values
    assert found == pytest.approx(values[index], abs=1e-9)


@given(ratings, st.lists(st.floats(-2, 2), min_size=5, max_size=5))
@settings(max_examples=50, deadline=None)
def test_what_is_a_polynomial_of_the_rating_is_met_in_between_too(
    rating: float, coefficients: list[float]
) -> None:
    values = np.polyval(coefficients, (np.array(RATINGS) - 1000) / 1000)
    (found,) = curve_weights([rating]) @ values
    assert found == pytest.approx(np.polyval(coefficients, (rating - 1000) / 1000), abs=1e-8)


@given(ratings)
@settings(max_examples=50, deadline=None)
def test_what_is_the_same_at_every_rating_stays_so(rating: float) -> None:
    assert curve_weights([rating]).sum() == pytest.approx(1)
