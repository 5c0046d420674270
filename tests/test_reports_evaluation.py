"""An evaluation as a person meets it: in the terminal, and as a drawing."""

import io
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from rich.console import Console

from pipeline.strength.band_test import BandResult, BandTest
from pipeline.strength.baselines import Baselines
from pipeline.strength.evaluation import EvaluatedFile, Evaluation
from pipeline.strength.figures import About, Figures, RangeFigures
from pipeline.strength.measured import Measured
from pipeline.strength.reliability import LEVELS, LevelReached, Reliability
from reports.svg_reliability import reliability_chart
from reports.terminal_evaluation import render_evaluation

SVG = "{http://www.w3.org/2000/svg}"


def _measured(value: float) -> Measured:
    return Measured(value=value, standard_error=value / 20)


def _ranges(mae: float, *, whole: bool = True) -> RangeFigures:
    return RangeFigures(
        mae=_measured(mae),
        bias=_measured(-12.0),
        coverage=_measured(0.81),
        mean_width=_measured(3 * mae),
        r_squared=_measured(0.62) if whole else None,
    )


def _figures(about: About, mae: float, *, alone: float | None = None) -> Figures:
    return Figures(
        about=about,
        pools=1234,
        players=456,
        ranges=_ranges(mae, whole=about.band is None),
        without_human_model=None if alone is None else _ranges(alone),
        baselines=Baselines(
            constant=_measured(265.0), acpl_formula=_measured(448.0), acpl_line=_measured(251.0)
        ),
    )


def _about(selection: str = "steady", games: int = 1, band: tuple[int, int] | None = None) -> About:
    return About(speed="rapid", selection=selection, games_per_pool=games, band=band)


def _reliability(games: int) -> Reliability:
    levels = tuple(LevelReached(level=lv, below=_measured(0.9 * lv)) for lv in LEVELS)
    return Reliability(
        speed="rapid", selection="steady", games_per_pool=games, pools=1234, levels=levels
    )


BAND_TEST = BandTest(
    speed="rapid",
    both_players=True,
    sides_per_draw=40,
    draws_per_band=200,
    seed=1,
    exact=_measured(0.91),
    bands=tuple(
        BandResult(band=(low, low + 200), available=30, exact=0.91)
        for low in range(1000, 2600, 200)
    ),
)
EVALUATION = Evaluation(
    model_name="stockfish-maia-1",
    stated_coverage=0.8,
    files=(EvaluatedFile(name="rapid.ndjson.zst", sha256="0" * 64, fitted_on=True),),
    players="held-out",
    sample=0,
    speeds_with_human_model=("rapid",),
    human_networks=("maia3-5m 0123",),
    player_games=2500,
    left_out=(("no human likelihoods", 77),),
    figures=(
        _figures(_about(), 147.0, alone=211.0),
        _figures(_about(band=(1400, 1600)), 98.0),
        _figures(_about(games=10), 71.0),
        _figures(_about("steady and long"), 141.0),
        replace(
            _figures(_about("steady"), 999.0),
            about=replace(_about(), division="clocks", part="with"),
        ),
        _figures(_about("all"), 149.0),
    ),
    reliability=(_reliability(1), _reliability(10)),
    exact_band_of_eight=(BAND_TEST,),
)


def shown(evaluation: Evaluation, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    render_evaluation(evaluation, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def row(text: str, name: str) -> list[str]:
    return next(line for line in text.splitlines() if line.strip().startswith(name)).split()


def test_the_figures_that_matter_stand_in_one_table_of_eighty_columns() -> None:
    text = shown(EVALUATION)
    assert "…" not in text
    assert row(text, "1 game ")[2:8] == ["1234", "456", "147", "±", "7", "-12"]
    assert row(text, "10 games")[4:7] == ["71", "±", "4"]
    assert row(text, "1 game, 1400–1599")[5:8] == ["98", "±", "5"]
    assert row(text, "1 game, 25+ moves")[6] == "141"
    assert row(text, "1 game, all ratings")[6] == "149"
    assert "999" not in text


def test_what_costs_nothing_stands_beside_it() -> None:
    text = shown(EVALUATION)
    assert row(text, "constant guess")[2] == "265"
    assert row(text, "3100·e^(-0.01·ACPL)")[1] == "448"
    assert row(text, "fitted line in ACPL")[4] == "251"
    assert row(text, "Stockfish alone")[4] == "211"


def test_it_says_whether_the_human_move_model_took_part_and_what_was_left_out() -> None:
    assert "Rapid: 80 % ranges, with the human-move model" in shown(EVALUATION)
    assert "left out: 77 no human likelihoods" in shown(EVALUATION)
    alone = replace(EVALUATION, speeds_with_human_model=())
    assert "Rapid: 80 % ranges, by Stockfish's view alone" in shown(alone)


def test_a_bar_is_as_long_as_its_level_was_reached_with_a_stroke_where_it_should_be() -> None:
    line = next(part for part in shown(EVALUATION).splitlines() if part.startswith(" 50%"))
    bar = line.split()[1]
    assert bar == "█" * 22 + "·" * 3 + "┃" + "·" * 24
    assert line.endswith("45 ± 2 %")


def test_all_or_none_of_a_few_is_a_count_and_not_a_percentage_without_error() -> None:
    nine = replace(
        EVALUATION.figures[2],
        pools=9,
        ranges=replace(_ranges(51.0), coverage=Measured(value=1.0, standard_error=0.0)),
    )
    text = shown(replace(EVALUATION, figures=(EVALUATION.figures[0], nine)))
    assert "9 of 9" in text
    assert "100 ± 0" not in text


def test_the_band_test_is_one_sentence_where_it_was_made() -> None:
    sentence = "20 games, both players, drawn from one 200-point band of 1000–2600"
    assert sentence in " ".join(shown(EVALUATION, width=200).split())
    missing = replace(BAND_TEST, exact=None)
    assert "200-point band" not in shown(replace(EVALUATION, exact_band_of_eight=(missing,)))
    sides = replace(BAND_TEST, both_players=False)
    assert "40 player-games drawn" in shown(replace(EVALUATION, exact_band_of_eight=(sides,)))


def test_a_speed_without_steady_ratings_is_no_empty_table() -> None:
    unsteady = replace(EVALUATION, figures=(_figures(_about("all"), 149.0),), reliability=())
    assert "Rapid: no steady ratings" in shown(unsteady)


# --- the drawing ---------------------------------------------------------------------------


def test_the_drawing_has_a_line_for_single_games_and_one_for_ten() -> None:
    chart = ET.fromstring(reliability_chart(EVALUATION))
    assert [path.get("class") for path in chart.iter(f"{SVG}path")] == ["games-1", "games-10"]
    assert len(list(chart.iter(f"{SVG}circle"))) == 2 * len(LEVELS)


def test_a_point_lies_at_its_level_and_as_high_as_it_was_reached() -> None:
    chart = ET.fromstring(reliability_chart(EVALUATION))
    middle = list(chart.iter(f"{SVG}circle"))[LEVELS.index(0.5)]
    assert float(middle.attrib["cx"]) == pytest.approx(150)
    assert float(middle.attrib["cy"]) == pytest.approx(300 * (1 - 0.45))


def test_the_drawing_says_in_words_what_it_shows() -> None:
    chart = ET.fromstring(reliability_chart(replace(EVALUATION, model_name="a <b>")))
    assert chart.findtext(f"{SVG}title") == "Reliability of the ranges of a <b>"
    words = chart.findtext(f"{SVG}desc") or ""
    assert "Rapid, one game: the rating lies below the " in words
    assert "10% level in 9%" in words
