"""The smoother that both views share: likelihoods step by step -> what all games say of each.

A forward and a backward pass over the ratings, exact for the walk; how far it wanders is not
chosen but weighed, by how well each way foretells the player's own games (its marginal
likelihood) and by the prior. No prior on strength is in it: every rating starts alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipeline.trends.densities import edges_around
from pipeline.trends.walk import WANDERINGS, Walk, Wanderings, log_prior

Floats = npt.NDArray[np.float64]

_MOST_CELLS = 160
_FINEST_POINTS = 2.5
# With these nobody's ratings are missed when the ratings are narrowed down.
_WIDE = Wanderings(points=np.array([100.0, 630.0]), jumps=np.zeros(2))
_OUT_OF_SIGHT = 1e-6
_PAD_POINTS = 40.0
_NEGLIGIBLE_WEIGHT = 0.003


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Smoothed:
    """A row a step: `probabilities` of the ratings from edge to edge, evenly spread in each.

    `walk_points` is the median of the standard deviations of a year's wandering.
    """

    edges: Floats
    probabilities: Floats
    walk_points: float


def smooth(ratings: Floats, log_likelihoods: Floats, gaps: Floats) -> Smoothed:
    """What all steps together say of each step.

    `log_likelihoods` has a row a step, zeros where nothing is known, and a column for each of
    the evenly spaced `ratings`; `gaps` are the years between steps. Where ratings can be told
    apart more finely than they are spaced, they are spaced more finely.
    """
    coarse = _passes(ratings, log_likelihoods, gaps, _WIDE, np.zeros(2))
    fine = _narrowed(ratings, coarse.probabilities.max(axis=0))
    refined = log_likelihoods @ cubic_weights(ratings, fine)
    return _passes(fine, refined, gaps, WANDERINGS, log_prior())


def cubic_weights(ratings: Floats, wanted: Floats) -> Floats:
    """A column for each of `wanted`: how to weigh values at `ratings` (Catmull and Rom, 1974)."""
    place = (wanted - ratings[0]) / (ratings[1] - ratings[0])
    left = np.clip(place.astype(np.int64), 0, len(ratings) - 2)
    t = place - left
    curves = (
        -0.5 * t + t**2 - 0.5 * t**3,
        1 - 2.5 * t**2 + 1.5 * t**3,
        0.5 * t + 2 * t**2 - 1.5 * t**3,
        -0.5 * t**2 + 0.5 * t**3,
    )
    padded = np.zeros((len(ratings) + 2, len(wanted)))
    for offset, curve in enumerate(curves):
        np.add.at(padded, (left + offset, np.arange(len(wanted))), curve)
    # Beyond either end the values go on in a straight line.
    weights = padded[1:-1]
    weights[0] += 2 * padded[0]
    weights[1] -= padded[0]
    weights[-1] += 2 * padded[-1]
    weights[-2] -= padded[-1]
    return weights


def _narrowed(ratings: Floats, seen: Floats) -> Floats:
    """Ratings where any step's strength may lie, as finely as there is room for."""
    within = ratings[seen > _OUT_OF_SIGHT * seen.max()]
    low = max(ratings[0], within[0] - _PAD_POINTS)
    high = min(ratings[-1], within[-1] + _PAD_POINTS)
    step = np.clip((high - low) / _MOST_CELLS, _FINEST_POINTS, ratings[1] - ratings[0])
    return np.linspace(low, high, int(np.ceil((high - low) / step)) + 1)


def _passes(
    ratings: Floats,
    log_likelihoods: Floats,
    gaps: Floats,
    ways: Wanderings,
    log_weights: Floats,
) -> Smoothed:
    step_points = float(ratings[1] - ratings[0])
    likelihoods = np.exp(log_likelihoods - log_likelihoods.max(axis=1, keepdims=True))
    filtered, log_evidence = _forward(Walk(len(ratings), step_points, ways), likelihoods, gaps)
    log_weights = log_weights + log_evidence
    weights = np.exp(log_weights - log_weights.max())
    weights /= weights.sum()
    kept = weights > _NEGLIGIBLE_WEIGHT
    walk = Walk(len(ratings), step_points, ways.those(kept))
    smoothed = _backward(walk, likelihoods, gaps, filtered[:, kept], weights[kept])
    return Smoothed(
        edges=edges_around(ratings),
        probabilities=smoothed,
        walk_points=_median(ways.yearly_points, weights),
    )


def _forward(
    walk: Walk, likelihoods: Floats, gaps: Floats
) -> tuple[npt.NDArray[np.float32], Floats]:
    """What is known at each step of it and the steps before, and how probable all of it was.

    The latter up to what is the same for every way.
    """
    steps, cells = likelihoods.shape
    # Half the memory: rounding at the seventh digit is far below what is shown.
    filtered = np.empty((steps, walk.ways, cells), dtype=np.float32)
    log_evidence = np.zeros(walk.ways)
    known = np.full((walk.ways, cells), 1 / cells)
    for step in range(steps):
        if step:
            known = walk.spread(known, gaps[step - 1])
        known = known * likelihoods[step]
        total = known.sum(axis=1)
        log_evidence += np.log(total)
        known /= total[:, None]
        filtered[step] = known
    return filtered, log_evidence


def _backward(
    walk: Walk,
    likelihoods: Floats,
    gaps: Floats,
    filtered: npt.NDArray[np.float32],
    weights: Floats,
) -> Floats:
    """With the later steps too, averaged over the ways."""
    smoothed = np.empty_like(likelihoods)
    later = np.ones((walk.ways, likelihoods.shape[1]))
    for step in reversed(range(len(likelihoods))):
        both = filtered[step] * later
        smoothed[step] = (weights / both.sum(axis=1)) @ both
        if step:
            later = later * likelihoods[step]
            later /= later.sum(axis=1, keepdims=True)
            later = walk.spread(later, gaps[step - 1])
    return np.asarray(smoothed / smoothed.sum(axis=1, keepdims=True))


def _median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    return float(values[order][np.searchsorted(np.cumsum(weights[order]), 0.5)])
