"""Strength over time as it is shown: charts, sentences, table, JSON, terminal."""

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import UTC, timedelta, timezone
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_reports import (
    made_player_report,
    made_speed_report,
    made_trend_points,
    made_trends,
)
from rich.console import Console

from pipeline.records import NoEstimate, SpeedTrends, TrendDifference
from reports.svg_trends import difference_chart, signed_text, thinned, views_chart
from reports.terminal import render_report
from reports.to_html import report_to_html
from reports.to_json import report_to_json
from reports.trend_statements import trend_section, trend_sentences

SVG = "{http://www.w3.org/2000/svg}"
FEW = NoEstimate(reason="too few games: 4 whose moves can be judged, and a trend needs 10")


def views(trends: SpeedTrends) -> ET.Element:
    return ET.fromstring(views_chart(trends, UTC, scale="Lichess blitz", key="k"))


def paths(chart: ET.Element) -> dict[str, list[tuple[float, float]]]:
    """The points of each curve by its classes."""
    return {
        path.attrib["class"]: [
            (float(x), float(y)) for x, y in re.findall(r"([\d.-]+) ([\d.-]+)", path.attrib["d"])
        ]
        for path in chart.iter(f"{SVG}path")
    }


def ticks(chart: ET.Element) -> list[str]:
    return [t.text or "" for t in chart.iter(f"{SVG}text") if t.get("class") == "tick"]


def difference(**fields: float) -> TrendDifference:
    made = made_trends().difference
    assert isinstance(made, TrendDifference)
    return replace(made, **fields)  # type: ignore[arg-type]


def test_both_views_and_the_rating_are_drawn_over_one_axis() -> None:
    chart = views(made_trends())
    drawn = paths(chart)
    assert set(drawn) == {"band results", "band moves", "median results", "median moves", "rating"}
    assert ticks(chart) == [
        "1,500", "1,600", "1,700", "1,800", "1,900", "2026-01-03", "2026-02-07", "2026-03-14",
    ]  # fmt: skip
    # The results go from 1620 to 1700 on an axis from 1500 to 1900, where 0 is the top.
    assert drawn["median results"][0] == (0, 700)
    assert drawn["median results"][-1] == (1000, 500)


def test_a_band_has_its_median_within() -> None:
    drawn = paths(views(made_trends()))
    band, median = drawn["band moves"], drawn["median moves"]
    above, below = band[: len(median)], band[len(median) :][::-1]
    assert all(a[1] < m[1] < b[1] for a, m, b in zip(above, median, below, strict=True))


def test_the_charts_say_in_words_what_they_show() -> None:
    chart = views(made_trends())
    assert chart.get("role") == "img"
    assert chart.get("aria-labelledby") == "k-title k-desc"
    assert chart.findtext(f"{SVG}title") == "Strength over time on the Lichess blitz scale"
    said = chart.findtext(f"{SVG}desc") or ""
    assert "Results: 1,530–1,710 on 3 January 2026, 1,610–1,790 on 14 March 2026." in said
    assert "Lichess rating: 1,640 at first" in said
    lead = ET.fromstring(difference_chart(made_trends(), UTC, key="d"))
    assert "From −40 to +200 points on 3 January 2026" in (lead.findtext(f"{SVG}desc") or "")


def test_the_difference_is_drawn_around_a_line_at_zero() -> None:
    chart = ET.fromstring(difference_chart(made_trends(), UTC, key="d"))
    assert set(paths(chart)) == {"band lead", "median lead", "zero"}
    assert "0" in ticks(chart) and "+100" in ticks(chart) and "−100" in ticks(chart)


def test_a_missing_view_is_left_out_and_its_reason_told() -> None:
    alone = made_trends(moves=FEW, difference=FEW)
    assert set(paths(views(alone))) == {"band results", "median results", "rating"}
    assert difference_chart(alone, UTC, key="d") == ""
    (sentence,) = trend_sentences(alone)
    assert "your results went from 1,530–1,710 to 1,610–1,790" in sentence
    assert FEW.reason in sentence


def test_nothing_to_draw_is_no_chart() -> None:
    neither = made_trends(results=FEW, moves=FEW, difference=FEW)
    assert views_chart(neither, UTC, scale="Lichess blitz", key="k") == ""
    section = trend_section(made_speed_report(trends=FEW), UTC)
    assert section.views_chart == "" and section.rows == ()
    assert section.sentences == (f"There is no line over time: {FEW.reason}.",)


def test_charts_end_at_the_page_s_own_days() -> None:
    east = timezone(timedelta(hours=8))
    chart = ET.fromstring(views_chart(made_trends(), east, scale="Lichess blitz", key="k"))
    assert "2026-01-04" in ticks(chart)


@pytest.mark.parametrize(
    ("low", "high", "above", "said"),
    [
        (44, 162, 0.934, "stand 40–160 points above your results (80 % range); the probability "
         "that they really do is 93 %."),
        (-362, -8, 0.083, "stand 10–360 points below your results (80 % range); the probability "
         "that they really do is 92 %."),
        (-4, 181, 0.893, "stand 0–180 points above"),
        (-38, 181, 0.791, "stand between 40 points below and 180 points above your results "
         "(80 % range); the probability that they really stand above is 79 %."),
    ],
)  # fmt: skip
def test_the_difference_is_said_with_its_range_and_its_probability(
    low: float, high: float, above: float, said: str
) -> None:
    found = difference(low=low, high=high, moves_above_probability=above)
    assert said in trend_sentences(made_trends(difference=found))[1]


@given(st.floats(-500, 500), st.floats(0, 500), st.floats(0, 1))
def test_a_sentence_never_claims_certainty_or_a_negative_distance(
    low: float, width: float, above: float
) -> None:
    found = difference(low=low, high=low + width, moves_above_probability=above)
    sentence = trend_sentences(made_trends(difference=found))[1]
    assert "100 %" not in sentence and " 0 %" not in sentence
    assert "-" not in sentence and "−" not in sentence


def test_a_tall_table_is_thinned_evenly_and_says_so() -> None:
    points = made_trend_points(1600, 1700, 70, days=500)
    long = made_trends(
        results=replace(made_trends().results, points=points),  # type: ignore[arg-type]
        moves=FEW,
        difference=FEW,
    )
    section = trend_section(made_speed_report(trends=long), UTC)
    assert section.points == 500 and len(section.rows) == 60
    page = report_to_html(made_player_report(speeds=(made_speed_report(trends=long),)))
    assert "60 of 500 points, evenly chosen" in page


@given(st.integers(1, 700), st.integers(2, 100))
def test_thinning_keeps_the_ends_and_the_order(number: int, most: int) -> None:
    kept = list(thinned(range(number), most))
    assert len(kept) == min(number, most)
    assert kept[0] == 0 and kept[-1] == number - 1
    assert kept == sorted(set(kept))


@given(st.floats(-4000, 4000))
def test_a_signed_number_reads_back(points: float) -> None:
    text = signed_text(points)
    assert abs(int(text.replace("−", "-").replace(",", "")) - points) <= 5
    assert text[0] in "+−0"


def test_the_page_has_the_charts_the_sentences_and_the_table() -> None:
    page = report_to_html(made_player_report())
    assert 'id="trend-blitz-title"' in page and 'id="difference-blitz-title"' in page
    assert "From the first day to the last, your results went from" in page
    assert "The points behind the charts" in page
    assert "There is no line over time: too few days with games." in page


def test_the_json_has_every_point() -> None:
    (blitz, rapid) = json.loads(report_to_json(made_player_report()))["speeds"]
    assert len(blitz["trends"]["moves"]["points"]) == 24
    assert blitz["trends"]["moves"]["points"][0] == {
        "at": "2026-01-03T18:30:00Z", "low": 1622.0, "median": 1700.0, "high": 1778.0, "games": 2,
    }  # fmt: skip
    assert blitz["trends"]["difference"]["moves_above_probability"] == 0.893
    assert blitz["trends"]["ratings"][0] == {"at": "2026-01-03T18:30:00Z", "rating": 1640}
    assert rapid["trends"] == {"reason": "too few days with games"}


def test_the_terminal_says_it_in_sentences() -> None:
    out = StringIO()
    render_report(made_player_report(), Console(file=out, width=200))
    assert "the probability that they really do is 89 %." in out.getvalue()
    assert "There is no line over time: too few days with games." in out.getvalue()


def test_the_key_names_only_what_is_drawn() -> None:
    alone = made_speed_report(trends=made_trends(moves=FEW, difference=FEW, ratings=()))
    page = report_to_html(made_player_report(speeds=(alone,)))
    assert 'class="swatch results"' in page
    assert 'class="swatch moves"' not in page and 'class="swatch rating"' not in page
    assert "no number of games takes it out" not in page
