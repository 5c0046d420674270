"""What is read from the human-move model's opinion of a game."""

from dataclasses import replace

import numpy as np
import pytest
from simulated_humans import chosen_rows, simulated_likelihoods

from config.errors import ModelError
from engines.evals import Color
from engines.maia import HumanLikelihoods
from pipeline.strength.human_features import HUMAN_FEATURE_NAMES, human_features


def game(white: float, black: float = 1500.0, seed: int = 1, plies: int = 70) -> HumanLikelihoods:
    return simulated_likelihoods(
        {"white": white, "black": black}, np.random.default_rng(seed), plies=plies
    )


def value(name: str, row: np.ndarray) -> float:
    return float(row[HUMAN_FEATURE_NAMES.index(name)])


@pytest.mark.parametrize("level", [1000, 1600, 2200])
def test_players_who_choose_as_the_model_says_are_read_at_their_level(level: float) -> None:
    found = [
        value("human_rating", human_features(game(level, seed=seed, plies=600), "white"))
        for seed in range(20)
    ]
    assert np.mean(found) == pytest.approx(level, abs=70)


def test_each_side_is_read_by_its_own_moves() -> None:
    both = game(1000, 2200)
    sides: tuple[tuple[Color, int], ...] = (("white", 1), ("black", 0))
    for color, odd in sides:
        alone = chosen_rows(both, both.plies % 2 == odd)
        assert np.array_equal(human_features(alone, color), human_features(both, color))


def test_a_forced_move_says_nothing() -> None:
    whole = game(1800)
    forced = replace(whole, legal_move_counts=np.where(whole.plies == 21, 1, 6))
    without = chosen_rows(whole, whole.plies != 21)
    assert np.array_equal(human_features(forced, "white"), human_features(without, "white"))


def test_without_any_choice_nothing_is_said_for_or_against_any_rating() -> None:
    none = chosen_rows(game(1800), np.zeros(64, dtype=bool))
    row = human_features(none, "white")
    assert value("human_rating", row) == pytest.approx(1600)
    assert not row[1:].any()


def test_better_players_gain_at_every_step() -> None:
    weak, strong = (
        np.mean([human_features(game(level, seed=s), "white") for s in range(20)], axis=0)
        for level in (900, 2300)
    )
    for name in HUMAN_FEATURE_NAMES:
        if name.startswith("log_p_gain"):
            assert value(name, strong) > value(name, weak)


def test_expectations_rise_with_the_rating_they_are_of() -> None:
    row = human_features(game(1500), "white")
    gains = [value(f"expected_gain_at_{rating}", row) for rating in (600, 1400, 2600)]
    assert gains == sorted(gains)
    assert gains[0] < 0 < gains[2]


def test_likelihoods_for_other_ratings_are_refused_with_their_game() -> None:
    other = replace(game(1500), game_id="abcd1234", ratings=(600, 1100, 1600, 2100, 2600))
    with pytest.raises(ModelError, match=r"abcd1234.*compute them again"):
        human_features(other, "white")
