"""The forest in numpy against the library that grew it."""

import numpy as np
import pytest
from simulated_players import grow_steps

from pipeline.strength.boosting import forest_from_dump, grow_forest
from pipeline.strength.forest import Forest


def made_up_rows(gaps: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(3000, 6))
    ratings = 1500 + 200 * rows[:, 0] - 150 * np.abs(rows[:, 1]) + rng.normal(0, 50, size=3000)
    rows[:, 1:4][rng.random((3000, 3)) < gaps] = np.nan
    return rows, ratings


@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_numpy_reads_the_forest_as_lightgbm_does(gaps: float) -> None:
    pytest.importorskip("lightgbm")
    rows, ratings = made_up_rows(gaps)
    unseen, _ = made_up_rows(0.5)
    grown = grow_forest(rows, ratings, reference_rows=unseen, seed=1)
    assert grown.forest.predict(unseen) == pytest.approx(grown.reference_readings, abs=1e-6)
    assert np.std(grown.reference_readings) > 100


def test_the_same_seed_grows_the_same_forest() -> None:
    pytest.importorskip("lightgbm")
    rows, ratings = made_up_rows(0.1)
    one, other = (
        grow_forest(rows, ratings, reference_rows=rows[:5], seed=4).forest for _ in range(2)
    )
    for name, array in one.arrays().items():
        np.testing.assert_array_equal(array, other.arrays()[name])


def test_a_gap_goes_where_the_node_sends_it() -> None:
    leaves = ({"leaf_value": -1.0}, {"leaf_value": 1.0})
    split = {"split_feature": 0, "threshold": 5.0, "default_left": False, "missing_type": "NaN"}
    tree = {**split, "left_child": leaves[0], "right_child": leaves[1]}
    forest = forest_from_dump({"tree_info": [{"tree_structure": tree}]}, base=10.0)
    assert forest.predict(np.array([[5.0], [5.1], [np.nan]])).tolist() == [9.0, 11.0, 11.0]


def test_a_tree_that_found_nothing_to_split_adds_its_one_leaf() -> None:
    dump = {"tree_info": [{"tree_structure": {"leaf_value": 3.0}}]}
    forest = forest_from_dump(dump, base=1500.0)
    assert forest.predict(np.zeros((2, 4))).tolist() == [1503.0, 1503.0]


def test_arrays_that_make_no_forest_are_refused() -> None:
    rng = np.random.default_rng(1)
    ratings = rng.uniform(1000, 2000, size=500)
    grown = grow_steps(ratings[:, None], ratings, reference_rows=ratings[:5, None], seed=1)
    arrays = grown.forest.arrays()
    with pytest.raises(ValueError, match="nowhere"):
        Forest.from_arrays({**arrays, "left": arrays["left"] + 1000})
    with pytest.raises(ValueError, match="length"):
        Forest.from_arrays({**arrays, "value": arrays["value"][:-1]})
