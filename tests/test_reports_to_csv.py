"""The CSV: a tidy line a game that no spreadsheet executes."""

import csv
import io
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from made_reports import made_alone, made_game_report, made_player_report, made_short_game

from pipeline.records import GamePlayer, GameReport, Opening
from reports.to_csv import games_to_csv


def _lines(*games: GameReport) -> list[dict[str, str]]:
    text = games_to_csv(made_player_report(0, games=games))
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_there_is_one_line_a_game_with_units_in_the_names() -> None:
    (line,) = _lines(made_game_report(1))
    assert line["game_id"] == "made0001"
    assert line["created_at_utc"] == "2026-03-13T13:30:00Z"
    assert (line["initial_seconds"], line["increment_seconds"]) == ("300", "3")
    assert line["nodes_per_position"] == "100000"
    assert float(line["own_accuracy_percent"]) > 50


def test_every_range_says_whether_the_human_move_model_had_a_part_in_it() -> None:
    column = "strength_with_human_model"
    read, alone, short = _lines(made_game_report(1), made_alone(), made_short_game())
    assert [line[f"own_{column}"] for line in (read, alone, short)] == ["True", "False", ""]
    assert [line[f"opponent_{column}"] for line in (read, alone, short)] == ["True", "False", ""]


def test_own_is_the_player_whatever_the_colour() -> None:
    for game in (made_game_report(1), made_game_report(2)):
        (line,) = _lines(game)
        assert line["own_name"] == "Rosalind_Vey"
        assert line["opponent_name"] not in ("", "Rosalind_Vey")
        assert line["color"] == game.color


def test_a_strength_is_a_range_and_its_absence_has_a_reason() -> None:
    measured, short = _lines(made_game_report(1), made_short_game())
    assert float(measured["own_strength_low"]) < float(measured["own_strength_high"])
    assert measured["own_strength_coverage"] == "0.8"
    assert measured["own_strength_absent_reason"] == ""
    assert (short["own_strength_low"], short["own_strength_high"]) == ("", "")
    assert short["own_strength_absent_reason"] == "too few moves outside the opening"
    assert not any("median" in column for column in measured)


def test_whole_numbers_stay_whole_beside_missing_ones() -> None:
    game, short = made_game_report(1), made_short_game()
    rated, anonymous = _lines(game, short)
    assert rated["opponent_rating"] == str(game.black.player.rating)
    assert anonymous["opponent_rating"] == ""
    assert anonymous["opponent_name"] == ""


def test_a_report_without_games_still_has_its_header() -> None:
    text = games_to_csv(made_player_report(0))
    assert text.startswith("game_id,url,created_at_utc,") and text.count("\n") == 1


def test_formulas_are_defused_and_other_text_is_left_alone() -> None:
    game = made_game_report(1)
    player = GamePlayer(name='=HYPERLINK("http://evil.example")')
    opening = Opening(eco="C52", name="@SUM(A1)")
    hostile = replace(game, black=replace(game.black, player=player), opening=opening)
    (line,) = _lines(hostile)
    assert line["opponent_name"] == '\'=HYPERLINK("http://evil.example")'
    assert line["opening"] == "'@SUM(A1)"
    assert line["own_name"] == "Rosalind_Vey"


SHORT = made_short_game()
_BEGINNINGS = st.sampled_from(["=", "+", "-", "@", " =", "\t=", "\r", "\n", "", "＝", "\ud800"])


@settings(max_examples=30, deadline=None)
@given(_BEGINNINGS, st.text(st.characters(exclude_categories=()), max_size=20))
def test_no_text_field_begins_like_a_formula(beginning: str, rest: str) -> None:
    name = beginning + rest
    player = GamePlayer(name=name, title=name)
    (line,) = _lines(replace(SHORT, black=replace(SHORT.black, player=player)))
    for field in (line["opponent_name"], line["opponent_title"]):
        assert not field.lstrip().startswith(("=", "+", "-", "@", "＝"))
        assert field.encode("utf-8") is not None


def test_a_line_break_in_a_name_does_not_break_the_line() -> None:
    game = made_game_report(1)
    hostile = replace(game, black=replace(game.black, player=GamePlayer(name='a\n"b",c\rd')))
    (line,) = _lines(hostile)
    assert line["opponent_name"] == 'a "b",c d'
    assert line["plies"] == str(game.plies)
