"""A boosted forest as plain arrays: what a game's features add up to, with numpy alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.strength.own_moves import Column

Rows = Column
"""Shape (player-games, features)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Forest:
    """All trees' nodes in one row; `roots` says where each tree begins.

    A row goes to `left` where its `feature` is at most `threshold`, else to `right`; NaN goes
    left where `nan_left`. A leaf leads to itself. The prediction is the sum of the `value` of
    the leaves that a row ends in; after `depth` steps every row is in one.
    """

    roots: npt.NDArray[np.int32]
    feature: npt.NDArray[np.int16]
    threshold: npt.NDArray[np.float64]
    nan_left: npt.NDArray[np.bool_]
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    value: npt.NDArray[np.float64]
    depth: npt.NDArray[np.int32]

    def predict(self, rows: Rows) -> Column:
        """One number a row."""
        if len(rows) == 1:
            return np.array([self._predict_one(rows[0])])
        row = np.arange(len(rows))[:, None]
        node = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        for _ in range(int(self.depth)):
            value = rows[row, self.feature[node]]
            goes_left = (value <= self.threshold[node]) | (np.isnan(value) & self.nan_left[node])
            node = np.where(goes_left, self.left[node], self.right[node])
        return np.asarray(self.value[node].sum(axis=1), dtype=np.float64)

    def _predict_one(self, row: Column) -> float:
        """The same of a single row, as of a single game, in two thirds of the time."""
        node = self.roots
        is_missing = np.isnan(row)
        for _ in range(int(self.depth)):
            feature = self.feature.take(node)
            goes_left = row.take(feature) <= self.threshold.take(node)
            goes_left |= is_missing.take(feature) & self.nan_left.take(node)
            node = np.where(goes_left, self.left.take(node), self.right.take(node))
        return float(self.value.take(node).sum())

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What `from_arrays` takes."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Forest:
        """KeyError when one is missing; ValueError when they do not make a forest."""
        forest = cls(**{field.name: arrays[field.name] for field in fields(cls)})
        forest._check()
        return forest

    def _check(self) -> None:
        nodes = len(self.value)
        columns = (self.feature, self.threshold, self.nan_left, self.left, self.right)
        if any(len(column) != nodes for column in columns):
            raise ValueError("the columns of the forest differ in length")
        for column in (self.roots, self.left, self.right):
            if column.min(initial=0) < 0 or column.max(initial=0) >= nodes:
                raise ValueError("a branch of the forest leads nowhere")
