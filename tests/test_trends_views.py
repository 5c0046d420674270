"""Both views over time: what a reader of the charts relies on."""

import random
import time
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from bench_trends import figures_of
from simulated_trends import CAREERS, FIRST_DAY, SCALE, Simulated, pooling, simulated

from engines.evals import Color
from pipeline.elo.results import estimate_results
from pipeline.evidence import Played
from pipeline.records import (
    Evidence,
    NoEstimate,
    ResultEstimate,
    SpeedTrends,
    Trend,
    TrendDifference,
    TrendStep,
)
from pipeline.strength.aggregate import Pooling, pooled_posterior
from pipeline.strength.balance import Balance
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.grid import central_range
from pipeline.trends.trends import FEWEST_GAMES, speed_trends

BY_NAME = {career.name: career for career in CAREERS}
NO_MODEL = NoEstimate(reason="no model for bullet games yet")


def player(career: str = "constant", *, seed: int = 1, games: int = 60) -> Simulated:
    return simulated(BY_NAME[career], np.random.default_rng(seed), games=games)


def trends_of(
    played: tuple[Played, ...] | list[Played],
    *,
    pooled_with: Pooling | NoEstimate | None = None,
    step: TrendStep = "day",
) -> SpeedTrends:
    found = speed_trends(
        played, scale=SCALE, pooling=pooled_with or pooling(), coverage=0.8, step=step
    )
    assert isinstance(found, SpeedTrends)
    return found


def within_days(played: tuple[Played, ...], days: int = 3) -> tuple[Played, ...]:
    """The same games, all within so many days: no time to change."""
    return tuple(
        replace(
            p,
            game=replace(
                p.game, created_at=FIRST_DAY + timedelta(days=number % days, seconds=number)
            ),
        )
        for number, p in enumerate(played)
    )


def evidence_of(played: tuple[Played, ...]) -> list[Evidence]:
    return [e for p in played if isinstance(e := p.evidence[p.color], Evidence)]


def test_over_one_short_stretch_the_moves_agree_with_the_pooled_range() -> None:
    model = StrengthModel.load().fitted.speed("blitz")
    assert model is not None
    balance = Balance(prior_weight=0.7, evidence_weight=1.2)
    own = Pooling(log_prior=0.7 * model.log_prior, evidence_weight=1.2, shared_variance=0.2)
    for seed in range(4):
        played = within_days(player(seed=seed).played)
        posterior = pooled_posterior(
            evidence_of(played), log_prior=model.log_prior, shared_variance=0.2, balance=balance
        )
        pooled = central_range(posterior, 0.8)
        moves = trends_of(played, pooled_with=own).moves
        assert isinstance(moves, Trend)
        for point in moves.points:
            assert (point.low, point.median, point.high) == pytest.approx(pooled, abs=10)


def test_over_one_short_stretch_the_results_agree_with_the_performance() -> None:
    for seed in range(4):
        played = within_days(player(seed=seed, games=200).played)
        pooled = estimate_results([(p.game, p.color) for p in played], scale=SCALE, coverage=0.8)
        results = trends_of(played).results
        assert isinstance(pooled, ResultEstimate) and isinstance(results, Trend)
        for point in results.points:
            assert point.low == pytest.approx(pooled.performance_low, abs=6)
            assert point.high == pytest.approx(pooled.performance_high, abs=6)


@pytest.mark.parametrize("career", [career.name for career in CAREERS])
def test_no_day_claims_more_than_the_range_over_all_games(career: str) -> None:
    one = player(career, games=200)
    posterior = pooled_posterior(
        evidence_of(one.played), log_prior=pooling().log_prior, shared_variance=0.2
    )
    low, _, high = central_range(posterior, 0.8)
    moves = trends_of(one.played).moves
    assert isinstance(moves, Trend)
    # The likelihood is a little sharper at some ratings than at others.
    assert min(p.high - p.low for p in moves.points) > 0.95 * (high - low)


def test_ranges_hold_four_fifths_of_simulated_strengths() -> None:
    """Of 12 players a career, all 60 together.

    A player's share that holds scatters with a standard deviation of at most 0.4, so the mean of
    60 with 0.052: three of those are 0.155. Steady players are held more often, by design: the
    walk is allowed for even where there is none.
    """
    found = [
        figures_of(player(career.name, seed=100 + seed, games=60))
        for career in CAREERS
        for seed in range(12)
    ]
    for view, most in (("results", 1.0), ("moves", 0.955), ("difference", 0.955)):
        holds = float(np.mean([figures[view].holds for figures in found]))
        assert 0.645 < holds <= most, view
    whole = float(np.mean([figures["whole difference"].holds for figures in found]))
    assert 0.645 < whole < 0.955


def test_the_difference_is_found_where_there_is_one() -> None:
    rng = np.random.default_rng(8)
    level = simulated(BY_NAME["constant"], rng, games=120, moves_above=0, shared_variance=0.02)
    above = simulated(BY_NAME["constant"], rng, games=120, moves_above=250, shared_variance=0.02)
    own = pooling(shared_variance=0.02)
    none, much = (trends_of(p.played, pooled_with=own).difference for p in (level, above))
    assert isinstance(none, TrendDifference) and isinstance(much, TrendDifference)
    assert 0.02 < none.moves_above_probability < 0.98
    assert much.moves_above_probability > 0.99
    assert much.low < 250 < much.high


def test_no_number_of_games_makes_the_difference_surer_than_the_style_allows() -> None:
    widths = []
    for games in (300, 1200):
        difference = trends_of(player(games=games).played).difference
        assert isinstance(difference, TrendDifference)
        widths.append(difference.high - difference.low)
    assert widths[1] > 0.85 * widths[0]


def test_the_order_of_the_games_given_does_not_matter() -> None:
    played = list(player().played)
    shuffled = random.Random(3).sample(played, len(played))
    assert trends_of(shuffled) == trends_of(played)


def test_a_step_by_game_has_a_point_for_each_game() -> None:
    found = trends_of(player("rises 300").played, step="game")
    assert isinstance(found.results, Trend) and isinstance(found.moves, Trend)
    assert [p.games for p in found.results.points] == [1] * 60
    assert len(found.moves.points) == 60


def test_days_are_counted_and_long_gaps_have_points_without_games() -> None:
    found = trends_of(player("falls 200 in a gap", games=90).played)
    assert isinstance(found.results, Trend) and isinstance(found.moves, Trend)
    assert sum(p.games for p in found.results.points) == found.results.games == 90
    assert any(p.games == 0 for p in found.moves.points)
    times = [p.at for p in found.moves.points]
    assert times == sorted(times) and len(set(times)) == len(times)
    assert [p.at for p in found.results.points] == times


def test_the_rating_is_the_one_before_each_game() -> None:
    played = player().played
    unrated = replace(played[0].game.white, rating=None)
    played = (replace(played[0], game=replace(played[0].game, white=unrated)), *played[1:])
    ratings = trends_of(played).ratings
    assert [r.rating for r in ratings] == [p.game.white.rating for p in played[1:]]


def test_a_view_with_too_few_games_says_how_many_there_are() -> None:
    played = tuple(
        p if number < 4 else replace(p, evidence={"white": NoEstimate(reason="too short")})
        for number, p in enumerate(player().played)
    )
    found = trends_of(played)
    assert isinstance(found.results, Trend)
    assert isinstance(found.moves, NoEstimate) and isinstance(found.difference, NoEstimate)
    assert "4" in found.moves.reason and str(FEWEST_GAMES) in found.moves.reason


def test_without_a_model_the_results_stand_alone() -> None:
    found = trends_of(player().played, pooled_with=NO_MODEL)
    assert isinstance(found.results, Trend)
    assert found.moves == found.difference == NO_MODEL


def test_views_of_different_games_are_not_compared() -> None:
    nameless: dict[Color, Evidence | NoEstimate] = {"white": NoEstimate(reason="too short")}
    played = tuple(
        replace(p, evidence=nameless)
        if number < 30
        else replace(p, game=replace(p.game, black=replace(p.game.black, rating=None)))
        for number, p in enumerate(player().played)
    )
    found = trends_of(played)
    assert isinstance(found.results, Trend) and isinstance(found.moves, Trend)
    assert isinstance(found.difference, NoEstimate)
    assert "0 that count in both views" in found.difference.reason


@pytest.mark.parametrize("played", [(), within_days(player().played, days=2)])
def test_too_few_days_are_no_line(played: tuple[Played, ...]) -> None:
    found = speed_trends(played, scale=SCALE, pooling=pooling(), coverage=0.8)
    assert isinstance(found, NoEstimate)


@pytest.mark.parametrize("won", [True, False])
def test_a_player_who_wins_or_loses_everything_has_a_finite_trend(won: bool) -> None:
    played = tuple(
        replace(p, game=replace(p.game, winner="white" if won else "black"))
        for p in player().played
    )
    results = trends_of(played).results
    assert isinstance(results, Trend)
    average = np.mean([p.game.black.rating for p in played])
    assert all((p.median > average + 300) == won for p in results.points)
    assert all(0 <= p.low < p.median < p.high <= 4000 for p in results.points)


def test_five_thousand_games_take_a_moment() -> None:
    played = player("rises 300", games=5000).played
    started = time.process_time()
    trends_of(played)
    # Half a second on an idle core; threads of the linear algebra count too.
    assert time.process_time() - started < 6
