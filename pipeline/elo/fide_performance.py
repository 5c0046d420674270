"""FIDE's performance ratings: average opponent plus dp, and the perfect one of the tie-breaks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from math import floor, isfinite

from config.errors import InputError
from config.language import _
from pipeline.elo.fide_rules import fide_rating
from pipeline.elo.fide_tables import rating_difference, scoring_percent

_REACH = 800


def performance(opponents: Sequence[float], score: float) -> int:
    """Rp = Ra + dp: `score` points against `opponents`, through table 8.1.1 (1.4.9 for titles).

    Ra -800 at 0 %, Ra +800 at 100 %. p is rounded to whole percent, half up. Ra drops its
    fraction, as in scalachess's Elo.scala, whose values are the ones that could be checked; the
    Title Regulations (1.4.7 b) round it half up for norms, which may give one point more.
    InputError for an empty list and impossible numbers.
    """
    ratings, points = check_total(opponents, score)
    average = sum(ratings) // len(ratings)
    return average + rating_difference(percent_of(points, len(ratings)))


def perfect_performance(opponents: Sequence[float], score: float) -> int:
    """PTP: the lowest rating that would have been expected to score at least `score`.

    Expectations are full table 8.1.2, without the 400 points rule; the search goes from the
    weakest opponent -800 (the answer at zero) to the strongest +800 (all won: +736).
    Source: FIDE C.07, article 10.3. InputError as for `performance`.
    """
    ratings, points = check_total(opponents, score)
    candidates = range(min(ratings) - _REACH, max(ratings) + _REACH + 1)
    return candidates[
        bisect_left(
            candidates,
            int(points * 100),
            key=lambda rating: sum(scoring_percent(rating - other) for other in ratings),
        )
    ]


def check_total(opponents: Sequence[float], score: float) -> tuple[tuple[int, ...], Fraction]:
    """Ratings and points as exact numbers; InputError for an impossible rating or total."""
    if not opponents:
        raise InputError(_("There are no games: give at least one opponent's rating."))
    ratings = tuple(
        fide_rating(rating, whose=_("The rating of opponent {number}").format(number=number))
        for number, rating in enumerate(opponents, start=1)
    )
    if not (isfinite(score) and 0 <= score <= len(ratings) and 2 * score == int(2 * score)):
        raise InputError(
            _("The score must be whole and half points from 0 to {number}, not {score}.").format(
                number=len(ratings), score=f"{score:g}"
            )
        )
    return ratings, Fraction(score)


def percent_of(points: Fraction, games: int) -> int:
    """The score in whole percent, half a percent up."""
    return rounded_half_up(points * 100 / games)


def rounded_half_up(number: Fraction) -> int:
    """The nearest whole number, ½ upwards."""
    return floor(number + Fraction(1, 2))
