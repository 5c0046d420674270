"""Where the points went, as people read it: sentences, chart, tables, terminal, JSON."""

import json
import re
from dataclasses import replace
from datetime import UTC
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Literal

import pytest
from accessibility import serious_faults
from browser import browser_fixture, page_fixture  # noqa: F401
from made_reports import made_differences, made_player_report, made_speed_report
from playwright.sync_api import Page, expect
from rich.console import Console
from simulated_accounts import Peculiar, simulated_accounts

from pipeline.differences.find import differences_of
from pipeline.records import (
    Aspect,
    Chances,
    ChancesClaim,
    Claim,
    DifferenceGroup,
    Differences,
    Figure,
    GroupClaim,
    Measured,
    NoEstimate,
    Part,
    PartClaim,
    PlayerReport,
    PointsPart,
)
from reports.difference_claims import claim_sentence
from reports.difference_rows import difference_sections
from reports.difference_statements import (
    claim_statements,
    fact_statements,
    glance,
    trust_statements,
)
from reports.difference_words import group_name, points_text
from reports.svg_differences import points_chart
from reports.terminal import render_report
from reports.to_html import report_to_html
from reports.to_json import report_to_json

MEASURED = Measured(value=-9.5, low=-16.2, high=-4.0)
FEW = NoEstimate(reason="too few: 7 games, at least 20 are needed")
CHANCES = Chances(reached=60, won=38, on_time=9, drawn=1, resigned=0, at_the_board=12)
THEIRS = Chances(reached=58, won=52, on_time=1, drawn=1, resigned=0, at_the_board=4)


def part_claim(**fields: object) -> PartClaim:
    made = PartClaim(
        part=Part.CLOCK, games=87, own=12, own_winning=9, own_win_percent=81.0, theirs=2,
        their_winning=1, their_win_percent=70.0, points=MEASURED,
        rating_points=Measured(value=-76.0, low=-130.0, high=-32.0), p_value=0.001,
    )  # fmt: skip
    return replace(made, **fields)  # type: ignore[arg-type]


def group(aspect: Aspect, key: str, **fields: object) -> DifferenceGroup:
    made = DifferenceGroup(
        aspect=aspect, key=key, games=45, moves=1_500, games_with_expectation=45, score=20.0,
        expected_score=24.0, accuracy_percent=84.0, result=Measured(value=-0.09, low=-0.2, high=0),
        loss_per_move=Measured(value=4.1, low=3.8, high=4.4),
        opponents_loss_per_move=Measured(value=3.0, low=2.8, high=3.2),
        end=Measured(value=-0.05, low=-0.1, high=0.0),
    )  # fmt: skip
    return replace(made, **fields)  # type: ignore[arg-type]


def group_claim(aspect: Aspect, key: str, figure: Figure, rest: float) -> GroupClaim:
    return GroupClaim(
        group=group(aspect, key), figure=figure, rest=rest, points=MEASURED, p_value=0.001
    )


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (
            part_claim(),
            "In 12 of 87 games your time ran out in a position worth more than the result (9 of "
            "them winning); in 2 your opponents’ did (1 winning). That cost 9.5 points (4.0 to "
            "16.2), about 80 of performance rating.",
        ),
        (
            part_claim(part=Part.DRAW, rating_points=NoEstimate(reason="too much")),
            "In 12 of 87 games you drew while standing better (9 of them winning); in 2 your "
            "opponents did (1 winning). That cost 9.5 points (4.0 to 16.2).",
        ),
        (
            part_claim(part=Part.RESIGNATION, points=Measured(value=3.0, low=1.0, high=5.0)),
            "You resigned 12 of 87 games, with winning chances of 81 % on average, your "
            "opponents 2 with 70 %. That won 3.0 points (1.0 to 5.0), about 80 of performance "
            "rating.",
        ),
        (
            ChancesClaim(
                games=87, own=CHANCES, theirs=THEIRS, points=MEASURED, rating_points=FEW,
                p_value=0.001,
            ),
            "Of 60 games in which you stood winning, 12 slipped away at the board; of your "
            "opponents’ 58, 4 did. That cost 9.5 points (4.0 to 16.2).",
        ),
        (
            group_claim(Aspect.GAME_BEFORE, "after_loss", Figure.RESULT, 0.03),
            "After a loss (45 games) your score is −0.09 a game against what is foreseen, in your "
            "other games +0.03. That cost 9.5 points (4.0 to 16.2).",
        ),
        (
            group_claim(Aspect.OPENING, "black:French Defense", Figure.RESULT, 0.03),
            "In the French Defense with Black (45 games) your score is −0.09 a game against what "
            "is foreseen, in your other games with that colour +0.03. That cost 9.5 points (4.0 "
            "to 16.2).",
        ),
        (
            group_claim(Aspect.TIME_CONTROL, "180+0", Figure.END, 0.01),
            "At 3+0 (45 games) you score −0.05 a game against what the last position is worth, "
            "in your other games +0.01. That cost 9.5 points (4.0 to 16.2).",
        ),
        (
            group_claim(Aspect.PHASE, "endgame", Figure.MOVES, 3.2),
            "In endings (1,500 own moves) a move of yours loses 4.1 % of winning chances; by what "
            "your opponents lose there, and you elsewhere, it would be 3.2 %. That cost 9.5 "
            "points (4.0 to 16.2).",
        ),
    ],
)  # fmt: skip
def test_a_claim_is_a_sentence_with_its_games_and_its_interval(claim: Claim, sentence: str) -> None:
    assert claim_sentence(claim) == sentence


def test_every_group_of_every_simulated_account_has_a_name() -> None:
    found = differences_of(simulated_accounts(700, 2))
    assert isinstance(found, Differences)
    names = [group_name(one) for one in found.groups]
    assert len(set(names)) == len(names) > 30
    assert {one.aspect for one in found.groups} == set(Aspect) - {Aspect.TIME_CONTROL}
    assert "In the first three games of a session" in names and "On Mondays" in names


def test_the_first_claim_is_told_at_a_glance_beside_the_two_ranges() -> None:
    speed = made_speed_report()
    said = glance(speed)
    assert re.fullmatch(
        r"Most of what stands out was lost here: on the clock \(.* points\)\.", said
    )
    report = made_player_report(0, speeds=(speed,))
    assert f"{said}</p>" in report_to_html(report)
    assert glance(made_speed_report(differences=FEW)) == ""


def test_where_nothing_stands_out_or_games_are_few_that_is_said() -> None:
    usual = differences_of(simulated_accounts(100, 3))
    single = differences_of(simulated_accounts(1, 3))
    assert claim_statements(usual) == (
        "Nothing stands out beyond chance: whatever differs may be luck.",
    )
    assert claim_statements(single) == (
        "Too few games to tell what is chance: 1 game, and 20 are needed.",
    )
    assert claim_statements(FEW) == (
        "There is nothing to divide: too few: 7 games, at least 20 are needed.",
    )


def test_how_much_was_looked_at_is_said() -> None:
    found = made_differences()
    said = " ".join(trust_statements(found))
    assert f"{found.comparisons} comparisons were made, over {len(found.groups)} groups" in said
    assert "in 5.0 % of cases at most" in said and "80 % ranges" in said
    assert trust_statements(FEW) == ()


def test_what_happened_is_told_also_without_evaluations() -> None:
    found = differences_of(simulated_accounts(100, 1, evaluated=False))
    said = fact_statements(found, UTC)
    assert said[0].startswith("No game has ratings and evaluations to its end")
    assert said[1].startswith("Time ran out in ") and len(said) == 2


def test_points_have_a_sign_unless_they_are_none() -> None:
    assert [points_text(p) for p in (1.25, -9.5, 0.04, -0.04)] == ["+1.2", "−9.5", "0.0", "0.0"]


def test_the_chart_draws_losses_to_the_left_and_wins_to_the_right() -> None:
    parts = (
        PointsPart(part=Part.CLOCK, games=12, points=-9.5, interval=MEASURED),
        PointsPart(part=Part.DRAW, games=3, points=2.0, interval=FEW),
    )
    chart = points_chart(parts, title="Points", key="made")
    bars = re.findall(r'<rect x="([\d.]+)%" y="\d+" width="([\d.]+)%".*?class="bar (\w+)"', chart)
    (lost_x, lost_width, lost), (won_x, _, won) = bars
    assert (lost, won) == ("lost", "won")
    assert float(lost_x) + float(lost_width) == pytest.approx(50) and float(won_x) == 50
    assert chart.count('class="whisker"') == 1
    assert "Time ran out: −9.5 (−16.2 to −4.0)." in chart
    assert points_chart((), title="Points", key="made") == ""


def test_time_controls_stand_from_the_fastest_to_the_slowest() -> None:
    keys = ("120+1", "180+0", "180+2", "30+0", "60+0")
    groups = tuple(group(Aspect.TIME_CONTROL, key) for key in keys)
    found = replace(made_differences(), groups=groups)
    report = made_player_report(0, speeds=(made_speed_report(differences=found),))
    (section,) = difference_sections(report, UTC)
    names = [row.name for aspect in section.aspects for row in aspect.groups]
    assert names == ["At ½+0", "At 1+0", "At 2+1", "At 3+0", "At 3+2"]


def test_the_key_of_a_chart_cannot_leave_its_attribute() -> None:
    part = PointsPart(part=Part.DRAW, games=3, points=2.0, interval=FEW)
    chart = points_chart((part,), title="Points", key='"><script>')
    assert "<script>" not in chart and 'id="&quot;&gt;&lt;script&gt;-title"' in chart


class Words(HTMLParser):
    """The text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.feed(html)

    def handle_data(self, data: str) -> None:
        self.text += data


def _html(report: PlayerReport) -> str:
    return report_to_html(report)


def test_the_page_has_sentences_chart_and_a_table_behind_it() -> None:
    report = made_player_report(0)
    text = " ".join(Words(_html(report)).text.split())
    found = report.speeds[0].differences
    assert isinstance(found, Differences) and found.claims
    for sentence in claim_statements(found):
        assert sentence in text
    assert text.count("Where the points went") == 2
    for part in found.parts:
        assert points_text(part.points) in text
    assert "too few: 4 games, at least 20 are needed" in text


def test_an_opening_s_name_cannot_act_on_the_page() -> None:
    key = "white:<script>alert(1)</script>"
    hostile = group(Aspect.OPENING, key)
    claim = replace(group_claim(Aspect.PHASE, "endgame", Figure.MOVES, 3.2), group=hostile)
    found = replace(made_differences(), groups=(hostile,), claims=(claim,))
    html = _html(made_player_report(0, speeds=(made_speed_report(differences=found),)))
    assert "<script>alert" not in html
    assert html.count("&lt;script&gt;alert(1)") >= 2


def test_the_terminal_tells_the_short_form() -> None:
    out = StringIO()
    render_report(made_player_report(0), Console(file=out, width=100), zone=UTC)
    text = " ".join(out.getvalue().split())
    assert "Where the points went: Blitz" in text
    assert "your time ran out in a position worth more than the result" in text
    assert "comparisons were made" in text
    assert "The best chance that was not won" not in text


def test_the_json_tells_each_claim_with_its_kind_and_the_group_it_is_about() -> None:
    found = differences_of(simulated_accounts(200, 3, Peculiar(endgame_loss=1.7)))
    report = made_player_report(0, speeds=(made_speed_report(differences=found),))
    told = json.loads(report_to_json(report))["speeds"][0]["differences"]
    assert isinstance(found, Differences)
    assert len(told["claims"]) == len(found.claims) > 0
    endings = [c for c in told["claims"] if c.get("group") == {"aspect": "phase", "key": "endgame"}]
    assert [claim["figure"] for claim in endings] == ["moves"]
    assert told["parts"][0].keys() == {"part", "games", "points", "interval"}
    total = sum(part["points"] for part in told["parts"])
    assert total == pytest.approx(told["score"] - told["expected_score"], abs=0.001)


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_the_section_fits_a_phone_its_tables_open_and_axe_has_nothing_against_it(
    page: Page, tmp_path: Path, color_scheme: Literal["light", "dark"]
) -> None:
    file = tmp_path / "report.html"
    file.write_text(_html(made_player_report(0)), "utf-8")
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme=color_scheme)
    page.goto(file.as_uri())
    section = page.locator("section.differences").first
    for summary in section.locator("summary").all():
        summary.click()
    expect(section.get_by_role("rowheader", name="Moves in endings")).to_be_visible()
    expect(section.get_by_text("After a loss")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert serious_faults(page) == []
