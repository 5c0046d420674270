"""What is read from the human-move model's opinion of a game."""

from dataclasses import replace

import numpy as np
import pytest
from simulated_humans import chosen_rows, simulated_likelihoods

from config.errors import ModelError
from engines.evals import Color
from engines.human_likelihoods import HumanLikelihoods
from pipeline.records import Clock
from pipeline.strength.human_clock_features import HUMAN_CLOCK_FEATURE_NAMES
from pipeline.strength.human_features import (
    HUMAN_FEATURE_NAMES,
    human_feature_names,
    human_features,
)


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
        assert np.array_equal(
            human_features(alone, color), human_features(both, color), equal_nan=True
        )


def test_a_forced_move_says_nothing() -> None:
    whole = game(1800)
    forced = replace(whole, legal_move_counts=np.where(whole.plies == 21, 1, 6))
    without = chosen_rows(whole, whole.plies != 21)
    found = [human_features(likelihoods, "white") for likelihoods in (forced, without)]
    assert np.array_equal(*found, equal_nan=True)


def test_without_any_choice_nothing_is_said_for_or_against_any_rating() -> None:
    none = chosen_rows(game(1800), np.zeros(64, dtype=bool))
    said = dict(zip(HUMAN_FEATURE_NAMES, human_features(none, "white"), strict=True))
    ratings = [said.pop(name) for name in list(said) if name.startswith("human_rating")]
    assert ratings == pytest.approx([1600] * 5)
    assert said.pop("human_score") == 0.5
    assert not any(said[name] for name in said if name not in HUMAN_CLOCK_FEATURE_NAMES)


def test_a_stage_is_read_by_its_own_moves() -> None:
    early = chosen_rows(game(1800), np.arange(7, 71) <= 24)
    row, whole = human_features(early, "white"), human_features(game(1800), "white")
    assert value("human_rating", row) == value("human_rating_plies_7_to_24", whole)
    assert value("human_rating_plies_25_to_60", row) == pytest.approx(1600)


def test_where_a_game_is_as_good_as_over_moves_do_not_count_as_level() -> None:
    decided = replace(game(2200), expected_scores=np.full((64, 5), 0.95))
    row = human_features(decided, "white")
    assert value("human_rating_while_level", row) == pytest.approx(1600)
    assert value("human_rating", row) > 1700
    assert value("human_score", row) == pytest.approx(0.95)


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


BLITZ = Clock(initial_seconds=180, increment_seconds=2)


def clocks(seconds_a_move: float, plies: int = 70) -> tuple[int, ...]:
    """Of a game in which either side takes as long for every move."""
    gone = np.arange(plies) // 2 * (seconds_a_move - BLITZ.increment_seconds)
    return tuple(int(left) for left in np.round((BLITZ.initial_seconds - gone) * 100))


def test_without_clocks_the_columns_about_them_and_no_others_are_empty() -> None:
    without = human_features(game(1500), "white")
    short_of_clocks = human_features(game(1500), "white", BLITZ, clocks(3)[:60])
    no_time_control = human_features(game(1500), "white", None, clocks(3))
    timed = human_features(game(1500), "white", BLITZ, clocks(3))
    empty = [name in HUMAN_CLOCK_FEATURE_NAMES for name in HUMAN_FEATURE_NAMES]
    for row in (without, short_of_clocks, no_time_control):
        assert np.isnan(row).tolist() == empty
    assert not np.isnan(timed).any()
    width = len(human_feature_names(with_clocks=False))
    assert np.array_equal(timed[:width], without[:width])
    assert human_feature_names(with_clocks=True)[:width] == human_feature_names(with_clocks=False)


def test_moves_played_at_once_are_read_apart_from_considered_ones() -> None:
    played = game(1900)
    at_once, slowly = (
        human_features(played, "white", BLITZ, clocks(seconds)) for seconds in (1, 3)
    )
    assert value("gain_considered", at_once) == value("gain_instant", slowly) == 0
    assert value("gain_instant", at_once) == value("gain_considered", slowly) != 0
    assert value("log_seconds_open_choices", slowly) > value("log_seconds_open_choices", at_once)


def test_what_is_played_with_little_time_left_is_read_apart() -> None:
    row = human_features(game(1900), "white", BLITZ, clocks(7))
    assert value("gain_short_of_time", row) != 0 != value("gain_with_time", row)
    calm = human_features(game(1900), "white", BLITZ, clocks(3))
    assert value("gain_short_of_time", calm) == 0


def test_time_spent_where_the_choice_is_open_shows_in_the_correlation() -> None:
    played = game(1900, plies=200)
    entropy = -played.expected_log_probabilities[:, 2, 2]
    spent = np.concatenate([np.full(6, 2.0), 2 + 4 * entropy])
    left = np.empty(len(spent))
    for first in (0, 1):
        left[first::2] = 3000 - np.cumsum(spent[first::2] - BLITZ.increment_seconds)
    times = tuple(int(value) for value in np.round(left * 100))
    row = human_features(played, "white", BLITZ, times)
    assert value("log_seconds_and_entropy_correlation", row) > 0.8


def test_hundredths_of_a_second_change_nothing() -> None:
    """A database dump has whole seconds; Lichess's export has hundredths."""
    exact = clocks(2.37)
    whole = tuple(left // 100 * 100 for left in exact)
    found = [human_features(game(1500), "white", BLITZ, times) for times in (exact, whole)]
    assert np.array_equal(*found)
