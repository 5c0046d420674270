"""The Chess Federation of Canada's ratings, as in force since mid-2012.

Sources: chesscanada.info thread 2506 and annexchessclub.com, July 2012. The Rating Auditor may
change K and the bonus constants; today's values could not be confirmed. The expected score is
taken to be logistic: the handbook's own table was not found, and neither was the formula for a
player's first (provisional) games, so only established ratings are calculated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from config.errors import InputError
from config.language import _
from pipeline.elo.expected import expected_score
from pipeline.elo.played import Played, check_games, check_rating, total_score

MASTER_RATING = 2200
FEWEST_GAMES_FOR_BONUS = 4
_FULL_K = 32.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CfcResult:
    """A new rating and its parts: change, bonus for a new high, bonus for a very good event.

    `threshold` is the change above which the second bonus begins; None in events of fewer than
    4 games, which earn no bonus.
    """

    rating_before: float
    k: float
    score: float
    expected_score: float
    change: float
    threshold: float | None
    high_bonus: float
    event_bonus: float
    rating_after: float


def new_rating(
    rating: float,
    games: Sequence[Played],
    *,
    all_time_high: float | None = None,
    minutes_per_game: float | None = None,
) -> CfcResult:
    """The rating after one event, K (S - E) and two bonuses, not rounded.

    With Ke = K / 32 and n ≥ 4 games: 20 Ke when the rating, before bonuses, is above
    `all_time_high` (None: the rating itself is the highest so far); and 1.75 Ke for each point
    gained above 13 Ke √n. `minutes_per_game` as for `k_factor`. InputError for an empty list,
    a high below the rating, and impossible numbers, naming the game.
    """
    check_rating(rating)
    check_games(games)
    high = _high(rating, all_time_high)
    k = k_factor(rating, minutes_per_game=minutes_per_game)
    expected = sum(expected_score(rating, game.opponent_rating) for game in games)
    change = k * (total_score(games) - expected)
    threshold = _threshold(k, len(games))
    high_bonus, event_bonus = _bonuses(change, rating + change > high, threshold, k)
    return CfcResult(
        rating_before=rating,
        k=k,
        score=total_score(games),
        expected_score=expected,
        change=change,
        threshold=threshold,
        high_bonus=high_bonus,
        event_bonus=event_bonus,
        rating_after=rating + change + high_bonus + event_bonus,
    )


def k_factor(rating: float, *, minutes_per_game: float | None = None) -> float:
    """K: 32 points under 2200, 16 from there; half of it in quick games of 5 to 14 minutes.

    `minutes_per_game` is one player's thinking time; None is a regular game, and from 15
    minutes on K is whole too. InputError under 5 minutes, which is not rated.
    """
    check_rating(rating)
    k = _FULL_K if rating < MASTER_RATING else _FULL_K / 2
    if minutes_per_game is None or minutes_per_game >= 15:
        return k
    if not minutes_per_game >= 5:
        raise InputError(
            _(
                "The CFC rates games of 5 minutes and more, and this one has {minutes_per_game}."
            ).format(minutes_per_game=f"{minutes_per_game:g}")
        )
    return k / 2


def _high(rating: float, all_time_high: float | None) -> float:
    if all_time_high is None:
        return rating
    check_rating(all_time_high, whose=_("The all-time high"))
    if all_time_high < rating:
        raise InputError(
            _("The all-time high ({all_time_high}) cannot be under the rating ({rating}).").format(
                all_time_high=f"{all_time_high:g}", rating=f"{rating:g}"
            )
        )
    return all_time_high


def _threshold(k: float, games: int) -> float | None:
    if games < FEWEST_GAMES_FOR_BONUS:
        return None
    return 13 * k / _FULL_K * sqrt(games)


def _bonuses(
    change: float, is_new_high: bool, threshold: float | None, k: float
) -> tuple[float, float]:
    if threshold is None:
        return 0.0, 0.0
    scale = k / _FULL_K
    return (20 * scale if is_new_high else 0.0), max(0.0, 1.75 * scale * (change - threshold))
