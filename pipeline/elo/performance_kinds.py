"""Every performance rating that players quote, side by side, for one list of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from statistics import fmean

from config.language import english
from pipeline.elo import fide
from pipeline.elo.expected import expected_score
from pipeline.elo.performance import Performance, performance
from pipeline.elo.played import Played, check_games, total_score
from pipeline.records import NoEstimate

_REACH = 10_000
"""Points beyond which the expected score is 0 or 1 to the precision asked for."""
_BISECTIONS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class PerformanceKinds:
    """The likelihood's rating with its interval, and what the older formulas say.

    `logistic` is where the expected score equals the score; `fide` and `perfect` need whole
    ratings of 0 or more, as FIDE publishes them.
    """

    games: int
    score: float
    average_opponent_rating: float
    likelihood: Performance
    logistic: float | NoEstimate
    linear: float
    fide: int | NoEstimate
    perfect: int | NoEstimate


def performance_kinds(games: Sequence[Played], *, coverage: float = 0.8) -> PerformanceKinds:
    """All of them for `games`; InputError for an empty list or an impossible game."""
    check_games(games)
    opponents, score = [game.opponent_rating for game in games], total_score(games)
    whole = all(rating >= 0 and rating == int(rating) for rating in opponents)
    not_fide = NoEstimate(reason=english("FIDE's ratings are whole numbers of 0 or more"))
    return PerformanceKinds(
        games=len(games),
        score=score,
        average_opponent_rating=fmean(opponents),
        likelihood=performance(opponents, [game.score for game in games], coverage=coverage),
        logistic=logistic_performance(opponents, score),
        linear=linear_performance(opponents, score),
        fide=fide.performance(opponents, score) if whole else not_fide,
        perfect=fide.perfect_performance(opponents, score) if whole else not_fide,
    )


def linear_performance(opponents: Sequence[float], score: float) -> float:
    """Average opponent + 800 p - 400, p being the share of points: the "algorithm of 400".

    The same number as average opponent + 400 (wins - losses) / games; from 400 below the
    average opponent (0 %) to 400 above (100 %).
    """
    return fmean(opponents) + 800 * score / len(opponents) - 400


def logistic_performance(opponents: Sequence[float], score: float) -> float | NoEstimate:
    """The "true performance": the rating whose logistic expected score is `score`.

    There is none at 0 % and 100 %, where every lower or higher rating would fit better still.
    """
    if score <= 0 or score >= len(opponents):
        return NoEstimate(
            reason=english("every game was lost: the lower a rating, the better it fits")
            if score <= 0
            else english("every game was won: the higher a rating, the better it fits")
        )
    low, high = min(opponents) - _REACH, max(opponents) + _REACH
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        too_low = fsum(expected_score(middle, opponent) for opponent in opponents) < score
        low, high = (middle, high) if too_low else (low, middle)
    return (low + high) / 2
