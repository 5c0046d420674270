"""Answers about ratings in words and as JSON."""

import io
import json
from dataclasses import dataclass, replace
from datetime import UTC, date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_reports import made_result, made_speed_report
from rich.console import Console

from pipeline.records import NoEstimate, ScoreLuck
from reports.elo_answer import Answer, AnswerTable
from reports.elo_json import answer_to_json
from reports.elo_words import change_text, course_text, exact_text, number_or_reason
from reports.speed_rows import speed_row
from reports.terminal_elo import render_answer
from reports.terms import scale_name
from reports.words import probability_text

LUCK = ScoreLuck(
    score_or_luckier_probability=0.2, score_or_unluckier_probability=0.85,
    equals_draw_probability=0.1,
)  # fmt: skip


def shown(answer: Answer, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    render_answer(answer, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


# --- luck in the report ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "expected", "said"),
    [
        (11.5, 10.4, "20 % chance of that score or a better one"),
        (9.5, 10.4, "85 % chance of that score or a worse one"),
    ],
)
def test_luck_is_told_on_the_side_on_which_the_score_fell(
    score: float, expected: float, said: str
) -> None:
    result = made_result(luck=LUCK, score_with_expectation=score, expected_score=expected)
    assert speed_row(made_speed_report(result=result), UTC).luck == said


def test_without_expectation_or_result_there_is_no_luck() -> None:
    unknown = made_result(luck=NoEstimate(reason="unknown"))
    for result in (unknown, NoEstimate(reason="no games")):
        assert speed_row(made_speed_report(result=result), UTC).luck == "—"


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (1e-12, "under 0.1 %"), (0.0012, "0.1 %"), (0.0949, "9.5 %"), (0.0999, "10 %"),
        (0.384, "38 %"), (0.985, "98 %"), (0.9962, "99.6 %"), (1.0, "over 99.9 %"),
    ],
)  # fmt: skip
def test_probabilities_are_never_none_or_all(probability: float, text: str) -> None:
    assert probability_text(probability) == text


# --- words -------------------------------------------------------------------------------------


def test_ratings_keep_a_hundredth_and_changes_their_sign() -> None:
    assert [exact_text(r) for r in (1501.4293, 1501.0, 1501.5, 0.0)] == [
        "1501.43", "1501", "1501.5", "0",
    ]  # fmt: skip
    assert [change_text(c) for c in (7.1987, -8.5707, 0.0, -0.001)] == ["+7.2", "−8.57", "0", "0"]
    assert course_text(1500, 1501.4293) == "1500 → 1501.43"
    assert number_or_reason(NoEstimate(reason="all won.")) == "none: all won"


@given(st.floats(-1e5, 1e5))
def test_a_rating_in_words_is_the_rating_to_half_a_hundredth(rating: float) -> None:
    assert float(exact_text(rating)) == pytest.approx(rating, abs=0.00501)


def test_scales_are_named_as_their_sites_name_them() -> None:
    names = {"chesscom_blitz": "Chess.com blitz", "cma": "CMA", "fqe": "FQE", "uscf": "US Chess"}
    assert {scale: scale_name(scale) for scale in names} == names


# --- terminal ----------------------------------------------------------------------------------


def test_an_answer_shows_figures_table_and_notes_at_80_columns() -> None:
    answer = Answer(
        title="Three games",
        figures=(("rating", "1500 → 1501"), ("change", "+1")),
        table=AnswerTable(headings=("opponent", "score"), lines=(("1400", "1"),)),
        notes=("A sentence to know. " * 8,),
    )
    text = shown(answer)
    for part in ("Three games", "1500 → 1501", "opponent", "1400", "A sentence to know."):
        assert part in text
    assert max(len(line) for line in text.splitlines()) <= 80


def test_markup_in_a_name_is_not_obeyed() -> None:
    assert "[red]x[/red]" in shown(Answer(title="[red]x[/red]"))


# --- JSON --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Inner:
    on: date
    reason: NoEstimate


@dataclass(frozen=True)
class Outer:
    rating: float
    games: tuple[Inner, ...]


def test_a_record_becomes_json_field_by_field() -> None:
    record = Outer(1501.42934567, (Inner(date(2025, 11, 1), NoEstimate(reason="none")),))
    text = answer_to_json("period", {"k": 20.0}, record)
    assert text.endswith("\n") and text.count("\n") == 1
    assert json.loads(text) == {
        "schema": "movelo.elo-period/1",
        "asked": {"k": 20.0},
        "answer": {
            "rating": 1501.429346,
            "games": [{"on": "2025-11-01", "reason": {"reason": "none"}}],
        },
    }


def test_a_number_that_is_none_is_never_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        answer_to_json("period", {}, replace(Outer(1.0, ()), rating=float("nan")))
