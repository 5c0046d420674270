"""What the model looks at, and above all what it does not."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulated_players import simulated_moves

from pipeline.records import Clock, MoveScore, Phase
from pipeline.strength.features import (
    all_feature_names,
    clock_feature_names,
    feature_row,
    game_features,
)
from pipeline.strength.own_moves import own_moves

BLITZ = Clock(initial_seconds=180, increment_seconds=2)


def made(
    losses: list[float], *, seconds_left: list[float] | None = None, **fields: object
) -> tuple[MoveScore, ...]:
    """White's moves from a level position, each losing so many win percent."""
    blank = simulated_moves(1500, np.random.default_rng(1), count=len(losses))
    return tuple(
        replace(
            move,
            win_percent_before=50.0,
            win_percent_after=50.0 - loss,
            phase=Phase.OPENING,
            seconds_left=None if seconds_left is None else seconds_left[i],
            **fields,
        )
        for i, (move, loss) in enumerate(zip(blank, losses, strict=True))
    )


def features_of(moves: tuple[MoveScore, ...], clock: Clock | None = None) -> dict[str, float]:
    return game_features(own_moves(moves), clock)


def test_losses_are_summed_up_as_one_would_by_hand() -> None:
    found = features_of(made([0.0, 4.0, 12.0, 0.0, 24.0]))
    assert found["moves"] == 5
    assert found["loss_mean"] == pytest.approx(8.0)
    assert found["loss_quantile_100"] == pytest.approx(24.0)
    assert found["share_over_10"] == pytest.approx(2 / 5)
    assert found["share_over_15"] == pytest.approx(1 / 5)
    assert found["level_share"] == 1.0
    assert found["moves_before_first_over_5"] == 2
    assert found["longest_run_under_5"] == 2
    assert found["loss_max_number"] == 5


def test_a_move_that_gains_has_lost_nothing() -> None:
    assert features_of(made([-30.0, 0.0]))["loss_mean"] == 0.0


def test_what_did_not_happen_is_not_a_number() -> None:
    found = features_of(made([1.0] * 12))
    assert np.isnan(found["endgame_loss_mean"])
    assert np.isnan(found["winning_loss_mean"])
    assert found["endgame_moves"] == 0


def test_opening_habits_are_read_from_the_moves() -> None:
    found = features_of(made([0.0] * 3, san="Qh5", move_uci="d1h5"))
    assert found["early_queen_moves"] == 3
    assert found["queen_share"] == 1.0
    assert found["first_queen_number"] == 1
    assert np.isnan(found["castling_number"])


def test_time_spent_comes_from_whole_seconds_left_and_the_increment() -> None:
    moves = made([0.0] * 4, seconds_left=[180.9, 172.0, 171.5, 100.2])
    found = features_of(moves, BLITZ)
    spent = [180 - 172 + 2, 172 - 171 + 2, 171 - 100 + 2]
    assert found["spent_mean"] == pytest.approx(np.mean(spent))
    assert found["spent_max_of_initial"] == pytest.approx(73 / 180)
    assert found["left_end_of_initial"] == pytest.approx(100 / 180)


def test_whole_seconds_of_a_dump_give_the_same_as_lichess_s_hundredths() -> None:
    exact = made([1.0] * 4, seconds_left=[180.03, 172.61, 171.02, 100.99])
    whole = made([1.0] * 4, seconds_left=[180.0, 172.0, 171.0, 100.0])
    assert features_of(exact, BLITZ) == pytest.approx(features_of(whole, BLITZ), nan_ok=True)


@pytest.mark.parametrize("clock", [None, BLITZ])
def test_a_game_without_clocks_has_no_clock_features(clock: Clock | None) -> None:
    assert not clock_feature_names() & features_of(made([1.0] * 5), clock).keys()


@given(st.integers(0, 10_000), st.integers(1, 80))
def test_any_game_has_every_feature_that_needs_no_clock(seed: int, count: int) -> None:
    moves = simulated_moves(1500, np.random.default_rng(seed), count=count)
    found = features_of(moves, BLITZ)
    assert set(found) == set(all_feature_names()) - clock_feature_names()
    assert all(np.isfinite(value) or np.isnan(value) for value in found.values())


def test_a_row_has_the_features_in_the_order_asked_for_and_gaps_where_there_are_none() -> None:
    row = feature_row({"b": 2.0, "a": 1.0}, ("a", "missing", "b"))
    np.testing.assert_equal(row, [1.0, np.nan, 2.0])


def test_no_feature_is_named_for_a_rating_a_result_or_the_opponent() -> None:
    forbidden = ("rating", "elo", "result", "score", "winner", "opponent", "name")
    assert not [name for name in all_feature_names() if any(word in name for word in forbidden)]
