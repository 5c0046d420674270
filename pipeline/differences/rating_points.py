"""What points won or lost are worth in performance rating."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from config.language import english
from pipeline.differences.account import Account
from pipeline.differences.thresholds import LARGEST_RATING_SHIFT
from pipeline.records import Measured, NoEstimate

_ELO = 400 / log(10)


def rating_points(points: Measured, counted: Sequence[Account]) -> Measured | NoEstimate:
    """By how much the performance rating over `counted` games would be other without `points`.

    The slope of the expected score in the rating: points / (sum of E (1 - E) ln 10 / 400), with
    E the expected score of each game. It is a straight line in place of a curve, and so it
    is not given where the shift is large.
    """
    steepness = sum(e * (1 - e) for a in counted if (e := a.expected_score) is not None) / _ELO
    if steepness == 0 or abs(points.value) / steepness > LARGEST_RATING_SHIFT:
        return NoEstimate(reason=english("too much to be expressed in rating points"))
    return Measured(
        value=points.value / steepness,
        low=points.low / steepness,
        high=points.high / steepness,
    )
