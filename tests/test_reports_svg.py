"""The charts: well-formed, true to the numbers, and readable without eyes."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_reports import made_move, made_moves

from pipeline.records import Judgement
from reports.svg import Interval, range_chart, rating_axis, win_chart

SVG = "{http://www.w3.org/2000/svg}"
RESULTS = Interval(kind="results", label="Your results", note="80 % range", low=1600, high=1700)
MOVES = Interval(kind="moves", label="Your moves", note="80 % range", low=1650, high=1800)


def _chart(*intervals: Interval, rating: int | None = 1698) -> ET.Element:
    return ET.fromstring(range_chart(intervals, rating, scale="Lichess blitz", key="k"))


def _bar(chart: ET.Element, kind: str) -> tuple[float, float]:
    bar = next(r for r in chart.iter(f"{SVG}rect") if r.get("class") == f"bar {kind}")
    left, width = float(bar.attrib["x"].rstrip("%")), float(bar.attrib["width"].rstrip("%"))
    return left, left + width


def test_both_ranges_and_the_rating_lie_on_one_axis() -> None:
    chart = _chart(RESULTS, MOVES)
    results, moves = _bar(chart, "results"), _bar(chart, "moves")
    marker = next(line for line in chart.iter(f"{SVG}line") if line.get("class") == "marker")
    rating = float(marker.attrib["x1"].rstrip("%"))
    ticks = [t.text for t in chart.iter(f"{SVG}text") if t.get("class") == "tick"]
    assert ticks == ["1,500", "1,600", "1,700", "1,800", "1,900"]
    assert results == pytest.approx((25, 50))
    assert moves == pytest.approx((37.5, 75))
    assert rating == pytest.approx(49.5)


def test_the_chart_says_in_words_what_it_shows() -> None:
    chart = _chart(RESULTS, MOVES)
    assert chart.get("role") == "img"
    assert chart.get("aria-labelledby") == "k-title k-desc"
    assert chart.findtext(f"{SVG}title") == "Ranges on the Lichess blitz scale"
    assert chart.findtext(f"{SVG}desc") == (
        "Your results: 1,600–1,700, 80 % range. Your moves: 1,650–1,800, 80 % range. "
        "Lichess rating: 1,698."
    )


def test_without_a_rating_there_is_no_mark() -> None:
    chart = _chart(MOVES, rating=None)
    assert "Lichess rating" not in "".join(chart.itertext())
    assert not list(chart.iter(f"{SVG}line"))


@given(st.lists(st.floats(min_value=0, max_value=4000), min_size=1, max_size=5))
def test_the_axis_holds_every_rating_with_few_round_ticks(ratings: list[float]) -> None:
    axis = rating_axis(ratings)
    assert axis.low < min(ratings) and max(ratings) < axis.high
    assert len(axis.ticks()) <= 6
    assert axis.ticks()[-1] == axis.high
    assert all(tick % 50 == 0 for tick in axis.ticks())
    assert all(0 <= axis.percent(rating) <= 100 for rating in ratings)


def test_a_game_is_drawn_from_whites_side() -> None:
    moves = (
        made_move(ply=1, color="white", win_percent_before=50.0, win_percent_after=40.0),
        made_move(ply=2, color="black", win_percent_before=60.0, win_percent_after=55.0),
    )
    chart = ET.fromstring(win_chart(moves, key="g"))
    line = next(path for path in chart.iter(f"{SVG}path") if path.get("class") == "line")
    assert line.get("d") == "M0 50l1 10 1-5"
    assert "lowest 40 %, highest 45 %" in (chart.findtext(f"{SVG}desc") or "")


def test_moves_without_evaluation_leave_a_gap() -> None:
    moves = (made_move(ply=1), made_move(ply=2, color="black"), made_move(ply=7))
    chart = ET.fromstring(win_chart(moves, key="g"))
    lines = [path for path in chart.iter(f"{SVG}path") if path.get("class") == "line"]
    assert len(lines) == 2


def test_mistakes_and_blunders_carry_a_dot_and_blunders_are_counted() -> None:
    moves = (
        made_move(ply=1, judgement=Judgement.BLUNDER),
        made_move(ply=2, color="black", judgement=Judgement.MISTAKE),
        made_move(ply=3, judgement=Judgement.INACCURACY),
    )
    chart = ET.fromstring(win_chart(moves, key="g"))
    dots = [p.get("class") for p in chart.iter(f"{SVG}path") if "dot" in (p.get("class") or "")]
    assert dots == ["dot blunder", "dot mistake"]
    assert "Blunders: White 1, Black 0." in (chart.findtext(f"{SVG}desc") or "")


def test_a_game_without_evaluations_has_no_chart() -> None:
    assert win_chart((), key="g") == ""


def test_a_long_game_stays_small() -> None:
    assert len(win_chart(made_moves(3, plies=300), key="g")) < 10_000
