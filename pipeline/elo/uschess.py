"""US Chess ratings: the standard formula with its bonus, the one for few games, the floors.

Source: Glickman and Doan, *The US Chess Rating system* (2 September 2020) and the approximating
formulas of glicko.net/ratings/approx.pdf, which are what is calculated here. The full procedure
is not: its two passes over all players of an event, the special formula for players whose games
were all won or all lost, opponents met more than twice, and the smaller K of some time controls
above 2200.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import isfinite, sqrt
from statistics import fmean

from config.errors import InputError
from config.language import _
from pipeline.elo.expected import expected_score
from pipeline.elo.played import Played, check_games, check_rating, total_score

MOST_PROVISIONAL_FORMULA_GAMES = 8

FEWEST_GAMES_FOR_BONUS = 3
LOWEST_PEAK_FLOOR = 1200
HIGHEST_PEAK_FLOOR = 2100

# Announced by new.uschess.org for the first two; the last one (all events of 2025 were rated
# again in June 2025) is known from forum.uschess.org, thread 58574, alone.
_BONUS_THRESHOLDS = (
    (date(2017, 5, 1), 14.0),
    (date(2023, 2, 1), 12.0),
    (date(2025, 1, 1), 10.0),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UsChessResult:
    """A new rating and its parts; `expected_score` and `k` are None in the formula for few games.

    `effective_games` is the number of prior games as K counts them.
    """

    rating_before: float
    prior_games: int
    effective_games: float
    k: float | None
    score: float
    expected_score: float | None
    change: float
    bonus: float
    rating_after: float


def new_rating(
    rating: float, games: Sequence[Played], *, prior_games: int, bonus_threshold: float
) -> UsChessResult:
    """The rating after one event, from `prior_games` games before it; not rounded.

    More than 8 prior games: K (S - E) with K = 800 / (N′ + m), and in events of 3 games or more
    what K (S - E) exceeds B √max(m, 4) by, once more. `bonus_threshold` is B, which changes:
    see `bonus_threshold_on`. Up to 8: the average of all games, `provisional_rating`. Floors
    are not applied. InputError for an empty list and for impossible numbers, naming the game.
    """
    _check(rating, games, prior_games)
    if not (isfinite(bonus_threshold) and bonus_threshold > 0):
        raise InputError(
            _("The bonus threshold B must be above 0, and it is {bonus_threshold}.").format(
                bonus_threshold=f"{bonus_threshold:g}"
            )
        )
    if prior_games <= MOST_PROVISIONAL_FORMULA_GAMES:
        return _provisional(rating, games, prior_games)
    return _standard(rating, games, prior_games, bonus_threshold)


def provisional_rating(rating: float, games: Sequence[Played], *, prior_games: int) -> float:
    """(N R + m (mean opponent) + 400 (wins - losses)) / (N + m), for 1 to 8 prior games.

    The printed example: 1500 after 6 games, then 1400 won, 1550 lost, 1650 drawn, is 1511. A win
    against an opponent more than 400 points below can lower this rating, as any average does; a
    better result against the same opponents never does. With 0 prior games `rating` has no
    weight. InputError beyond 8 prior games and as for `new_rating`.
    """
    _check(rating, games, prior_games)
    if prior_games > MOST_PROVISIONAL_FORMULA_GAMES:
        raise InputError(
            _(
                "The formula for few games ends at {most_provisional_formula_games} prior "
                "games, and there are {prior_games}."
            ).format(
                most_provisional_formula_games=MOST_PROVISIONAL_FORMULA_GAMES,
                prior_games=prior_games,
            )
        )
    return _provisional(rating, games, prior_games).rating_after


def bonus_threshold_on(ended_on: date) -> float:
    """B for an event that ended on `ended_on`: 14 from May 2017, 12 from February 2023, then 10.

    10 holds from 1 January 2025. InputError before 1 May 2017: B was 12 just before, 10 in 2005,
    and the days of those changes are not known; give B yourself then.
    """
    in_force = [value for begins, value in _BONUS_THRESHOLDS if begins <= ended_on]
    if not in_force:
        raise InputError(
            _(
                "The bonus threshold is known from {bonus_thresholds} on, and the event "
                "ended on {ended_on}; give the threshold itself."
            ).format(bonus_thresholds=_BONUS_THRESHOLDS[0][0], ended_on=ended_on)
        )
    return in_force[-1]


def effective_games(rating: float, prior_games: int) -> float:
    """N′: the prior games, but no more than N* = 50 / √(0.662 + 0.00000739 (2569 - R)²).

    Above 2355 N* is 50.
    """
    most = 50.0
    if rating <= 2355:
        most = 50 / sqrt(0.662 + 0.00000739 * (2569 - rating) ** 2)
    return min(float(prior_games), most)


def absolute_floor(*, wins: int, draws: int, events: int) -> int:
    """The lowest possible rating: 100 + 4 a win + 2 a draw + 1 an event, at most 150."""
    if min(wins, draws, events) < 0:
        raise InputError(_("Wins, draws and events are counted from 0 on, and one is below 0."))
    return min(100 + 4 * wins + 2 * draws + events, 150)


def peak_floor(peak: float) -> int | None:
    """The floor that an established rating's peak leaves: 200 below, in whole hundreds.

    1200 (from a peak of 1400) to 2100; None below. Original Life Masters keep 2200, and money
    prizes set floors of their own: neither follows from the peak.
    """
    check_rating(peak, whose=_("The peak rating"))
    floor = int((peak - 200) // 100 * 100)
    return None if floor < LOWEST_PEAK_FLOOR else min(floor, HIGHEST_PEAK_FLOOR)


def _standard(
    rating: float, games: Sequence[Played], prior_games: int, bonus_threshold: float
) -> UsChessResult:
    effective = effective_games(rating, prior_games)
    k = 800 / (effective + len(games))
    expected = sum(expected_score(rating, game.opponent_rating) for game in games)
    change = k * (total_score(games) - expected)
    bonus = 0.0
    if len(games) >= FEWEST_GAMES_FOR_BONUS:
        bonus = max(0.0, change - bonus_threshold * sqrt(max(len(games), 4)))
    return UsChessResult(
        rating_before=rating,
        prior_games=prior_games,
        effective_games=effective,
        k=k,
        score=total_score(games),
        expected_score=expected,
        change=change,
        bonus=bonus,
        rating_after=rating + change + bonus,
    )


def _provisional(rating: float, games: Sequence[Played], prior_games: int) -> UsChessResult:
    played = len(games)
    wins_less_losses = 2 * total_score(games) - played
    performance_sum = played * fmean(game.opponent_rating for game in games)
    after = (prior_games * rating + performance_sum + 400 * wins_less_losses) / (
        prior_games + played
    )
    return UsChessResult(
        rating_before=rating,
        prior_games=prior_games,
        effective_games=float(prior_games),
        k=None,
        score=total_score(games),
        expected_score=None,
        change=after - rating,
        bonus=0.0,
        rating_after=after,
    )


def _check(rating: float, games: Sequence[Played], prior_games: int) -> None:
    check_rating(rating)
    check_games(games)
    if prior_games < 0:
        raise InputError(
            _("The number of prior games must be 0 or more, not {prior_games}.").format(
                prior_games=prior_games
            )
        )
