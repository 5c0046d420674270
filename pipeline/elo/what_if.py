"""What would have to happen: the score that a target rating takes against given opponents."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from config.errors import InputError
from config.language import _, nenglish
from pipeline.elo.played import Played, check_rating
from pipeline.records import NoEstimate

RatingAfter: TypeAlias = Callable[[Sequence[Played]], float]
"""The new rating after a list of games, by any rating system: it must never fall when a
result gets better, as all of ours do that are made of a score against its expectation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreNeeded:
    """The smallest score that reaches `target`, and the rating that it gives.

    `games` is one way to make it. `only_total_counts` says that the same points made against
    the strongest opponents would give the same rating, to a hundredth.
    """

    target: float
    score: float
    rating_after: float
    games: tuple[Played, ...]
    only_total_counts: bool


def score_needed(
    opponents: Sequence[float], target: float, rating_after: RatingAfter
) -> ScoreNeeded | NoEstimate:
    """The smallest score against all `opponents` (in playing order) that reaches `target`.

    Points are made against the weakest opponents first, which is the likeliest way. NoEstimate
    says that even a full score would not do. Raises InputError without opponents.
    """
    if not opponents:
        raise InputError(_("There are no games: give at least one opponent's rating."))
    check_rating(target, whose=_("The target rating"))
    easiest = sorted(range(len(opponents)), key=lambda index: opponents[index])

    def rating_with(half_points: int) -> float:
        return rating_after(_games(opponents, half_points, easiest))

    totals = range(2 * len(opponents) + 1)
    half_points = bisect_left(totals, target, key=rating_with)
    if half_points == len(totals):
        return NoEstimate(reason=_out_of_reach(target, rating_with(totals[-1]), len(opponents)))
    return ScoreNeeded(
        target=target,
        score=half_points / 2,
        rating_after=rating_with(half_points),
        games=_games(opponents, half_points, easiest),
        only_total_counts=_same_either_way(opponents, half_points, easiest, rating_after),
    )


def _games(
    opponents: Sequence[float], half_points: int, order: Sequence[int]
) -> tuple[Played, ...]:
    """Wins in `order`, a draw for an odd half point, then losses; listed in playing order."""
    scores = [0.0] * len(opponents)
    for index in order:
        scores[index] = min(2, half_points) / 2
        half_points -= min(2, half_points)
    return tuple(Played(r, s) for r, s in zip(opponents, scores, strict=True))


def _same_either_way(
    opponents: Sequence[float], half_points: int, easiest: Sequence[int], rating_after: RatingAfter
) -> bool:
    ways = (_games(opponents, half_points, order) for order in (easiest, easiest[::-1]))
    one, other = (rating_after(games) for games in ways)
    return abs(one - other) < 0.01


def _out_of_reach(target: float, best: float, games: int) -> str:
    said = nenglish(
        "{target} cannot be reached: with the game won it is {best}",
        "{target} cannot be reached: with all {count} games won it is {best}",
        games,
    )
    return said.format(target=f"{target:g}", count=games, best=f"{best:.2f}")
