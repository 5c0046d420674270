"""The figures of each group, with intervals, or how few there are for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from config.language import english, nenglish
from pipeline.differences.columns import Flags, GameColumns, GroupColumns
from pipeline.differences.estimate import Floats
from pipeline.differences.resampling import resampled
from pipeline.differences.thresholds import FEWEST_GAMES, FEWEST_MOVES
from pipeline.records import DifferenceGroup, Measured, NoEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ratio:
    """A figure as a sum over a sum, each with an entry for each game."""

    above: Floats
    below: Floats


def difference_groups(
    groups: Sequence[GroupColumns], games: GameColumns, *, coverage: float, seed: int
) -> tuple[DifferenceGroup, ...]:
    """One record for each group, in their order."""
    wanted = [_ratios(group, games) for group in groups]
    ratios = [ratio for four in wanted for ratio in four if isinstance(ratio, _Ratio)]
    found = iter(
        resampled(
            [r.above for r in ratios], [r.below for r in ratios], coverage=coverage, seed=seed
        )
    )
    return tuple(
        _group(group, games, [next(found) if isinstance(r, _Ratio) else r for r in four])
        for group, four in zip(groups, wanted, strict=True)
    )


def too_few_games(games: int, fewest: int = FEWEST_GAMES) -> NoEstimate:
    """So many are not enough."""
    return NoEstimate(
        reason=nenglish(
            "too few: {games} game, at least {fewest} are needed",
            "too few: {games} games, at least {fewest} are needed",
            games,
        ).format(games=games, fewest=fewest)
    )


def _ratios(group: GroupColumns, games: GameColumns) -> list[_Ratio | NoEstimate]:
    losses = group.losses
    return [
        _points(group, games.result, games.is_result_known),
        _per_move(losses.own_loss, losses.own_moves),
        _per_move(losses.their_loss, losses.their_moves),
        _points(group, games.end, games.is_end_known),
    ]


def _points(group: GroupColumns, points: Floats, is_known: Flags) -> _Ratio | NoEstimate:
    if group.is_of_moves:
        return NoEstimate(
            reason=english("a result and an end belong to the whole game, not to some of its moves")
        )
    chosen = (group.games & is_known).astype(float)
    known = int(chosen.sum())
    if known < FEWEST_GAMES:
        return too_few_games(known)
    return _Ratio(above=points * chosen, below=chosen)


def _per_move(loss: Floats, moves: Floats) -> _Ratio | NoEstimate:
    games = int(np.count_nonzero(moves))
    if games < FEWEST_GAMES:
        return too_few_games(games)
    if moves.sum() < FEWEST_MOVES:
        return _too_few_moves(int(moves.sum()))
    return _Ratio(above=loss, below=moves)


def _too_few_moves(moves: int) -> NoEstimate:
    reason = english("too few: {moves} moves, at least {fewest} are needed")
    return NoEstimate(reason=reason.format(moves=moves, fewest=FEWEST_MOVES))


def _group(
    group: GroupColumns, games: GameColumns, figures: Sequence[Measured | NoEstimate]
) -> DifferenceGroup:
    result, own_loss, their_loss, end = figures
    known = group.games & games.is_result_known
    moves = int(group.losses.own_moves.sum())
    has_result = bool(known.any()) and not group.is_of_moves
    return DifferenceGroup(
        aspect=group.aspect,
        key=group.key,
        games=int(group.games.sum()),
        moves=moves,
        games_with_expectation=int(known.sum()) if has_result else 0,
        score=float(games.score[known].sum()) if has_result else None,
        expected_score=float(games.expected_score[known].sum()) if has_result else None,
        accuracy_percent=float(group.losses.own_accuracy.sum()) / moves if moves else None,
        result=result,
        loss_per_move=own_loss,
        opponents_loss_per_move=their_loss,
        end=end,
    )
