"""The score that a target takes, by every system, against trying every score."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo import rating_after
from pipeline.elo.logistic import as_rating_period
from pipeline.elo.played import Played
from pipeline.elo.what_if import RatingAfter, ScoreNeeded, score_needed
from pipeline.records import NoEstimate

SYSTEMS: dict[str, RatingAfter] = {
    "elo": rating_after.elo(1500, k=20),
    "fide": rating_after.fide(1500, k=20, on=date(2025, 11, 1)),
    "cma": rating_after.cma(1500),
    "cfc": rating_after.cfc(1500),
    "uscf": rating_after.uscf(1500, prior_games=60, on=date(2025, 11, 1)),
    "uscf, few games": rating_after.uscf(1500, prior_games=6, on=date(2025, 11, 1)),
    "lichess": rating_after.lichess(1500, deviation=80, perf="blitz"),
}
opponents = st.lists(st.integers(1100, 1900), min_size=1, max_size=8)
systems = st.sampled_from(sorted(SYSTEMS))


def easiest_first(met: list[int], half_points: int) -> list[Played]:
    scores = [0.0] * len(met)
    for index in sorted(range(len(met)), key=lambda i: met[i]):
        scores[index] = min(half_points, 2) / 2
        half_points -= min(half_points, 2)
    return [Played(rating, score) for rating, score in zip(met, scores, strict=True)]


@given(systems, opponents, st.integers(-150, 150))
def test_it_is_the_smallest_of_all_scores_that_reaches_the_target(
    system: str, met: list[int], gain: int
) -> None:
    after, target = SYSTEMS[system], 1500 + gain
    totals = [after(easiest_first(met, half)) for half in range(2 * len(met) + 1)]
    reaching = [half / 2 for half, rating in enumerate(totals) if rating >= target]
    found = score_needed(met, target, after)
    if isinstance(found, NoEstimate):
        assert reaching == []
        assert f"it is {totals[-1]:.2f}" in found.reason
    else:
        assert found.score == reaching[0]
        assert found.rating_after >= target
        assert sum(game.score for game in found.games) == found.score
        assert after(found.games) == found.rating_after


@given(opponents, st.integers(0, 16))
def test_it_agrees_with_the_change_of_the_same_games(met: list[int], half_points: int) -> None:
    games = easiest_first(met, min(half_points, 2 * len(met)))
    reached = as_rating_period(1500, games, 20).rating_after
    found = score_needed(met, reached, SYSTEMS["elo"])
    assert isinstance(found, ScoreNeeded)
    assert found.score <= sum(game.score for game in games)
    assert found.rating_after == pytest.approx(reached)


def test_in_a_rating_period_only_the_total_counts() -> None:
    found = score_needed([1400, 1700], 1505, SYSTEMS["elo"])
    assert isinstance(found, ScoreNeeded) and found.only_total_counts


def test_on_lichess_it_matters_which_game_is_won() -> None:
    found = score_needed([1200, 1700, 1500], 1500, SYSTEMS["lichess"])
    assert isinstance(found, ScoreNeeded) and not found.only_total_counts


def test_a_target_beyond_a_full_score_says_what_a_full_score_gives() -> None:
    assert score_needed([1500] * 3, 1600, SYSTEMS["elo"]) == NoEstimate(
        reason="1600 cannot be reached: with all 3 games won it is 1530.00"
    )
    assert score_needed([1500], 1600, SYSTEMS["elo"]) == NoEstimate(
        reason="1600 cannot be reached: with the game won it is 1510.00"
    )


def test_a_target_that_every_result_reaches_needs_no_point() -> None:
    found = score_needed([1500], 1400, SYSTEMS["elo"])
    assert isinstance(found, ScoreNeeded) and found.score == 0


def test_no_opponents_and_no_number_are_refused() -> None:
    with pytest.raises(InputError, match="no games"):
        score_needed([], 1600, SYSTEMS["elo"])
    with pytest.raises(InputError, match="target"):
        score_needed([1500], float("nan"), SYSTEMS["elo"])


def test_a_k_that_is_no_whole_number_is_none_of_fide_s() -> None:
    with pytest.raises(InputError, match="whole number"):
        score_needed([1500], 1510, rating_after.fide(1500, k=12.5, on=date(2025, 11, 1)))
