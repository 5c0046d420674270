"""Distributions of ratings in cells of ten points, a row each, and of their differences."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

CELL_POINTS = 10.0
EDGES: Floats = np.arange(0.0, 4001.0, CELL_POINTS)
CENTRES: Floats = np.arange(CELL_POINTS / 2, 4000.0, CELL_POINTS)
DIFFERENCE_EDGES: Floats = np.arange(0.5 - len(CENTRES), len(CENTRES)) * CELL_POINTS


def edges_around(centres: Floats) -> Floats:
    """Half a step below and above each of the evenly spaced centres: one more than there are."""
    half = (centres[1] - centres[0]) / 2
    return np.append(centres - half, centres[-1] + half)


def in_cells(edges: Floats, probabilities: Floats) -> Floats:
    """The same rows over the cells between `EDGES`; within an edge and the next all is even."""
    return np.array([_differences(edges, row, EDGES) for row in probabilities])


def weighed(cells: Floats, log_weights: Floats) -> Floats:
    """Each row times the weights of the cells, made probabilities again."""
    product = cells * np.exp(log_weights - log_weights.max())
    return np.asarray(product / product.sum(axis=-1, keepdims=True))


def shifted(cells: Floats, edges: Floats, probabilities: Floats) -> Floats:
    """Each row after adding something independent, spread over `probabilities`."""
    kernel = _differences(edges, probabilities, DIFFERENCE_EDGES)
    from_to = np.subtract.outer(np.arange(len(CENTRES)), np.arange(len(CENTRES)))
    return np.asarray(cells @ kernel[len(CENTRES) - 1 - from_to])


def difference(minuend: Floats, subtrahend: Floats) -> Floats:
    """Of two independent rows, over the cells between `DIFFERENCE_EDGES`."""
    return np.convolve(minuend, subtrahend[::-1])


def quantiles(edges: Floats, row: Floats, levels: Floats) -> Floats:
    """Where each share (0 to 1) of a row's probability lies below."""
    return np.interp(levels, np.concatenate(([0.0], np.cumsum(row))), edges)


def share_above(edges: Floats, row: Floats, value: float) -> float:
    """How much of a row's probability (0 to 1) lies above `value`."""
    return float(1 - np.interp(value, edges, np.concatenate(([0.0], np.cumsum(row)))))


def mean_and_variance(ratings: Floats, probabilities: Floats) -> tuple[float, float]:
    """Of probabilities at ratings."""
    mean = float(probabilities @ ratings)
    return mean, float(probabilities @ (ratings - mean) ** 2)


def _differences(edges: Floats, row: Floats, wanted: Floats) -> Floats:
    return np.diff(np.interp(wanted, edges, np.concatenate(([0.0], np.cumsum(row)))))
