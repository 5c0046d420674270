"""The line through the forest's opinion and the human-move model's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.strength.boosting import grow_forest
from pipeline.strength.depth import DepthEffect
from pipeline.strength.human_features import HUMAN_FEATURE_NAMES
from pipeline.strength.human_reading import Line, fit_line, fit_weighing, unseen_readings

WIDTH = len(HUMAN_FEATURE_NAMES)


def made(seed: int, count: int = 2000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ratings, and two opinions of them with errors of 200 and 400 points of their own."""
    rng = np.random.default_rng(seed)
    ratings = rng.normal(1500, 350, count)
    rows = rng.normal(0, 1, (count, WIDTH))
    rows[:, 0] = ratings + rng.normal(0, 200, count)
    return ratings, ratings + rng.normal(0, 400, count), rows


def test_the_better_opinion_weighs_more_and_both_together_are_better_than_either() -> None:
    ratings, forest, rows = made(1)
    line = fit_line(forest, rows, ratings)
    assert line.weights[0] > 2 * line.forest_weight > 0
    fresh, forest, rows = made(2)
    error = np.abs(line.readings(forest, rows) - fresh).mean()
    assert error < 0.95 * np.abs(rows[:, 0] - fresh).mean()


def test_a_feature_that_is_always_the_same_does_no_harm() -> None:
    ratings, forest, rows = made(3)
    rows[:, 1] = 3.0
    line = fit_line(forest, rows, ratings)
    assert np.isfinite(line.readings(forest, rows)).all()
    assert line.weights[1] == 0


def test_line_and_forest_together_err_less_than_either_where_neither_fits_well() -> None:
    """Half of what there is to know is a straight line, the other half is not."""
    ratings, forest, rows = made(4, 4000)
    rows[:, 0] += 250 * np.sin(rows[:, 2] * 3) + 150 * rows[:, 3]
    old, new = slice(0, 3000), slice(3000, None)
    weighing = fit_weighing(forest[old], rows[old], ratings[old], grow=grow_forest, seed=1)
    with_forest = np.column_stack([forest, rows])[new]
    line = weighing.line.readings(forest[new], rows[new])
    grown = weighing.forest.predict(with_forest)
    both = weighing.readings(forest[new], rows[new])
    errors = [np.abs(reading - ratings[new]).mean() for reading in (both, line, grown)]
    assert errors[0] == min(errors)


def test_columns_that_the_line_does_not_know_are_not_looked_at() -> None:
    ratings, forest, rows = made(5)
    weighing = fit_weighing(forest, rows, ratings, grow=grow_forest, seed=1)
    wider = np.column_stack([rows, np.full(len(rows), np.nan)])
    assert np.array_equal(weighing.readings(forest, wider), weighing.readings(forest, rows))


@given(shift=st.floats(-500, 500))
def test_a_forest_that_reads_all_games_higher_moves_the_line_by_its_weight(shift: float) -> None:
    line = Line(intercept=100.0, forest_weight=0.3, weights=(0.5,) * WIDTH)
    row = np.arange(float(WIDTH))[np.newaxis]
    moved = line.readings(np.array([1500.0 + shift]), row)
    assert moved - line.readings(np.array([1500.0]), row) == pytest.approx(0.3 * shift, abs=1e-6)


def test_no_reading_is_by_a_line_that_has_seen_its_player() -> None:
    folds = np.arange(12) % 3
    found = unseen_readings(folds, lambda fitted_on: np.full(12, float(fitted_on.sum())))
    assert found.tolist() == [8.0] * 12
    seen = unseen_readings(folds, lambda fitted_on: np.where(fitted_on, np.nan, 1.0))
    assert seen.tolist() == [1.0] * 12


def test_an_effect_on_the_forest_is_carried_by_its_weight_and_widens_nothing() -> None:
    carried = DepthEffect(level=80.0, slope=-40.0, log_spread=0.14).carried(0.25)
    assert carried == DepthEffect(level=20.0, slope=-10.0)
