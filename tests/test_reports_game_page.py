"""The page of one game: both ranges, what spoke, every move, and the board's positions."""

import hashlib
import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_reports import made_alone, made_game_report, made_moves, made_short_game
from parsed_page import Page
from typer.testing import CliRunner

from config.language import speaking
from pipeline.cli.app import app
from pipeline.cli.output import local_zone, write_game
from pipeline.records import Explanation, GamePlayer, GameReport, NoEstimate, Opening
from reports.board_steps import BoardSteps, board_steps
from reports.game_page import game_to_html
from reports.move_rows import clock_text, move_table

STATIC = Path(__file__).parent.parent / "reports" / "static"


def _page(game: GameReport) -> Page:
    page = Page(game_to_html(game))
    assert page.open == []
    return page


def _from_position(fen: str, *moves_san: str, variant: str = "fromPosition") -> GameReport:
    return made_short_game(
        moves=(), moves_san=moves_san, initial_fen=fen, variant=variant, plies=len(moves_san)
    )


def _followed(steps: BoardSteps) -> list[str]:
    """The placement after every move, as the page's script makes it of the changes."""
    board = chess.BaseBoard(steps.start)
    found = []
    for change in steps.changes:
        for square, letter in re.findall(r"(..)(.)", change):
            piece = None if letter == "-" else chess.Piece.from_symbol(letter)
            board.set_piece_at(chess.parse_square(square), piece)
        found.append(board.board_fen())
    return found


# --- what the page says --------------------------------------------------------------------


def test_both_players_and_their_ranges_are_at_the_top() -> None:
    page = _page(made_game_report(1))
    assert "Rosalind_Vey (1,698) – tilda-ost (1,756)" in page.text
    assert re.search(
        r"Rosalind_Vey ’s moves say [\d,]+–[\d,]+ on the Lichess blitz scale\.", page.text
    )
    assert re.search(
        r"tilda-ost ’s moves say [\d,]+–[\d,]+ on the Lichess blitz scale\.", page.text
    )
    assert "Ranges on the Lichess blitz scale" in page.text


def test_the_moves_that_spoke_most_are_named_and_lead_to_their_positions() -> None:
    game = made_game_report(1)
    said = game.white.explanation
    assert isinstance(said, Explanation)
    page = _page(game)
    named = {int(a["data-ply"]) for _tag, a in page.tags if "data-ply" in a}
    assert {said.for_higher[0].ply, said.for_lower[0].ply} <= named
    move = game.moves[said.for_higher[0].ply - 1].san
    assert re.search(
        rf"Rosalind_Vey : \d+\. {re.escape(move)}\S* ▲ speaks for [\d,]+: [\d.]+ times as likely",
        page.text,
    )


def test_without_a_range_the_reason_is_said() -> None:
    game = made_short_game()
    text = _page(game).text.replace(" ’s", "’s")
    assert "Rosalind_Vey’s moves give no range: too few moves outside the opening." in text
    assert "Anonymous’s moves give no range" in text
    few = NoEstimate(reason="too few moves outside the opening")
    half = replace(made_game_report(1), black=replace(game.black, strength=few))
    assert "Black’s moves 80 % range" not in _page(half).text


def test_where_only_stockfish_looked_nothing_is_said_to_have_spoken() -> None:
    text = _page(made_alone(1)).text
    assert "speaks for" not in text and "What spoke for and against:" not in text
    assert "only the human-move model can tell" in text


def test_every_move_is_in_the_table_with_whites_chances_and_what_was_better() -> None:
    game = made_game_report(1)
    table = move_table(game)
    cells = [cell for row in table.rows for cell in row.cells if cell]
    assert [cell.ply for cell in cells] == list(range(1, game.plies + 1))
    assert [cell.san.rstrip("?!") for cell in cells] == [move.san for move in game.moves]
    judged = next(move for move in game.moves if move.judgement and move.color == "black")
    cell = cells[judged.ply - 1]
    assert cell.better == judged.best_move_san
    assert cell.win_percent == f"{100 - judged.win_percent_after:.0f}"
    text = _page(game).text
    assert f"{cell.san} " in text and f"({cell.better})" in text


def test_moves_without_an_evaluation_are_listed_too() -> None:
    whole = made_game_report(1)
    table = move_table(replace(whole, moves=whole.moves[4:]))
    first = table.rows[0].cells[0]
    assert first is not None and first.san == whole.moves[0].san and first.win_percent == "—"
    assert len(table.rows) == (whole.plies + 1) // 2


def test_black_begins_where_the_position_says_so() -> None:
    game = _from_position("4k3/8/8/8/8/8/8/4K2R b K - 0 1", "Kd7", "O-O", "Kc6")
    rows = move_table(game).rows
    assert [(row.number, [cell and cell.san for cell in row.cells]) for row in rows] == [
        (1, [None, "Kd7"]),
        (2, ["O-O", "Kc6"]),
    ]
    assert "Kc6" in _page(game).text


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (None, "—"),
        (0.04, "0:00.0"),
        (9.99, "0:09.9"),
        (10, "0:10"),
        (178.4, "2:58"),
        (3725, "1:02:05"),
    ],
)
def test_a_clock_is_written_as_it_stands_on_the_board(seconds: float | None, shown: str) -> None:
    assert clock_text(seconds) == shown


def test_clocks_stand_in_the_table_only_where_there_are_any() -> None:
    game = made_game_report(1)
    timed = replace(game, moves=tuple(replace(m, seconds_left=178.4) for m in game.moves))
    assert "Clock" not in _page(game).text
    assert "Clock" in _page(timed).text and "2:58" in _page(timed).text


def test_days_are_those_of_the_zone_and_a_way_back_is_there_when_asked_for() -> None:
    late = datetime(2026, 3, 14, 23, 30, tzinfo=UTC)
    game = made_short_game(created_at=late)
    html = game_to_html(game, zone=ZoneInfo("Europe/Berlin"), back_href="/report/abc")
    assert "15 March 2026" in html and 'href="/report/abc"' in html
    assert "Back to the report" not in game_to_html(game)


def test_the_page_says_which_language_it_is_in() -> None:
    assert '<html lang="en">' in game_to_html(made_short_game())
    with speaking("fr"):
        assert '<html lang="fr">' in game_to_html(made_short_game())


def test_headings_tables_and_labels_carry_their_meaning() -> None:
    page = _page(made_game_report(1))
    assert len(page.all("h1")) == 1
    assert len(page.all("caption")) == len(page.all("table"))
    assert all("scope" in th for th in page.all("th"))
    ids = [attributes["id"] for _tag, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    labels = " ".join(a.get("aria-labelledby", "") for _tag, a in page.tags).split()
    assert labels and set(labels) <= set(ids)


# --- strangers' words ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "' onmouseover='alert(1)",
        "</title></style></template><script>alert(1)</script>",
        "{{ 7*7 }}{% raw %}{player}",
    ],
)
def test_hostile_names_are_shown_and_never_run(hostile: str) -> None:
    game = made_short_game(
        id=hostile, url=hostile, status=hostile, variant=hostile,
        opening=Opening(eco=hostile, name=hostile),
    )  # fmt: skip
    player = GamePlayer(name=hostile, title=hostile, rating=1500)
    page = _page(replace(game, white=replace(game.white, player=player)))
    assert len(page.all("script")) == 1 and not page.all("img")
    assert not [a for _tag, attributes in page.tags for a in attributes if a.startswith("on")]
    assert " ".join(hostile.split()) in page.text
    assert not page.all("a")


def test_a_megabyte_of_name_and_turned_text_do_no_harm() -> None:
    game = made_short_game()
    long = replace(game.white, player=GamePlayer(name="\u202eabc" + "x" * 1_000_000))
    html = game_to_html(replace(game, white=long))
    assert "\u202e" not in html
    assert len(html) < len(game_to_html(game)) + 2_000


# --- positions -----------------------------------------------------------------------------


@settings(max_examples=15)
@given(st.integers(1, 10_000))
def test_the_changes_lead_through_the_positions_of_the_game(seed: int) -> None:
    moves = made_moves(seed, plies=80)
    game = made_short_game(moves=moves, moves_san=tuple(move.san for move in moves))
    steps, board, expected = board_steps(game), chess.Board(), []
    for move in moves:
        board.push_san(move.san)
        expected.append(board.board_fen())
    assert steps is not None and steps.start == chess.STARTING_BOARD_FEN
    assert _followed(steps) == expected


@pytest.mark.parametrize(
    ("fen", "san", "change", "variant"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4", "e2-e4P", "fromPosition"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "e1-g1Kf1Rh1-", "fromPosition"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5-d6Pd5-", "fromPosition"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8=N", "a7-a8N", "fromPosition"),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O", "f1Rg1K", "chess960"),
    ],
    ids=["push", "castling", "en passant", "promotion", "chess960"],
)
def test_a_change_begins_with_the_square_that_was_left(
    fen: str, san: str, change: str, variant: str
) -> None:
    steps = board_steps(_from_position(fen, san, variant=variant))
    assert steps is not None and steps.changes == (change,)


def test_a_report_that_came_without_its_moves_has_no_board() -> None:
    game = made_short_game(moves_san=())
    assert board_steps(game) is None
    assert "chessground" not in game_to_html(game)


# --- as a file -----------------------------------------------------------------------------


def test_a_game_is_written_in_every_format_that_suits_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = made_game_report(1)
    write_game(game, folder=tmp_path, formats=("html", "json"), as_json=False)
    assert (tmp_path / "game-made0001.html").read_text("utf-8") == game_to_html(
        game, zone=local_zone()
    )
    assert json.loads((tmp_path / "game-made0001.json").read_text("utf-8"))["id"] == "made0001"
    said = capsys.readouterr()
    assert said.out == "" and f"HTML report: {tmp_path / 'game-made0001.html'}" in said.err
    write_game(game, folder=tmp_path / "none", formats=("terminal",), as_json=False)
    assert "tilda-ost" in capsys.readouterr().out and not (tmp_path / "none").exists()


def test_a_game_is_no_table() -> None:
    answer = CliRunner().invoke(app, ["game", "games.pgn", "--format", "html,csv"])
    assert answer.exit_code == 2
    assert "one game is no table" in " ".join(answer.output.split())


# --- what others wrote ---------------------------------------------------------------------


def test_vendored_files_are_those_that_the_readme_tells_of() -> None:
    told = re.findall(
        r"^\| `([\w./]+)` \|.*`([0-9a-f]{64})` \|$", (STATIC / "README.md").read_text(), re.M
    )
    assert len(told) == 3
    for name, digest in told:
        file = STATIC.parent.parent / name if "/" in name else STATIC / name
        assert hashlib.sha256(file.read_bytes()).hexdigest() == digest
