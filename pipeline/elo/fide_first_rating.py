"""A player's first FIDE rating (B.02, chapters 7.1 and 8.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from config.language import english
from pipeline.elo.fide_performance import check_total, percent_of, rounded_half_up
from pipeline.elo.fide_rules import FideRules
from pipeline.elo.fide_tables import rating_difference
from pipeline.records import NoEstimate

FEWEST_GAMES = 5
HIGHEST_FIRST_RATING = 2200
_HYPOTHETICAL_OPPONENTS = (1800, 1800)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstRating:
    """A first rating Ru = Ra + difference, and what it was made of.

    `average_opponent_rating` is Ra, the two hypothetical opponents of 1800 included where the
    rules have them; `capped` says whether the rules' maximum of 2200 took something away.
    """

    rating: int
    average_opponent_rating: float
    difference: int
    capped: bool


def first_rating(
    opponents: Sequence[float], score: float, rules: FideRules
) -> FirstRating | NoEstimate:
    """The first rating from `score` points against rated `opponents`, or why there is none.

    From 1 March 2024: two draws against 1800 are added, Ru = Ra + dp of table 8.1.1, at most
    2200 (8.2.2, 8.2.3). Before: Ra + 20 for each half point above 50 %, Ra + dp under it. p is
    rounded to two decimals, 0.005 up. There is none with fewer than 5 games (they are pooled
    over at most 26 months), a score of zero (in the first event it is disregarded, 8.2.1), or
    under the floor. In rapid and blitz a player with a standard rating starts from that one
    instead. InputError for impossible numbers.
    """
    ratings, points = check_total(opponents, score)
    if len(ratings) < FEWEST_GAMES:
        return NoEstimate(
            reason=english(
                "a first rating needs {fewest_games} games against rated opponents, and "
                "there are {number}"
            ).format(fewest_games=FEWEST_GAMES, number=len(ratings))
        )
    if points == 0:
        return NoEstimate(reason=english("a score of zero in the first event is disregarded"))
    found = _with_two_draws(ratings, points) if rules.first_rating_from_two_draws else None
    found = found or _until_february_2024(ratings, points)
    if found.rating < rules.rating_floor:
        return NoEstimate(
            reason=english("{rating} is under {rating_floor}, the lowest published rating").format(
                rating=found.rating, rating_floor=rules.rating_floor
            )
        )
    return found


def _with_two_draws(ratings: Sequence[int], points: Fraction) -> FirstRating:
    pool = (*ratings, *_HYPOTHETICAL_OPPONENTS)
    average = Fraction(sum(pool), len(pool))
    drawn = Fraction(len(_HYPOTHETICAL_OPPONENTS), 2)
    difference = rating_difference(percent_of(points + drawn, len(pool)))
    uncapped = rounded_half_up(average + difference)
    return FirstRating(
        rating=min(HIGHEST_FIRST_RATING, uncapped),
        average_opponent_rating=float(average),
        difference=difference,
        capped=uncapped > HIGHEST_FIRST_RATING,
    )


def _until_february_2024(ratings: Sequence[int], points: Fraction) -> FirstRating:
    average = Fraction(sum(ratings), len(ratings))
    half_points_above = int(2 * points) - len(ratings)
    difference = (
        20 * half_points_above
        if half_points_above >= 0
        else rating_difference(percent_of(points, len(ratings)))
    )
    return FirstRating(
        rating=rounded_half_up(average + difference),
        average_opponent_rating=float(average),
        difference=difference,
        capped=False,
    )
