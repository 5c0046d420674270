"""What is claimed of players whose peculiarities are known, and of those who have none."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from made_reports import made_game_report, made_short_game
from simulated_accounts import Peculiar, simulated_accounts

from pipeline.differences.account import Account
from pipeline.differences.find import differences_of, find_differences
from pipeline.differences.grouping import group_keys
from pipeline.differences.move_losses import BothLosses, Losses
from pipeline.differences.rating_points import rating_points
from pipeline.differences.sessions import game_before, session_part
from pipeline.differences.thresholds import FALSE_CLAIM_RATE
from pipeline.elo.performance import performance
from pipeline.records import (
    Aspect,
    Chances,
    ChancesClaim,
    Claim,
    Differences,
    Ending,
    Figure,
    GroupClaim,
    Measured,
    NoEstimate,
    Opening,
    Part,
    PartClaim,
    Phase,
)


def found_of(accounts: list[Account]) -> Differences:
    found = differences_of(accounts)
    assert isinstance(found, Differences)
    return found


def is_about_the_clock(claim: Claim) -> bool:
    return isinstance(claim, PartClaim) and claim.part is Part.CLOCK and claim.points.value < 0


def test_who_loses_won_games_on_the_clock_is_told_so_first() -> None:
    player, told_first = Peculiar(flags_when_winning=0.4), 0
    for seed in range(20):
        claims = found_of(simulated_accounts(100, seed, player)).claims
        told_first += bool(claims) and is_about_the_clock(claims[0])
    assert told_first >= 15


def test_an_account_without_any_peculiarity_is_rarely_told_anything() -> None:
    # Over 700 such accounts of 100 to 1,500 games it was 4 to 5 % of them.
    told = sum(bool(found_of(simulated_accounts(100, seed)).claims) for seed in range(50))
    # More than 7 of 50 have a chance of 1 in 500 at 5 %.
    assert told <= 7
    assert FALSE_CLAIM_RATE == 0.05


@pytest.mark.parametrize(
    ("player", "aspect", "key", "figure"),
    [
        (Peculiar(endgame_loss=1.6), Aspect.PHASE, "endgame", Figure.MOVES),
        (Peculiar(pressure_loss=1.9), Aspect.TIME_PRESSURE, "pressed", Figure.MOVES),
        (Peculiar(after_loss=0.6), Aspect.GAME_BEFORE, "after_loss", Figure.RESULT),
    ],
)
def test_what_a_group_costs_is_claimed_of_that_group(
    player: Peculiar, aspect: Aspect, key: str, figure: Figure
) -> None:
    claims = found_of(simulated_accounts(300, 3, player)).claims
    wanted = [
        claim
        for claim in claims
        if isinstance(claim, GroupClaim)
        and (claim.group.aspect, claim.group.key, claim.figure) == (aspect, key, figure)
    ]
    assert len(wanted) == 1
    assert wanted[0].points.high < 0


def test_who_is_weaker_in_every_phase_alike_has_no_worst_phase() -> None:
    claims = found_of(simulated_accounts(300, 4, Peculiar(strength=1.5))).claims
    groups = [claim for claim in claims if isinstance(claim, GroupClaim)]
    assert not [claim for claim in groups if claim.group.aspect is Aspect.PHASE]


def test_who_resigns_too_early_is_told_so() -> None:
    claims = found_of(simulated_accounts(200, 2, Peculiar(resigns_early=0.5))).claims
    resigned = [c for c in claims if isinstance(c, PartClaim) and c.part is Part.RESIGNATION]
    assert len(resigned) == 1
    assert resigned[0].points.high < 0
    assert (resigned[0].own_win_percent or 0) > (resigned[0].their_win_percent or 0)


def test_the_parts_sum_to_score_minus_expectation() -> None:
    for games in (1, 7, 90):
        found = found_of(simulated_accounts(games, 1))
        total = sum(part.points for part in found.parts)
        assert total == pytest.approx(found.score - found.expected_score)


def test_a_part_s_cost_is_the_same_in_the_parts_and_in_its_claim() -> None:
    found = found_of(simulated_accounts(150, 1, Peculiar(flags_when_winning=0.4)))
    (claim,) = [claim for claim in found.claims if is_about_the_clock(claim)]
    (part,) = [part for part in found.parts if part.part is Part.CLOCK]
    assert isinstance(part.interval, Measured)
    assert claim.points.value == pytest.approx(part.points)
    assert claim.points.low == pytest.approx(part.interval.low, abs=1.5)


def test_points_are_worth_what_they_shift_the_performance_rating() -> None:
    accounts = simulated_accounts(200, 1)
    opponents = [1600.0 + (account.rating_difference or 0) for account in accounts]
    scores = [account.score for account in accounts]
    # Eight lost games drawn instead: four points.
    lost = [number for number, score in enumerate(scores) if score == 0][:8]
    better = [0.5 if number in lost else score for number, score in enumerate(scores)]
    shift = performance(opponents, better).rating - performance(opponents, scores).rating
    found = rating_points(Measured(value=4, low=2, high=6), accounts)
    assert isinstance(found, Measured)
    assert found.value == pytest.approx(shift, rel=0.15)
    assert found.low == pytest.approx(found.value / 2)
    too_much = Measured(value=90, low=80, high=100)
    assert isinstance(rating_points(too_much, accounts), NoEstimate)


def test_a_single_game_is_told_without_any_claim_or_interval() -> None:
    found = found_of(simulated_accounts(1, 8))
    assert found.claims == () and found.groups == () and found.comparisons == 0
    assert all(isinstance(part.interval, NoEstimate) for part in found.parts)
    reasons = {
        part.interval.reason for part in found.parts if isinstance(part.interval, NoEstimate)
    }
    assert reasons == {"too few: 1 game, at least 20 are needed"}


def without_endings(accounts: list[Account], kept: int) -> list[Account]:
    """Only the first `kept` games have an ending phase."""
    cut = [
        replace(
            a,
            changes={p: c for p, c in a.changes.items() if p is not Phase.ENDGAME},
            phases={p: c for p, c in a.phases.items() if p is not Phase.ENDGAME},
        )
        for a in accounts[kept:]
    ]
    return [*accounts[:kept], *cut]


def absent_reason(estimate: object) -> str:
    assert isinstance(estimate, NoEstimate)
    return estimate.reason


def test_a_part_that_few_games_have_says_how_many_that_part_needs() -> None:
    accounts = [
        replace(a, ending=Ending.DRAW if n < 5 else Ending.BOARD)
        for n, a in enumerate(simulated_accounts(40, 1))
    ]
    parts = {part.part: part for part in found_of(without_endings(accounts, 5)).parts}
    assert absent_reason(parts[Part.ENDGAME].interval) == (
        "too few: 5 games, at least 20 are needed"
    )
    assert absent_reason(parts[Part.DRAW].interval) == "too few: 5 games, at least 8 are needed"


def test_a_group_of_moves_says_that_results_are_those_of_whole_games() -> None:
    groups = found_of(simulated_accounts(60, 1)).groups
    of_moves = [g for g in groups if g.aspect in (Aspect.PHASE, Aspect.TIME_PRESSURE)]
    assert len(of_moves) == 5
    reasons = {absent_reason(figure) for g in of_moves for figure in (g.result, g.end)}
    assert reasons == {"a result and an end belong to the whole game, not to some of its moves"}


def test_a_group_of_many_games_and_few_moves_says_how_many_moves_it_needs() -> None:
    few = BothLosses(own=Losses(moves=2), theirs=Losses(moves=1))
    accounts = [
        replace(a, phases={**a.phases, Phase.ENDGAME: few}) for a in simulated_accounts(30, 1)
    ]
    groups = found_of(accounts).groups
    (endings,) = [g for g in groups if (g.aspect, g.key) == (Aspect.PHASE, "endgame")]
    assert absent_reason(endings.loss_per_move) == "too few: 60 moves, at least 100 are needed"
    assert absent_reason(endings.opponents_loss_per_move) == (
        "too few: 30 moves, at least 100 are needed"
    )


def test_openings_without_a_name_are_no_group() -> None:
    accounts = simulated_accounts(120, 1)
    nameless = [replace(a, opening=Opening(eco="C52", name="")) for a in accounts[:60]]
    found = found_of([*nameless, *accounts[60:]])
    families = {g.key.partition(":")[2] for g in found.groups if g.aspect is Aspect.OPENING}
    assert "" not in families
    keys = group_keys(nameless, UTC)[Aspect.OPENING]
    assert keys == [None] * 60


def test_no_group_of_few_games_has_a_figure() -> None:
    found = found_of(simulated_accounts(90, 6))
    assert found.groups_too_small > 0
    assert all(group.games >= found.fewest_games for group in found.groups)


def test_without_evaluations_results_alone_are_divided() -> None:
    found = found_of(simulated_accounts(300, 3, Peculiar(after_loss=0.6), evaluated=False))
    assert found.parts == () and isinstance(found.own_chances, NoEstimate)
    assert found.games == 300 and found.games_counted == 0 == found.games_with_clocks
    assert any(count.ending is Ending.CLOCK for count in found.endings)
    claims = [claim for claim in found.claims if isinstance(claim, GroupClaim)]
    assert {claim.figure for claim in claims} == {Figure.RESULT}
    (after_loss,) = [claim for claim in claims if claim.group.key == "after_loss"]
    assert isinstance(after_loss.group.loss_per_move, NoEstimate)


def test_without_a_finished_game_there_is_a_reason() -> None:
    unfinished = made_short_game(color=None)
    assert find_differences([unfinished]) == NoEstimate(reason="no game of the player has a result")
    assert isinstance(find_differences([]), NoEstimate)


def test_the_order_of_the_games_does_not_matter() -> None:
    accounts = simulated_accounts(60, 5)
    assert differences_of(accounts) == differences_of(accounts[::-1])


def test_every_winning_position_has_one_fate() -> None:
    found = found_of(simulated_accounts(200, 9, Peculiar(flags_when_winning=0.2)))
    for chances in (found.own_chances, found.opponents_chances):
        assert isinstance(chances, Chances)
        let_go = chances.on_time + chances.drawn + chances.resigned + chances.at_the_board
        assert chances.not_won == let_go > 0
    assert isinstance(found.own_chances, Chances) and found.own_chances.on_time > 10


def test_the_best_chance_wasted_and_the_worst_escape_are_named() -> None:
    accounts = simulated_accounts(100, 9)
    found = found_of(accounts)
    by_id = {account.game_id: account for account in accounts}
    assert found.best_chance_wasted and found.worst_escaped
    assert by_id[found.best_chance_wasted.game_id].score < 1
    assert found.best_chance_wasted.win_percent >= 75
    assert by_id[found.worst_escaped.game_id].score > 0
    assert found.worst_escaped.win_percent <= 25


def test_hours_and_weekdays_are_the_player_s_own() -> None:
    accounts = simulated_accounts(60, 5)
    tokyo = ZoneInfo("Asia/Tokyo")
    late = [replace(a, created_at=datetime(2026, 3, 1, 20, tzinfo=UTC)) for a in accounts[:30]]
    early = [replace(a, created_at=datetime(2026, 3, 3, 3, tzinfo=UTC)) for a in accounts[30:]]
    found = differences_of([*late, *early], zone=tokyo)
    assert isinstance(found, Differences)
    keys = {(g.aspect, g.key): g.games for g in found.groups}
    assert keys[Aspect.HOUR, "04-08"] == keys[Aspect.HOUR, "12-16"] == 30
    assert keys[Aspect.WEEKDAY, "1"] == keys[Aspect.WEEKDAY, "2"] == 30
    assert found.hours_zone == "Asia/Tokyo"


def test_a_session_ends_with_an_hour_between_two_games() -> None:
    start, base = datetime(2026, 3, 1, tzinfo=UTC), simulated_accounts(1, 1)[0]
    minutes, scores = (0, 10, 70, 131, 140), (0.0, 1.0, 0.5, 0.0, 1.0)
    accounts = [
        replace(base, created_at=start + timedelta(minutes=m), score=score)
        for m, score in zip(minutes, scores, strict=True)
    ]
    assert game_before(accounts) == ["first", "after_loss", "after_win", "first", "after_loss"]
    assert session_part(accounts) == ["1-3"] * 5
    many = [replace(base, created_at=start + timedelta(minutes=5 * n)) for n in range(12)]
    assert session_part(many) == ["1-3"] * 3 + ["4-9"] * 6 + ["10+"] * 3


def test_a_report_s_games_are_divided_as_they_are() -> None:
    games = [made_game_report(seed) for seed in range(1, 30)]
    found = find_differences(games)
    assert isinstance(found, Differences)
    assert found.games == found.games_counted == 29
    total = sum(part.points for part in found.parts)
    assert total == pytest.approx(found.score - found.expected_score)
    assert not [claim for claim in found.claims if isinstance(claim, ChancesClaim)]
