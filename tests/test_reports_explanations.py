"""What spoke for and against, as the terminal, the page and the JSON show it."""

import io
import json
import math
from dataclasses import replace
from typing import Any

import pytest
from made_reports import (
    made_alone,
    made_game_report,
    made_move,
    made_player_report,
    made_short_game,
)
from rich.console import Console

from pipeline.records import (
    Explanation,
    GameReport,
    Judgement,
    MoveEvidence,
    NoEstimate,
    Phase,
    PhaseEvidence,
)
from reports.explanations import (
    EXPLANATION_NOTE,
    UNEXPLAINED,
    SpokenMove,
    move_marks,
    side_explanations,
    unexplained,
)
from reports.terminal_game import render_game
from reports.to_html import report_to_html
from reports.to_json import game_to_json


def said(**fields: Any) -> Explanation:
    """23…Rxe4 4 times as likely from 1,900, 31…h6 6 times from 1,300."""
    above = MoveEvidence(ply=46, log_likelihood_ratio=math.log(4))
    below = MoveEvidence(ply=62, log_likelihood_ratio=-math.log(6))
    made = Explanation(
        lower_rating=1300,
        higher_rating=1900,
        moves=(above, below),
        for_higher=(above,),
        for_lower=(below,),
        phases=(
            PhaseEvidence(phase=Phase.MIDDLEGAME, moves=9, log_likelihood_ratio=1.1),
            PhaseEvidence(phase=Phase.ENDGAME, moves=4, log_likelihood_ratio=-2.5),
        ),
    )
    return replace(made, **fields)


def game(**fields: Any) -> GameReport:
    """Only Black is explained; without the moves in between there is no board to show."""
    moves = (
        made_move(ply=45, color="white", san="Qe2"),
        made_move(ply=46, color="black", san="Rxe4"),
        made_move(ply=62, color="black", san="h6", judgement=Judgement.BLUNDER),
    )
    made = made_game_report(1, moves=moves, moves_san=())
    nothing = NoEstimate(reason="too few moves")
    white = replace(made.white, strength=nothing, explanation=nothing)
    return replace(made, white=white, black=replace(made.black, explanation=said(**fields)))


def terminal(game: GameReport) -> str:
    console = Console(file=io.StringIO(), width=80, color_system=None)
    render_game(game, console)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def page(*games: GameReport) -> str:
    return report_to_html(made_player_report(0, games=games))


def test_each_named_move_comes_with_how_much_likelier_it_is_and_from_whom() -> None:
    white, black = side_explanations(game())
    assert (white.higher, white.lower, white.for_higher, white.for_lower) == ("—", "—", (), ())
    assert (black.color, black.higher, black.lower) == ("Black", "1,900", "1,300")
    assert black.for_higher == (SpokenMove(ply=46, move="23… Rxe4", times="4.0 times"),)
    assert black.for_lower == (SpokenMove(ply=62, move="31… h6??", times="6.0 times"),)


@pytest.mark.parametrize(
    ("factor", "words"),
    [(1.25, "1.2 times"), (9.94, "9.9 times"), (9.96, "10 times"), (14.8, "15 times"),
     (99, "99 times"), (101, "over 100 times"), (1e300, "over 100 times")],
)  # fmt: skip
@pytest.mark.parametrize("sign", [1, -1])
def test_how_much_likelier_is_said_in_times(factor: float, words: str, sign: int) -> None:
    move = MoveEvidence(ply=46, log_likelihood_ratio=sign * math.log(factor))
    (_, black) = side_explanations(game(for_higher=(move,)))
    assert black.for_higher[0].times == words


@pytest.mark.parametrize(
    ("total", "words"),
    [(0.0, "says little"), (-0.69, "says little"), (0.7, "for 1,900"), (-2.3, "for 1,300"),
     (2.31, "clearly for 1,900"), (-6.0, "clearly for 1,300")],
)  # fmt: skip
def test_a_phase_leans_to_one_rating_or_says_little(total: float, words: str) -> None:
    phase = PhaseEvidence(phase=Phase.OPENING, moves=3, log_likelihood_ratio=total)
    _, black = side_explanations(game(phases=(phase,)))
    assert black.phases == (words, "—", "—")


def test_a_mark_says_what_it_stands_for() -> None:
    marks = move_marks(game())
    assert {ply: (mark.sign, mark.meaning) for ply, mark in marks.items()} == {
        46: ("▲", "speaks for 1,900: 4.0 times as likely as from 1,300"),
        62: ("▼", "speaks for 1,300: 6.0 times as likely as from 1,900"),
    }


def test_the_terminal_names_them_marks_them_and_says_how_to_read_them() -> None:
    text = terminal(game())
    assert "Black: what spoke for 1,900, what for 1,300" in text
    assert "▲ 23… Rxe4 (4.0 times)" in text and "▼ 31… h6?? (6.0 times)" in text
    assert "middlegame: for 1,900, endgame: clearly for 1,300" in text
    assert "White: what spoke" not in text and "opening:" not in text
    assert "Rxe4 ▲" in text and "h6?? ▼" in text
    assert EXPLANATION_NOTE in " ".join(text.split())
    assert max(len(line) for line in terminal(made_game_report(3)).splitlines()) <= 80


def test_a_side_for_which_no_move_spoke_says_so() -> None:
    assert "▼ no move" in terminal(game(for_lower=()))
    assert "<td>—</td>" in page(game(for_lower=()))


def test_the_page_names_them_and_marks_them_in_the_list_of_moves() -> None:
    html = page(game())
    assert '<span data-ply="46">23… Rxe4</span> <small>4.0 times</small>' in html
    assert 'Rxe4<abbr class="up" title="speaks for 1,900: 4.0 times' in html
    assert 'h6??<abbr class="down" title="speaks for 1,300: 6.0 times' in html
    assert "1,900 with 1,300" in html
    assert "clearly for 1,300" in html
    assert html.count(EXPLANATION_NOTE.replace("'", "&#39;")) == 1


def test_the_list_of_moves_is_numbered_from_the_start_of_the_game() -> None:
    rows = page(game()).split('<tr><th scope="row">')
    assert [row.partition("<abbr")[0] for row in rows if "<abbr" in row] == [
        "23<td>Qe2<td>52<td>Rxe4",
        "31<td><td><td>h6??",
    ]


def test_without_the_human_move_model_one_sentence_says_why_there_is_no_list() -> None:
    alone = made_alone(1)
    assert unexplained(alone) == UNEXPLAINED
    assert " ".join(terminal(alone).split()).count(UNEXPLAINED) == 1
    html = page(alone)
    assert html.count(UNEXPLAINED) == 1
    assert "spoke for and against</caption>" not in html and "▲" not in html
    assert not side_explanations(alone) and not move_marks(alone)


def test_a_game_without_any_range_needs_no_such_sentence() -> None:
    short = made_short_game()
    assert unexplained(short) == ""
    assert "spoke for" not in terminal(short) and "spoke for" not in page(short)


def test_programs_get_every_move_the_strongest_and_the_sums() -> None:
    told = json.loads(game_to_json(game()))
    assert told["white"]["explanation"] == {"reason": "too few moves"}
    above = {"ply": 46, "log_likelihood_ratio": 1.386}
    below = {"ply": 62, "log_likelihood_ratio": -1.792}
    assert told["black"]["explanation"] == {
        "lower_rating": 1300,
        "higher_rating": 1900,
        "moves": [above, below],
        "for_higher": [above],
        "for_lower": [below],
        "phases": [
            {"phase": "middlegame", "moves": 9, "log_likelihood_ratio": 1.1},
            {"phase": "endgame", "moves": 4, "log_likelihood_ratio": -2.5},
        ],
    }


def test_a_hostile_move_is_shown_and_never_run() -> None:
    hostile = "<script>alert(1)</script>\x1b[2J\u202e"
    safe = replace(game(), moves=tuple(replace(m, san=hostile) for m in game().moves))
    html = page(safe)
    assert html.count("<script>") == 1 and "\u202e" not in html and "\x1b" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "\x1b" not in terminal(safe) and "\u202e" not in terminal(safe)
