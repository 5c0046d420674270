"""How surprising a difference is: known answers, and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.differences.estimate import discoveries, ratio, signs_p, two_sided_p
from pipeline.differences.resampling import resampled


@pytest.mark.parametrize(
    ("t", "degrees", "p"),
    # Critical values of Student's t from any printed table.
    [(3.182, 3, 0.05), (4.032, 5, 0.01), (2.228, 10, 0.05), (2.845, 20, 0.01), (3.551, 50, 0.001)],
)
def test_student_s_t_agrees_with_the_printed_table(t: float, degrees: int, p: float) -> None:
    assert two_sided_p(t, degrees) == pytest.approx(p, abs=0.002)


def test_nothing_is_surprising_without_two_games() -> None:
    assert two_sided_p(100.0, 0) == 1.0
    assert signs_p([]) == 1.0
    assert signs_p([0.0, 0.001]) == 1.0


def test_equal_losses_are_as_surprising_as_so_many_tosses_of_a_coin() -> None:
    assert signs_p([-0.9] * 12) == pytest.approx(2 / 2**12)
    # 0, 1 or at least 9 heads of 10: 22 of 1,024.
    assert signs_p([-0.5] * 9 + [0.5]) == pytest.approx(22 / 1024)


@given(st.lists(st.floats(min_value=-1, max_value=1), min_size=1, max_size=40))
def test_flipped_signs_are_a_probability_that_does_not_know_left_from_right(
    points: list[float],
) -> None:
    p = signs_p(points)
    assert 0 < p <= 1
    assert signs_p([-point for point in points]) == pytest.approx(p)


def test_many_games_are_as_surprising_counted_exactly_or_by_the_normal_curve() -> None:
    rng = np.random.default_rng(1)
    points = rng.uniform(-0.9, 0.9, size=199) - 0.08
    assert signs_p([*points]) == pytest.approx(signs_p([*points, 0.01, -0.01]), rel=0.1)


def test_the_example_of_benjamini_and_hochberg_finds_four() -> None:
    # Their paper, section 4.2: fifteen comparisons, of which four stand out at 0.05.
    p_values = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0000,
    ]  # fmt: skip
    assert discoveries(p_values, 0.05) == (True,) * 4 + (False,) * 11
    assert discoveries([], 0.05) == ()


@given(st.lists(st.floats(min_value=0, max_value=1), min_size=1, max_size=30))
def test_whatever_stands_out_is_less_likely_than_whatever_does_not(p_values: list[float]) -> None:
    found = discoveries(p_values, 0.05)
    named = [p for p, stands in zip(p_values, found, strict=True) if stands]
    others = [p for p, stands in zip(p_values, found, strict=True) if not stands]
    assert not named or not others or max(named) < min(others)
    assert all(p <= 0.05 for p in named)
    assert all(p > 0.05 / len(p_values) for p in others)


def test_the_error_of_a_mean_is_that_of_the_textbook() -> None:
    values = np.array([0.2, 0.5, 0.1, 0.9, 0.4])
    mean = ratio(values, np.ones(5))
    assert mean.value == pytest.approx(values.mean())
    assert mean.standard_error == pytest.approx(values.std(ddof=1) / np.sqrt(5))


def test_a_ratio_over_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="divide"):
        ratio(np.ones(3), np.zeros(3))
    with pytest.raises(ValueError, match="divide"):
        resampled([np.ones(3)], [np.zeros(3)], coverage=0.8, seed=0)


def test_an_interval_of_eighty_percent_holds_the_truth_in_about_eighty_percent() -> None:
    rng = np.random.default_rng(5)
    held = 0
    for seed in range(150):
        moves = rng.integers(10, 40, size=60).astype(float)
        lost = moves * rng.gamma(2.0, 1.5, size=60)  # 3 a move
        (measured,) = resampled([lost], [moves], coverage=0.8, seed=seed)
        held += measured.low <= 3.0 <= measured.high
    assert 0.70 <= held / 150 <= 0.90


def test_the_same_seed_draws_the_same_games() -> None:
    numbers = np.random.default_rng(2).random(50)
    first, again, other = (
        resampled([numbers], [np.ones(50)], coverage=0.8, seed=seed) for seed in (7, 7, 8)
    )
    assert first == again
    assert first != other
    assert first[0].low <= first[0].value <= first[0].high
