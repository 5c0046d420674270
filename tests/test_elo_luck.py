"""How likely a score is: exact, with draws, and the same as playing it out many times."""

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.elo.draws import draw_parameter, outcome_chances
from pipeline.elo.luck import score_luck, score_probabilities

shares = st.floats(0, 1)
parameters = st.floats(0, 50)


@given(st.lists(shares, min_size=1, max_size=30), parameters)
def test_win_draw_and_loss_keep_the_expected_score(expected: list[float], drawn: float) -> None:
    chances = outcome_chances(expected, drawn)
    assert chances.win + chances.draw + chances.loss == pytest.approx(1)
    assert chances.win + chances.draw / 2 == pytest.approx(np.array(expected), abs=1e-12)
    assert min(chances.win.min(), chances.draw.min(), chances.loss.min()) >= 0


@given(st.floats(0.01, 0.99), st.floats(0.01, 50))
def test_a_draw_is_davidson_s_multiple_of_the_geometric_mean(expected: float, drawn: float) -> None:
    chances = outcome_chances([expected], drawn)
    mean = np.sqrt(chances.win * chances.loss)
    assert chances.draw == pytest.approx(drawn * mean, rel=1e-9)


@given(st.lists(shares, min_size=1, max_size=5), parameters)
def test_every_total_has_the_probability_of_all_the_ways_to_it(
    expected: list[float], drawn: float
) -> None:
    chances = outcome_chances(expected, drawn)
    rows = list(zip(chances.loss, chances.draw, chances.win, strict=True))
    ways = np.zeros(2 * len(expected) + 1)
    for outcome in product(range(3), repeat=len(expected)):
        ways[sum(outcome)] += prod(row[half] for row, half in zip(rows, outcome, strict=True))
    assert score_probabilities(chances) == pytest.approx(ways, abs=1e-12)


@given(st.lists(shares, min_size=1, max_size=200), parameters)
def test_the_probabilities_of_all_scores_sum_to_1(expected: list[float], drawn: float) -> None:
    found = score_probabilities(outcome_chances(expected, drawn))
    assert found.sum() == pytest.approx(1)
    half_points = np.arange(len(found))
    assert (found * half_points).sum() / 2 == pytest.approx(sum(expected))


@given(st.lists(st.tuples(shares, st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=40))
def test_luckier_and_unluckier_share_only_the_score_itself(
    games: list[tuple[float, float]],
) -> None:
    expected, scores = zip(*games, strict=True)
    found = score_luck(expected, scores)
    luckier, unluckier = found.score_or_luckier_probability, found.score_or_unluckier_probability
    assert 0 <= luckier <= 1 and 0 <= unluckier <= 1
    assert luckier + unluckier >= 1 - 1e-9


def test_without_draws_it_is_the_binomial_of_the_textbook() -> None:
    found = score_probabilities(outcome_chances([0.5] * 10, 0.0))
    assert found[2 * 8 :].sum() == pytest.approx(56 / 1024)  # 8 heads or more of 10


def test_the_draw_parameter_expects_as_many_draws_as_there_were() -> None:
    expected = [0.3, 0.5, 0.62, 0.9] * 25
    drawn = outcome_chances(expected, draw_parameter(expected, 20)).draw.sum()
    assert drawn == pytest.approx(100 * 20.5 / 101)


def test_games_that_could_not_be_drawn_more_often_are_all_but_drawn() -> None:
    assert draw_parameter([0.5], 1) == pytest.approx(6)  # ¾ drawn: ν / (2 + ν)
    assert outcome_chances([0.9], draw_parameter([0.9], 1)).draw == pytest.approx(0.2, abs=1e-3)


def test_it_agrees_with_playing_the_games_many_times() -> None:
    random = np.random.default_rng(seed=3)
    expected = random.uniform(0.2, 0.8, size=40)
    scores = [1.0] * 22 + [0.5] * 6 + [0.0] * 12
    found = score_luck(expected.tolist(), scores)
    drawn = found.equals_draw_probability
    chances = outcome_chances(expected.tolist(), 2 * drawn / (1 - drawn))
    draws = random.random((20_000, 40))
    played = (draws < chances.win) + 0.5 * (
        (draws >= chances.win) & (draws < chances.win + chances.draw)
    )
    lucky = (played.sum(axis=1) >= sum(scores)).mean()
    assert found.score_or_luckier_probability == pytest.approx(lucky, abs=0.015)


@pytest.mark.parametrize(("expected", "scores"), [([], []), ([0.5], [1.0, 0.0])])
def test_each_score_needs_its_expectation(expected: list[float], scores: list[float]) -> None:
    with pytest.raises(ValueError, match="one expected score for each score"):
        score_luck(expected, scores)
