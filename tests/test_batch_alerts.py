"""Alerts say what is so with the probability that was asked for, and nothing else."""

from dataclasses import replace
from datetime import timedelta
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_reports import made_player_report, made_speed_report, made_trends

from pipeline.batch.alerts import alerts_of
from pipeline.batch.outcomes import LINE_POINTS, outcome_of
from pipeline.records import NoEstimate, PlayerReport, Trend, TrendDifference, TrendPoint
from pipeline.store.batch_records import Alert

HALF_WIDTH_80 = NormalDist().inv_cdf(0.9)


def report_with(**trends: object) -> PlayerReport:
    none = NoEstimate(reason="too few games")
    given = {"results": none, "moves": none, "difference": none, **trends}
    speed = made_speed_report(trends=replace(made_trends(), **given))
    return replace(made_player_report(2), speeds=(speed,))


def view(*medians: float, deviation: float = 20, days: float = 45) -> Trend:
    """One point every so many days."""
    trend = made_trends().moves
    assert isinstance(trend, Trend)
    half = HALF_WIDTH_80 * deviation
    points = [
        TrendPoint(
            at=trend.points[0].at + timedelta(days=days * n),
            low=median - half,
            median=median,
            high=median + half,
            games=3,
        )
        for n, median in enumerate(medians)
    ]
    return replace(trend, coverage=0.8, points=tuple(points))


def alerts(report: PlayerReport, probability: float = 0.95, days: int = 90) -> list[Alert]:
    return list(alerts_of(report, probability=probability, days=days))


@pytest.mark.parametrize(("above", "points"), [(0.99, 120), (0.01, -120)])
def test_views_that_parted_are_told_with_the_side(above: float, points: float) -> None:
    difference = made_trends().difference
    assert isinstance(difference, TrendDifference)
    parted = replace(difference, moves_above_probability=above, median=points)
    (alert,) = alerts(report_with(difference=parted))
    assert (alert.kind, alert.points, alert.probability) == ("views_parted", points, 0.99)


@given(st.floats(0, 1), st.floats(0.5, 0.999))
def test_views_that_may_be_one_are_not_told(above: float, least: float) -> None:
    difference = made_trends().difference
    assert isinstance(difference, TrendDifference)
    report = report_with(difference=replace(difference, moves_above_probability=above))
    assert bool(alerts(report, probability=least)) == (max(above, 1 - above) >= least)


def test_a_view_that_moved_is_told_with_how_far_and_since_when() -> None:
    moved = view(1500, 1500, 1510, 1700)
    (alert,) = alerts(report_with(moves=moved))
    assert (alert.kind, alert.points) == ("moves_moved", 200)
    assert (alert.since, alert.until) == (moved.points[1].at, moved.points[3].at)
    assert alert.low < 200 < alert.high
    expected = NormalDist().cdf(200 / (20 * 2**0.5))
    assert alert.probability == pytest.approx(expected, abs=1e-4)


def test_results_that_fell_are_told_as_fallen() -> None:
    (alert,) = alerts(report_with(results=view(1700, 1500)))
    assert (alert.kind, alert.points) == ("results_moved", -200)


def test_what_moved_longer_ago_than_asked_is_no_news() -> None:
    assert alerts(report_with(moves=view(1500, 1700, 1700, 1700))) == []
    assert len(alerts(report_with(moves=view(1500, 1700, 1700, 1700)), days=135)) == 1


def test_a_wide_range_moves_nobody() -> None:
    assert alerts(report_with(moves=view(1500, 1700, deviation=150))) == []


def test_without_trends_there_is_nothing_to_tell() -> None:
    assert alerts(report_with()) == []
    speed = made_speed_report(trends=NoEstimate(reason="too few games"))
    assert alerts(replace(made_player_report(2), speeds=(speed,))) == []


def test_the_lines_of_an_outcome_keep_their_ends() -> None:
    long = view(*range(1000, 1400))
    report = report_with(moves=long)
    outcome = outcome_of(report, stem="x", alert_probability=0.95, alert_days=90)
    line = outcome.speeds[0].moves_line
    assert len(line) == LINE_POINTS
    assert (line[0].rating, line[-1].rating) == (1000, 1399)
    assert [p.at for p in line] == sorted(p.at for p in line)
