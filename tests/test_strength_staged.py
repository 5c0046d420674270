"""Staged searches: what is found and what it costs, by laws that hold for any game."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulated_players import simulated_game

from engines.evals import Centipawns, EngineId, Eval, GameEvals, Mate, SearchLimit
from pipeline.records import Game, GamePlayer
from pipeline.replay import Replay, replay
from pipeline.strength.staged import (
    STAGED_SEARCHES,
    Levels,
    Policy,
    deeper_after_losses,
    everywhere,
    quick_in_the_opening,
    quick_where_decided,
    searched,
)

QUICK, USUAL, DEEP = 2_000, 10_000, 20_000
PLIES = 6
GAME = simulated_game("staged", (GamePlayer(), GamePlayer()), (1500, 1500), seed=1, plies=PLIES)
EVALS = st.one_of(
    st.none(),
    st.builds(Centipawns, st.integers(-3000, 3000)),
    st.builds(Mate, st.sampled_from(("white", "black")), st.integers(1, 9)),
)
PASSES = st.lists(EVALS, min_size=PLIES + 1, max_size=PLIES + 1)


def at(nodes: int, evals: list[Eval | None]) -> GameEvals:
    return GameEvals(
        game_id="staged",
        engine=EngineId(name="made up"),
        limit=SearchLimit(nodes_per_position=nodes),
        evals=tuple(evals),
        best_moves_uci=tuple(f"{nodes} {position}" for position in range(len(evals))),
    )


def centipawns(*values: int) -> list[Eval | None]:
    return [Centipawns(value) for value in values]


def levels(quick: list[Eval | None], deep: list[Eval | None]) -> Levels:
    return {QUICK: at(QUICK, quick), DEEP: at(DEEP, deep)}


def checked(game: Game = GAME) -> Replay:
    return replay(game)


@given(quick=PASSES, deep=PASSES)
def test_deeper_wherever_anything_was_lost_costs_both_passes_and_is_the_deep_one(
    quick: list[Eval | None], deep: list[Eval | None]
) -> None:
    policy = deeper_after_losses(QUICK, DEEP, win_percent_lost=0)
    found = searched(policy, checked(), levels(quick, deep))
    assert found.evals == at(DEEP, deep)
    assert found.nodes == (PLIES + 1) * (QUICK + DEEP)


@given(quick=PASSES, deep=PASSES)
def test_deeper_where_more_was_lost_than_there_is_is_the_shallow_pass(
    quick: list[Eval | None], deep: list[Eval | None]
) -> None:
    policy = deeper_after_losses(QUICK, DEEP, win_percent_lost=100.5)
    found = searched(policy, checked(), levels(quick, deep))
    assert found.evals == at(QUICK, quick)
    assert found.nodes == (PLIES + 1) * QUICK


@given(quick=PASSES, deep=PASSES, one=st.floats(0, 100), other=st.floats(0, 100))
def test_the_more_has_to_be_lost_the_less_it_costs(
    quick: list[Eval | None], deep: list[Eval | None], one: float, other: float
) -> None:
    costs = [
        searched(
            deeper_after_losses(QUICK, DEEP, win_percent_lost=lost),
            checked(),
            levels(quick, deep),
        ).nodes
        for lost in sorted((one, other))
    ]
    assert costs[0] >= costs[1]


@given(quick=PASSES, deep=PASSES)
def test_every_evaluation_is_one_of_the_passes_at_the_same_position(
    quick: list[Eval | None], deep: list[Eval | None]
) -> None:
    for policy in (
        deeper_after_losses(QUICK, DEEP, win_percent_lost=5),
        quick_where_decided(QUICK, DEEP),
        quick_in_the_opening(QUICK, DEEP, plies=3),
    ):
        found = searched(policy, checked(), levels(quick, deep))
        limit = found.evals.limit
        assert limit is not None
        assert QUICK <= limit.nodes_per_position <= DEEP
        for pair in zip(found.evals.evals, found.evals.best_moves_uci, quick, deep, strict=True):
            evaluation, best, by_quick, by_deep = pair
            assert best is not None
            assert evaluation == (by_quick if best.startswith(f"{QUICK} ") else by_deep)


def test_both_ends_of_a_move_that_lost_are_searched_again_and_nothing_else() -> None:
    # White's second move, from position 2 to position 3, throws a pawn away.
    quick = centipawns(20, 20, 20, -100, -100, -100, -100)
    deep = centipawns(1, 2, 3, 4, 5, 6, 7)
    policy = deeper_after_losses(QUICK, DEEP, win_percent_lost=10)
    found = searched(policy, checked(), levels(quick, deep))
    assert found.evals.evals == (*quick[:2], *deep[2:4], *quick[4:])
    assert found.nodes == 7 * QUICK + 2 * DEEP


def test_a_gain_is_no_loss_and_black_loses_where_white_gains() -> None:
    policy = deeper_after_losses(QUICK, DEEP, win_percent_lost=10)
    deep = centipawns(1, 2, 3, 4, 5, 6, 7)
    gained = centipawns(20, 20, 20, 300, 300, 300, 300)
    assert searched(policy, checked(), levels(gained, deep)).nodes == 7 * QUICK
    lost_by_black = centipawns(20, 20, 300, 300, 300, 300, 300)
    assert searched(policy, checked(), levels(lost_by_black, deep)).nodes == 7 * QUICK + 2 * DEEP


def test_what_is_decided_is_searched_quickly_and_where_that_began_both_ways() -> None:
    quick = centipawns(11, 12, 13, 14, 2015, 2016, 2017)
    deep = centipawns(21, 22, 23, 24, 2025, 2026, 2027)
    found = searched(quick_where_decided(QUICK, DEEP), checked(), levels(quick, deep))
    # From the last position back: deep; two quick ones; one that turns out to be undecided.
    assert found.evals.evals == (*deep[:4], *quick[4:6], *deep[6:])
    assert found.nodes == 3 * DEEP + (QUICK + DEEP) + 2 * QUICK + DEEP


def test_the_opening_is_searched_quickly() -> None:
    quick, deep = centipawns(*range(7)), centipawns(*range(10, 17))
    found = searched(quick_in_the_opening(QUICK, DEEP, plies=3), checked(), levels(quick, deep))
    assert found.evals.evals == (*quick[:3], *deep[3:])
    assert found.nodes == 3 * QUICK + 4 * DEEP


def test_a_finished_position_is_not_searched() -> None:
    mate = replace(GAME, moves_san=("f3", "e5", "g4", "Qh4#"), source_evals=())
    evals = at(USUAL, [*centipawns(1, 2, 3, 4), Mate("black", 0)])
    assert searched(everywhere(USUAL), checked(mate), {USUAL: evals}).nodes == 4 * USUAL


@pytest.mark.parametrize("policy", STAGED_SEARCHES, ids=lambda policy: policy.name)
def test_the_staged_searches_of_the_table_look_at_no_other_levels(policy: Policy) -> None:
    own = {nodes: at(nodes, centipawns(*range(PLIES + 1))) for nodes in policy.nodes}
    assert searched(policy, checked(), own).nodes > 0
