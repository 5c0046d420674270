"""Glicko (today Glicko-1): a rating with its deviation, the family of chess.com's ratings.

Source: Glickman, *The Glicko system* (glicko.net/glicko/glicko.pdf). Chess.com does not publish
its c, its rating period or its smallest deviation, so its ratings cannot be recomputed exactly:
c and periods are given by the caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log, pi, sqrt

from config.errors import InputError
from config.language import _, english, retold
from pipeline.elo.expected import expected_score
from pipeline.elo.played import check_score

LARGEST_DEVIATION = 350.0
"""Points: the deviation of a player about whom nothing is known."""

_Q = log(10) / 400
_LARGEST_RATING = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GlickoRating:
    """A rating and its deviation (RD, one standard deviation), both in points."""

    rating: float
    deviation: float


@dataclass(frozen=True, slots=True)
class GlickoGame:
    """A game's opponent (rating and deviation before the period) and the own score: 1, ½, 0."""

    opponent_rating: float
    opponent_deviation: float
    score: float


def update(
    rating: float,
    rd: float,
    opponents: Sequence[GlickoGame],
    *,
    c: float | None = None,
    periods: float = 0,
) -> GlickoRating:
    """Rating and deviation after one rating period, the deviation grown first if `periods` > 0.

    `c` is the growth in points per square root of a period (see `grown_deviation`), needed only
    with `periods`. Deviations are above 0. InputError for a period without games, which only
    grows the deviation, and for impossible numbers, naming the game by its place.
    """
    check_glicko_rating(rating)
    check_deviation(rd)
    check_glicko_games(opponents)
    deviation = rd if periods == 0 else grown_deviation(rd, c, periods)
    weights = [_g(game.opponent_deviation) for game in opponents]
    differences = [
        weight * (rating - game.opponent_rating)
        for weight, game in zip(weights, opponents, strict=True)
    ]
    expectations = [expected_score(difference, 0) for difference in differences]
    information = _Q**2 * sum(
        # The product of both players' expectations keeps its digits where 1 - E would lose them.
        weight**2 * expectation * expected_score(0, difference)
        for weight, expectation, difference in zip(weights, expectations, differences, strict=True)
    )
    precision = 1 / deviation**2 + information
    surprise = sum(
        weight * (game.score - expectation)
        for weight, game, expectation in zip(weights, opponents, expectations, strict=True)
    )
    return GlickoRating(rating=rating + _Q / precision * surprise, deviation=sqrt(1 / precision))


def grown_deviation(rd: float, c: float | None, periods: float) -> float:
    """The deviation after `periods` without games: √(RD² + c² periods), at most 350.

    InputError when c is missing, or either is below 0 or no number.
    """
    check_deviation(rd)
    if c is None:
        raise InputError(_("Glicko's deviation grows with time by a constant c: give it."))
    for name, value in ((_("c"), c), (_("The number of periods"), periods)):
        if not (isfinite(value) and value >= 0):
            raise InputError(
                _("{name} must be a number of 0 or more, and it is {value}.").format(
                    name=name, value=f"{value:g}"
                )
            )
    return min(LARGEST_DEVIATION, sqrt(rd**2 + c**2 * periods))


def check_glicko_rating(rating: float, *, whose: str = english("The rating")) -> None:
    """InputError, naming `whose`, unless `rating` is a number within ±10,000 points."""
    if not abs(rating) <= _LARGEST_RATING:
        raise InputError(
            _("{whose} must lie within ±{largest_rating} points, and it is {rating}.").format(
                whose=retold(whose), largest_rating=_LARGEST_RATING, rating=f"{rating:g}"
            )
        )


def check_deviation(deviation: float, *, whose: str = english("The rating deviation")) -> None:
    """InputError, naming `whose`, unless `deviation` is above 0 and at most 10,000 points."""
    if not 0 < deviation <= _LARGEST_RATING:
        raise InputError(
            _("{whose} must be a number of points above 0, and it is {deviation}.").format(
                whose=retold(whose), deviation=f"{deviation:g}"
            )
        )


def check_glicko_games(games: Sequence[GlickoGame]) -> None:
    """InputError when there is no game, or one (named by its place, from 1) is impossible."""
    if not games:
        raise InputError(
            _("There are no games: give at least one opponent with deviation and score.")
        )
    for number, game in enumerate(games, start=1):
        where = f"Game {number}: the"
        check_glicko_rating(game.opponent_rating, whose=f"{where} opponent's rating")
        check_deviation(game.opponent_deviation, whose=f"{where} opponent's deviation")
        check_score(game.score, where=f"{where} score")


def _g(deviation: float) -> float:
    return 1 / sqrt(1 + 3 * (_Q * deviation / pi) ** 2)
