"""What stands in the terminal, at 80 columns and wider."""

import io
import re
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from made_reports import (
    made_alone,
    made_game_report,
    made_player_report,
    made_short_game,
    made_speed_report,
    made_strength,
)
from rich.console import Console

from pipeline.records import GamePlayer, GameReport, PlayerReport, SetAside
from reports.terminal import render_report
from reports.terminal_game import render_game
from reports.terminal_games import GAMES_SHOWN

HOSTILE = "[red]:skull:[/red][link=http://evil.example]\x1b[2J\u202e"


def _console(width: int) -> Console:
    return Console(file=io.StringIO(), width=width, color_system=None)


def _report(report: PlayerReport, width: int = 80) -> str:
    console = _console(width)
    render_report(report, console)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def _game(game: GameReport, width: int = 80) -> str:
    console = _console(width)
    render_game(game, console)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def _dated(text: str) -> list[str]:
    return [
        line for line in text.splitlines() if re.match(r" ?\d{4}-\d\d-\d\d +(blitz|rapid) ", line)
    ]


@pytest.mark.parametrize("width", [80, 100, 130, 160])
def test_every_range_is_whole_at_every_width(width: int) -> None:
    report = made_player_report(8)
    text = _report(report, width)
    assert max(len(line) for line in text.splitlines()) <= width
    # The eighth game is too short for a range.
    lines = _dated(text)[:7]
    assert all(line.count("–") == 2 and "1,698" not in line for line in lines)
    assert all("…" not in line[: line.rindex("–")] for line in lines)


def test_the_answer_comes_before_the_tables() -> None:
    text = _report(made_player_report(3))
    verdict = text.index("Your results say 1,640–1,830, your moves say 1,700–1,790")
    assert text.index("Note: The list of games was cut") < verdict < text.index("exp")
    assert "1,700–1,790 (80 % range)" in text
    assert "Lichess blitz" in text and "Lichess rapid" in text


def test_a_missing_range_has_a_numbered_reason() -> None:
    text = _report(made_player_report(3))
    assert "—[1]" in text
    assert "[1] too few moves outside the opening" in text


def test_long_reports_show_the_newest_and_count_the_rest() -> None:
    text = _report(made_player_report(24))
    assert f"The newest {GAMES_SHOWN} of 24 games (4 more in the HTML and CSV)" in text
    assert len(_dated(text)) == GAMES_SHOWN


def test_what_was_set_aside_is_counted_and_named() -> None:
    text = " ".join(_report(made_player_report(2)).split())
    assert "Set aside and not used: 3" in text
    assert "2 × variant: crazyhouse: game Ab3kQ9zz of 2026-02-01, game x81LmnoP" in text
    many = tuple(SetAside(where=f"game {n}", reason="cut") for n in range(1200))
    text = " ".join(_report(made_player_report(2, set_aside=many)).split())
    assert "1,200 × cut: game 0, game 1, game 2, game 3, game 4 and 1,195 more" in text


def test_engine_model_and_limits_are_stated() -> None:
    text = " ".join(_report(made_player_report(5)).split())
    assert "Stockfish 15.1 (nn-ad9b42354671.nnue), up to 100,000 nodes a position" in text
    assert "Lichess server analysis" in text
    assert "movelo-blitz-rapid-2026-09" in text
    assert "One game proves little" in text
    assert "no cheat detector" in text
    assert "45–75 points" in text


def test_days_are_those_of_the_zone_and_the_zone_is_named() -> None:
    late = datetime(2026, 3, 14, 23, 30, tzinfo=UTC)
    report = made_player_report(0, games=(made_game_report(1, created_at=late),))
    console = _console(80)
    render_report(report, console, zone=ZoneInfo("Europe/Berlin"))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "2026-03-15" in text and "2026-03-14" not in text
    assert "days are Europe/Berlin" in " ".join(text.split())


def test_an_empty_report_prints() -> None:
    assert "Rosalind_Vey" in _report(made_player_report(0, speeds=(), set_aside=()))


def test_markup_and_control_codes_in_names_are_only_text() -> None:
    game = made_game_report(1)
    hostile = replace(game, black=replace(game.black, player=GamePlayer(name=HOSTILE)))
    report = made_player_report(0, player=HOSTILE, games=(hostile,), notes=(HOSTILE,))
    for text in (_report(report, 160), _game(hostile, 160)):
        assert "[red]:skull:" in text
        assert "\x1b" not in text and "\u202e" not in text


def test_a_megabyte_of_name_is_cut() -> None:
    game = made_game_report(1)
    long = replace(game, black=replace(game.black, player=GamePlayer(name="x" * 1_000_000)))
    assert len(_game(long)) < 10_000


def test_a_game_shows_both_sides_and_their_judged_moves() -> None:
    game = made_game_report(3)
    text = _game(game)
    assert max(len(line) for line in text.splitlines()) <= 80
    for color, side in (("White", game.white), ("Black", game.black)):
        assert side.summary is not None
        line = next(line for line in text.splitlines() if line.startswith(f" {color}"))
        assert line.count("–") == 1
        counts = [side.summary.inaccuracies, side.summary.mistakes, side.summary.blunders]
        assert [int(cell) for cell in line.split()[-3:]] == counts
        assert str(side.summary.average_centipawn_loss) in line.split()
    blunder = next(move for move in game.moves if move.judgement and move.best_move_san)
    assert f"{blunder.san}" in text and f"({blunder.best_move_san})" in text
    assert "range: 80 % range on the Lichess blitz scale" in text


def test_every_move_of_a_game_is_printed_once() -> None:
    game = made_game_report(2)
    table = _game(game).partition("win %")[2].splitlines()
    words = [line.split() for line in table]
    numbers = [int(line[0]) for line in words if line and line[0].isdigit()]
    assert numbers == list(range(1, (len(game.moves) + 1) // 2 + 1))
    sans = {word.rstrip("?!") for line in words for word in line}
    assert {move.san for move in game.moves} <= sans


def test_a_game_too_short_for_a_range_says_so() -> None:
    text = _game(made_short_game())
    assert text.count("—[1]") == 2
    assert "[1] too few moves outside the opening" in text


def test_it_is_said_beside_the_range_and_below_who_looked_at_the_moves() -> None:
    text = " ".join(_report(made_player_report(5)).split())
    assert "612 own moves, from Stockfish's view and a human-move model" in text
    assert "4 games: strength from Stockfish's view and a human-move model" in text
    assert "movelo model install" not in text


def test_without_the_human_move_model_it_is_said_that_ranges_are_wider_and_what_to_do() -> None:
    alone = made_speed_report(strength=made_strength(games_with_human_model=0, moves=612))
    report = made_player_report(0, speeds=(alone,), games=(made_alone(1), made_alone(2)))
    text = " ".join(_report(report).split())
    assert "612 own moves, from Stockfish's view alone" in text
    advice = "ranges are wider; `movelo model install` adds the human-move model"
    assert f"2 games: strength from Stockfish's view alone: {advice}" in text
    assert advice in " ".join(_game(made_alone(1)).split())
    assert "human-move" not in _report(made_player_report(0, speeds=(), games=(made_short_game(),)))


def test_a_game_says_who_looked_at_its_moves() -> None:
    assert "Strength: from Stockfish's view and a human-move model\n" in _game(made_game_report(1))
    assert "Stockfish's view" not in _game(made_short_game())
