"""Growing a forest: the only file that imports LightGBM, and only when it is asked to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from config.errors import ModelError
from config.language import _
from pipeline.strength.forest import Forest, Rows
from pipeline.strength.own_moves import Column

_PARAMETERS = {
    "objective": "regression",
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 20.0,
    "max_bin": 127,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How large a forest gets: `rounds` trees with up to `leaves`, none with less than
    `games_a_leaf`, each looking at a `feature_share` of the columns and correcting what the
    others left by `step`.
    """

    rounds: int
    leaves: int
    games_a_leaf: int
    feature_share: float
    step: float


MANY = Growth(rounds=500, leaves=31, games_a_leaf=60, feature_share=0.3, step=0.05)
"""For ten thousands of games."""
FEW = Growth(rounds=150, leaves=8, games_a_leaf=30, feature_share=0.4, step=0.04)
"""For thousands. Both were chosen by cross-validation over training and calibration players;
see the model card."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grown:
    """A forest, what LightGBM itself predicts for the reference rows, and its version."""

    forest: Forest
    reference_readings: Column
    made_with: str


class Grow(Protocol):
    """A way of growing a forest: that it may be another is what the tests live on."""

    def __call__(
        self,
        rows: Rows,
        ratings: Column,
        *,
        reference_rows: Rows,
        seed: int,
        growth: Growth = MANY,
    ) -> Grown:
        """Like `grow_forest`."""
        ...


def grow_forest(
    rows: Rows, ratings: Column, *, reference_rows: Rows, seed: int, growth: Growth = MANY
) -> Grown:
    """Least-squares boosting of `ratings` on `rows`; the same input gives the same forest."""
    lightgbm = _lightgbm()
    # The trees grow around the middle, so that each one's numbers stay small.
    middle = float(np.median(ratings))
    data = lightgbm.Dataset(rows, ratings - middle)
    parameters = {**_PARAMETERS, **_parameters(growth), "seed": seed}
    booster = lightgbm.train(parameters, data, num_boost_round=growth.rounds)
    readings = np.asarray(booster.predict(reference_rows), dtype=np.float64) + middle
    forest = forest_from_dump(booster.dump_model(), base=middle)
    version = f"LightGBM {lightgbm.__version__}"
    return Grown(forest=forest, reference_readings=readings, made_with=version)


def _parameters(growth: Growth) -> dict[str, float]:
    return {
        "learning_rate": growth.step,
        "num_leaves": growth.leaves,
        "min_data_in_leaf": growth.games_a_leaf,
        "feature_fraction": growth.feature_share,
    }


def forest_from_dump(dump: Mapping[str, Any], *, base: float) -> Forest:
    """The arrays of LightGBM's `Booster.dump_model()`; `base` is added to every prediction."""
    nodes: list[_Node] = [_Node(value=base)]
    roots = [0, *(_add(tree["tree_structure"], nodes) for tree in dump["tree_info"])]
    depth = max(_depth(tree["tree_structure"]) for tree in dump["tree_info"])
    return Forest(
        roots=np.array(roots, dtype=np.int32),
        feature=np.array([node.feature for node in nodes], dtype=np.int16),
        threshold=np.array([node.threshold for node in nodes]),
        nan_left=np.array([node.nan_left for node in nodes]),
        left=np.array([node.left for node in nodes], dtype=np.int32),
        right=np.array([node.right for node in nodes], dtype=np.int32),
        value=np.array([node.value for node in nodes]),
        depth=np.array(depth, dtype=np.int32),
    )


class _Node:
    """One node while the arrays are being put together; a leaf until it gets branches."""

    def __init__(self, value: float = 0.0) -> None:
        self.feature, self.threshold, self.nan_left = 0, 0.0, True
        self.left, self.right, self.value = 0, 0, value


def _add(structure: Mapping[str, Any], nodes: list[_Node]) -> int:
    """Append a subtree; returns where it begins."""
    node, index = _Node(), len(nodes)
    nodes.append(node)
    node.left = node.right = index
    if "split_feature" not in structure:
        node.value = structure["leaf_value"]
        return index
    node.feature, node.threshold = structure["split_feature"], structure["threshold"]
    node.nan_left = _nan_left(structure)
    node.left = _add(structure["left_child"], nodes)
    node.right = _add(structure["right_child"], nodes)
    return index


def _nan_left(structure: Mapping[str, Any]) -> bool:
    """LightGBM takes NaN for 0 at a node that saw none while it was grown."""
    if structure["missing_type"] == "NaN":
        return bool(structure["default_left"])
    return bool(structure["threshold"] >= 0.0)


def _depth(structure: Mapping[str, Any]) -> int:
    return 1 + max(map(_depth, _children(structure)), default=-1)


def _children(structure: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "split_feature" in structure:
        yield structure["left_child"]
        yield structure["right_child"]


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError as error:
        raise ModelError(
            _(
                "Fitting the model needs LightGBM, which using it does not; install movelo "
                "with the extra 'train' (pip install '.[train]')."
            )
        ) from error
    except OSError as error:
        raise ModelError(
            _(
                "LightGBM cannot be loaded ({error}); install OpenMP (Debian: apt install "
                "libgomp1, macOS: brew install libomp)."
            ).format(error=error)
        ) from error
    return lightgbm
