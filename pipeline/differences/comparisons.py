"""Each group against the rest of the player's games: what differs, and how surprising that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from pipeline.differences.columns import Flags, GameColumns, GroupColumns, LossColumns
from pipeline.differences.estimate import Estimate, Floats, ratio
from pipeline.differences.thresholds import FEWEST_ENDINGS, FEWEST_GAMES, FEWEST_MOVES
from pipeline.records import Aspect, Figure, Measured

_PAIRS = (Aspect.COLOR, Aspect.TIME_PRESSURE)
"""Two groups that are each other's rest: one comparison says all."""
_FIRST_OF_PAIR = ("white", "pressed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What one figure of a group has brought, against the rest; see `GroupClaim`."""

    group: GroupColumns
    figure: Figure
    rest: float
    points: Measured
    p_value: float


def comparisons(
    groups: Sequence[GroupColumns], games: GameColumns, *, coverage: float
) -> Iterator[Comparison]:
    """All that can be made with enough games, or moves, on both sides.

    Moves are compared through the ratio to the opponents' loss in the same games and phases:
    everybody loses more in the middlegame, or short of time. Against opponents of other
    strength that ratio must differ, and so must what the end of a game gives (the clock does
    not ask who stood better): there only results are compared. An opening is far from the end.
    """
    for group in groups:
        if group.aspect in _PAIRS and group.key not in _FIRST_OF_PAIR:
            continue
        if group.aspect is not Aspect.OPPONENT:
            yield from _by_moves(group, coverage)
        if not group.is_of_moves:
            yield from _by_points(
                group, Figure.RESULT, games.result, games.is_result_known, coverage
            )
            if group.aspect not in (Aspect.OPENING, Aspect.OPPONENT):
                yield from _by_points(group, Figure.END, games.end, games.is_end_known, coverage)


def _by_points(
    group: GroupColumns, figure: Figure, points: Floats, is_known: Flags, coverage: float
) -> Iterator[Comparison]:
    chosen = (group.games & is_known).astype(float)
    others = (group.other_games & is_known).astype(float)
    if min(chosen.sum(), others.sum()) < FEWEST_GAMES:
        return
    if min(np.count_nonzero(points * chosen), np.count_nonzero(points * others)) < FEWEST_ENDINGS:
        return
    own, rest = ratio(points * chosen, chosen), ratio(points * others, others)
    difference = own - rest
    yield Comparison(
        group=group,
        figure=figure,
        rest=rest.value,
        points=difference.times(float(chosen.sum())).measured(coverage),
        p_value=difference.p_value(),
    )


def _by_moves(group: GroupColumns, coverage: float) -> Iterator[Comparison]:
    losses, others = group.losses, group.other_losses
    if not (_is_enough(losses) and _is_enough(others)):
        return
    difference = _log_ratio(losses) - _log_ratio(others)
    found = difference.measured(coverage)
    lost = float(losses.own_loss.sum())
    yield Comparison(
        group=group,
        figure=Figure.MOVES,
        rest=lost / float(losses.own_moves.sum()) * exp(-found.value),
        # A larger ratio of losses means fewer points: the ends change places.
        points=Measured(
            value=_points(lost, found.value),
            low=_points(lost, found.high),
            high=_points(lost, found.low),
        ),
        p_value=difference.p_value(),
    )


def _is_enough(losses: LossColumns) -> bool:
    games = min(np.count_nonzero(losses.own_moves), np.count_nonzero(losses.their_moves))
    moves = min(losses.own_moves.sum(), losses.their_moves.sum())
    loss = min(losses.own_loss.sum(), losses.their_loss.sum())
    return bool(games >= FEWEST_GAMES and moves >= FEWEST_MOVES and loss > 0)


def _log_ratio(losses: LossColumns) -> Estimate:
    """Of the player's loss per move to the opponents'."""
    own = ratio(losses.own_loss, losses.own_moves)
    return own.log() - ratio(losses.their_loss, losses.their_moves).log()


def _points(lost_win_percent: float, log_difference: float) -> float:
    """What would have been lost at the ratio of the rest, less what was."""
    return -lost_win_percent * (1 - exp(-log_difference)) / 100
