"""Stage 5b: a player's games at one speed -> Differences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, tzinfo

from config.language import english
from pipeline.differences.account import Account, account_of
from pipeline.differences.chances import (
    best_chance_wasted,
    chances,
    ending_counts,
    worst_escaped,
)
from pipeline.differences.claims import claims_among
from pipeline.differences.columns import (
    GameColumns,
    GroupColumns,
    game_columns,
    groups_of_games,
    groups_of_moves,
)
from pipeline.differences.comparisons import comparisons
from pipeline.differences.figures import difference_groups
from pipeline.differences.grouping import group_keys
from pipeline.differences.main_questions import main_candidates
from pipeline.differences.parts import points_parts
from pipeline.differences.thresholds import FALSE_CLAIM_RATE, FEWEST_GAMES
from pipeline.records import (
    Chances,
    DifferenceGroup,
    Differences,
    GameReport,
    GroupClaim,
    NoEstimate,
)
from pipeline.records.zones import zone_name

COVERAGE = 0.8


def find_differences(
    games: Sequence[GameReport], *, zone: tzinfo = UTC, coverage: float = COVERAGE, seed: int = 0
) -> Differences | NoEstimate:
    """Where the points went in games at one speed, in whatever order.

    Hours and weekdays are those of `zone`. Intervals hold with `coverage` (0 to 1): those of
    parts and groups by resampling games with `seed`, those of claims by a normal error.
    `NoEstimate` where no game of the player has a result.
    """
    accounts = [account for game in games if (account := account_of(game)) is not None]
    return differences_of(accounts, zone=zone, coverage=coverage, seed=seed)


def differences_of(
    accounts: Sequence[Account], *, zone: tzinfo = UTC, coverage: float = COVERAGE, seed: int = 0
) -> Differences | NoEstimate:
    """The same from the games' accounts."""
    if not accounts:
        return NoEstimate(reason=english("no game of the player has a result"))
    accounts = sorted(accounts, key=lambda account: (account.created_at, account.game_id))
    counted = [account for account in accounts if account.is_counted]
    columns = game_columns(accounts)
    groups = [*groups_of_moves(accounts), *groups_of_games(accounts, group_keys(accounts, zone))]
    dividing = [group for group in groups if group.other_games.any()]
    large = [group for group in dividing if group.games.sum() >= FEWEST_GAMES]
    figures = difference_groups(large, columns, coverage=coverage, seed=seed)
    main = tuple(main_candidates(counted, coverage=coverage))
    compared = _compared(large, figures, columns, coverage)
    return Differences(
        games=len(accounts),
        games_counted=len(counted),
        games_with_evaluations=sum(account.worth is not None for account in accounts),
        games_with_clocks=sum(account.by_clock is not None for account in accounts),
        score=sum(account.score for account in counted),
        expected_score=sum(account.expected_score or 0.0 for account in counted),
        coverage=coverage,
        endings=ending_counts(accounts),
        parts=points_parts(counted, coverage=coverage, seed=seed) if counted else (),
        own_chances=_chances(accounts),
        opponents_chances=_chances(accounts, of_opponents=True),
        best_chance_wasted=best_chance_wasted(accounts),
        worst_escaped=worst_escaped(accounts),
        groups=figures,
        groups_too_small=len(dividing) - len(large),
        comparisons=len(main) + len(compared),
        fewest_games=FEWEST_GAMES,
        false_claim_rate=FALSE_CLAIM_RATE,
        hours_zone=zone_name(zone, accounts[-1].created_at),
        claims=claims_among(main, compared),
    )


def _compared(
    groups: Sequence[GroupColumns],
    figures: Sequence[DifferenceGroup],
    columns: GameColumns,
    coverage: float,
) -> list[GroupClaim]:
    """Every comparison, worded as the claim that it may become."""
    by_name = {(figure.aspect, figure.key): figure for figure in figures}
    return [
        GroupClaim(
            group=by_name[found.group.aspect, found.group.key],
            figure=found.figure,
            rest=found.rest,
            points=found.points,
            p_value=found.p_value,
        )
        for found in comparisons(groups, columns, coverage=coverage)
    ]


def _chances(accounts: Sequence[Account], *, of_opponents: bool = False) -> Chances | NoEstimate:
    if not any(account.worth is not None for account in accounts):
        return NoEstimate(reason=english("no game is evaluated to its end"))
    return chances(accounts, of_opponents=of_opponents)
