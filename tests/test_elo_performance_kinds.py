"""Every performance rating beside the others, and what their intervals hold."""

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo.draws import outcome_chances
from pipeline.elo.expected import expected_score
from pipeline.elo.performance import performance
from pipeline.elo.performance_kinds import (
    linear_performance,
    logistic_performance,
    performance_kinds,
)
from pipeline.elo.played import Played
from pipeline.records import NoEstimate

VECTORS = Path(__file__).parent / "vectors" / "performance_logistic_recomputed.csv"
halves = st.sampled_from([0.0, 0.5, 1.0])
games = st.lists(st.builds(Played, st.integers(400, 3000), halves), min_size=1, max_size=30)


@pytest.mark.parametrize(
    "row",
    list(csv.DictReader(VECTORS.read_text("utf-8").splitlines())),
    ids=lambda row: row["opponents"],
)
def test_logistic_and_linear_performances_are_as_recomputed(row: dict[str, str]) -> None:
    opponents = [float(rating) for rating in row["opponents"].split(";")]
    score = float(row["score"])
    assert linear_performance(opponents, score) == pytest.approx(float(row["linear"]), abs=5e-5)
    found = logistic_performance(opponents, score)
    if row["logistic"] in ("+inf", "-inf"):
        assert isinstance(found, NoEstimate)
        assert ("won" if row["logistic"] == "+inf" else "lost") in found.reason
    else:
        assert found == pytest.approx(float(row["logistic"]), abs=5e-7)


@given(games)
def test_at_the_logistic_performance_the_score_is_the_expected_one(played: list[Played]) -> None:
    opponents, score = [g.opponent_rating for g in played], sum(g.score for g in played)
    found = logistic_performance(opponents, score)
    if isinstance(found, NoEstimate):
        assert score in (0, len(played))
    else:
        assert sum(expected_score(found, o) for o in opponents) == pytest.approx(score, abs=1e-6)


@given(games, st.integers(0, 29))
def test_half_a_point_more_never_lowers_any_performance(played: list[Played], index: int) -> None:
    worse = performance_kinds(played)
    game = played[index % len(played)]
    played[index % len(played)] = Played(game.opponent_rating, min(1.0, game.score + 0.5))
    better = performance_kinds(played)
    for kind in ("linear", "logistic", "fide", "perfect"):
        low, high = getattr(worse, kind), getattr(better, kind)
        if not isinstance(low, NoEstimate) and not isinstance(high, NoEstimate):
            assert high >= low - 1e-6, kind
    assert better.likelihood.rating >= worse.likelihood.rating - 1e-6


def test_the_four_formulas_are_those_of_their_names() -> None:
    found = performance_kinds(
        [Played(1600, 1), Played(1550, 0), Played(1450, 1), Played(1650, 0.5)]
    )
    assert found.linear == pytest.approx(1662.5)
    assert found.logistic == pytest.approx(1655.515906)
    assert (found.fide, found.perfect) == (1657, 1657)  # scalachess's player A
    assert found.likelihood.low < found.likelihood.rating < found.likelihood.high


def test_fractions_of_a_rating_are_no_fide_ratings() -> None:
    found = performance_kinds([Played(1500.5, 1)])
    assert isinstance(found.fide, NoEstimate) and isinstance(found.perfect, NoEstimate)
    assert found.linear == 1900.5


def test_no_games_and_impossible_scores_are_refused() -> None:
    with pytest.raises(InputError, match="no games"):
        performance_kinds([])
    with pytest.raises(InputError, match="Game 2"):
        performance_kinds([Played(1500, 1), Played(1500, 2)])


@pytest.mark.parametrize("equals_draw", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("count", [4, 15])
def test_with_draws_the_interval_holds_80_percent_of_simulated_players_or_more(
    count: int, equals_draw: float
) -> None:
    # A draw is half a win and half a loss to the likelihood: it takes them for more scatter
    # than there is, so that the interval errs on the wide side.
    random = np.random.default_rng(seed=count)
    held = []
    for _ in range(300):
        true = random.normal(1600, 150)
        opponents = 50 * np.round(random.normal(32, 2, size=count))
        expected = [expected_score(true, opponent) for opponent in opponents]
        chances = outcome_chances(expected, 2 * equals_draw / (1 - equals_draw))
        chance = random.random(count)
        scores = (chance < chances.win) + 0.5 * (
            (chance >= chances.win) & (chance < chances.win + chances.draw)
        )
        found = performance(opponents.tolist(), scores.tolist())
        held.append(found.low <= true <= found.high)
    assert 0.74 <= np.mean(held) <= 0.86 + 0.4 * equals_draw
