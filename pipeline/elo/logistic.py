"""Plain Elo: one K, the logistic expected score, games as a rating period or one by one.

Source: Elo, *The Rating of Chessplayers, Past and Present* (1978), 1.6 and 8.4. K is the number
of points a whole game is worth; ratings are any finite numbers; nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from config.errors import InputError
from config.language import _
from pipeline.elo.expected import expected_score
from pipeline.elo.played import (
    Played,
    check_games,
    check_k,
    check_rating,
    check_score,
)

LARGEST_TABLE_DIFFERENCE = 4000
"""Points; beyond it the weaker player expects less than one point in ten thousand million."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """One game of a list: the rating it was counted from, what was expected, what it changed."""

    opponent_rating: float
    score: float
    rating_before: float
    expected_score: float
    change: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodChange:
    """What a list of games makes of a rating, unrounded, with a line for each game."""

    rating_before: float
    rating_after: float
    change: float
    score: float
    expected_score: float
    games: tuple[GameLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedRow:
    """Expected scores, 0 to 1, of the higher and the lower rated at `difference` points."""

    difference: int
    higher: float
    lower: float


def rating_change(
    rating: float,
    opponent_rating: float,
    score: float,
    k: float,
    *,
    max_difference: float | None = None,
) -> float:
    """Points gained or lost by one game: K (score - expected score).

    With `max_difference` (FIDE's 400, say) a larger difference counts as that one. InputError
    for a rating that is no number, a score other than 1, ½ or 0, or a K not above 0.
    """
    check_rating(opponent_rating, whose=_("The opponent's rating"))
    check_score(score)
    _check(rating, k, max_difference)
    return _line(rating, Played(opponent_rating, score), k, max_difference).change


def both_changes(a: float, b: float, score_a: float, k_a: float, k_b: float) -> tuple[float, float]:
    """The changes of player a and player b after one game; they sum to 0 when K is the same."""
    check_score(score_a)
    return rating_change(a, b, score_a, k_a), rating_change(b, a, 1 - score_a, k_b)


def as_rating_period(
    rating: float, games: Sequence[Played], k: float, *, max_difference: float | None = None
) -> PeriodChange:
    """All games against the starting rating, as federations count a period or an event.

    `max_difference` as for `rating_change`. InputError for an empty list and for impossible
    numbers, naming the game by its place in the list, from 1.
    """
    check_games(games)
    _check(rating, k, max_difference)
    return _summary(rating, [_line(rating, game, k, max_difference) for game in games])


def one_after_another(
    rating: float, games: Sequence[Played], k: float, *, max_difference: float | None = None
) -> PeriodChange:
    """Each game against the rating that the games before it left, as websites count.

    Arguments and errors as for `as_rating_period`; the order of the games matters here.
    """
    check_games(games)
    _check(rating, k, max_difference)
    lines: list[GameLine] = []
    current = rating
    for game in games:
        lines.append(_line(current, game, k, max_difference))
        current += lines[-1].change
    return _summary(rating, lines)


def expected_table(step: int, limit: int) -> tuple[ExpectedRow, ...]:
    """Expected scores at the differences 0, `step`, 2 `step` … up to `limit` points.

    InputError unless 1 ≤ `step` ≤ `limit` ≤ `LARGEST_TABLE_DIFFERENCE`.
    """
    if not 1 <= step <= limit <= LARGEST_TABLE_DIFFERENCE:
        raise InputError(
            _(
                "The table needs a step of at least 1 and a limit from the step to "
                "{largest_table_difference} points, and they are {step} and {limit}."
            ).format(largest_table_difference=LARGEST_TABLE_DIFFERENCE, step=step, limit=limit)
        )
    return tuple(
        ExpectedRow(
            difference=difference,
            higher=expected_score(difference, 0),
            lower=expected_score(0, difference),
        )
        for difference in range(0, limit + 1, step)
    )


def _check(rating: float, k: float, max_difference: float | None) -> None:
    check_rating(rating)
    check_k(k)
    if max_difference is not None and not (isfinite(max_difference) and max_difference > 0):
        raise InputError(
            _(
                "The largest difference that counts must be above 0, and it is {max_difference}."
            ).format(max_difference=f"{max_difference:g}")
        )


def _line(rating: float, game: Played, k: float, max_difference: float | None) -> GameLine:
    difference = game.opponent_rating - rating
    if max_difference is not None:
        difference = max(-max_difference, min(max_difference, difference))
    expected = expected_score(0, difference)
    return GameLine(
        opponent_rating=game.opponent_rating,
        score=game.score,
        rating_before=rating,
        expected_score=expected,
        change=k * (game.score - expected),
    )


def _summary(rating: float, lines: Sequence[GameLine]) -> PeriodChange:
    change = sum(line.change for line in lines)
    return PeriodChange(
        rating_before=rating,
        rating_after=rating + change,
        change=change,
        score=sum(line.score for line in lines),
        expected_score=sum(line.expected_score for line in lines),
        games=tuple(lines),
    )
