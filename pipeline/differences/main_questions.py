"""The main questions: are points lost on the clock, by giving up, by draws, or at the board?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pipeline.differences.account import Account
from pipeline.differences.chances import chances, slipped_cost
from pipeline.differences.estimate import Estimate, Floats, ratio, signs_p
from pipeline.differences.parts import PART_OF_ENDING, end_points
from pipeline.differences.rating_points import rating_points
from pipeline.differences.thresholds import FEWEST_ENDINGS, FEWEST_GAMES, WINNING_PERCENT
from pipeline.records import ChancesClaim, Claim, Ending, PartClaim


def main_candidates(counted: Sequence[Account], *, coverage: float) -> Iterator[Claim]:
    """Each question that these games are enough for, whatever the answer.

    Clock and draws: chance would bring what it costs. Resignations, and winning positions
    that slip: the opponents in the same games are the measure.
    """
    if len(counted) < FEWEST_GAMES:
        return
    for ending in (Ending.CLOCK, Ending.DRAW):
        points = [end_points(a) for a in counted if a.ending is ending]
        if len(points) >= FEWEST_ENDINGS:
            found = _sum_over(counted, ending)
            yield _part_claim(counted, ending, found, signs_p(points), coverage)
    if (given_up := _given_up(counted)) is not None:
        p_value = given_up.p_value()
        yield _part_claim(counted, Ending.RESIGNATION, given_up, p_value, coverage)
    if (slipped := _slipped(counted)) is not None:
        yield _chances_claim(counted, slipped, coverage)


def _part_claim(
    counted: Sequence[Account], ending: Ending, found: Estimate, p_value: float, coverage: float
) -> PartClaim:
    ended = [account for account in counted if account.ending is ending]
    own = [100 * (a.worth or 0.0) for a in ended if end_points(a) < 0]
    theirs = [100 - 100 * (a.worth or 0.0) for a in ended if end_points(a) > 0]
    points = found.measured(coverage)
    return PartClaim(
        part=PART_OF_ENDING[ending],
        games=len(counted),
        own=len(own),
        own_winning=sum(percent >= WINNING_PERCENT for percent in own),
        own_win_percent=sum(own) / len(own) if own else None,
        theirs=len(theirs),
        their_winning=sum(percent >= WINNING_PERCENT for percent in theirs),
        their_win_percent=sum(theirs) / len(theirs) if theirs else None,
        points=points,
        rating_points=rating_points(points, counted),
        p_value=p_value,
    )


def _chances_claim(counted: Sequence[Account], slipped: Estimate, coverage: float) -> ChancesClaim:
    points = slipped.measured(coverage)
    return ChancesClaim(
        games=len(counted),
        own=chances(counted),
        theirs=chances(counted, of_opponents=True),
        points=points,
        rating_points=rating_points(points, counted),
        p_value=slipped.p_value(),
    )


def _sum_over(counted: Sequence[Account], ending: Ending) -> Estimate:
    points = np.array([end_points(a) if a.ending is ending else 0.0 for a in counted])
    return Estimate(
        value=float(points.sum()),
        influences=points - points.mean(),
        games=int(np.count_nonzero(points)),
    )


def _given_up(counted: Sequence[Account]) -> Estimate | None:
    """Points that resigning later, as the opponents do, would have saved; below 0 is a cost."""
    points = np.array([end_points(a) * (a.ending is Ending.RESIGNATION) for a in counted])
    own, theirs = (points < 0).astype(float), (points > 0).astype(float)
    if min(own.sum(), theirs.sum()) < FEWEST_GAMES:
        return None
    costs = ratio(-points * own, own) - ratio(points * theirs, theirs)
    return costs.times(-float(own.sum()))


def _slipped(counted: Sequence[Account]) -> Estimate | None:
    own = _costs([slipped_cost(account) for account in counted])
    theirs = _costs([slipped_cost(account, of_opponent=True) for account in counted])
    if min(own[1].sum(), theirs[1].sum()) < FEWEST_GAMES:
        return None
    return (ratio(*own) - ratio(*theirs)).times(-float(own[1].sum()))


def _costs(found: Sequence[float | None]) -> tuple[Floats, Floats]:
    """What each game cost, and whether there was anything to lose."""
    return (
        np.array([cost or 0.0 for cost in found]),
        np.array([float(cost is not None) for cost in found]),
    )
