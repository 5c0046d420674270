"""The report and the game page as a person uses them: in a real browser, opened from a file."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import chess
import pytest
from accessibility import serious_faults
from browser import browser_fixture, overhear, page_fixture  # noqa: F401
from made_reports import made_game_report, made_player_report, made_short_game
from playwright.sync_api import Browser, Page, expect

from config.errors import MoveloError
from pipeline.cli import output, pdf
from pipeline.records import GamePlayer, GameReport, Opening, PlayerReport
from reports.game_page import game_to_html
from reports.to_html import report_to_html

WIDTHS_PX = {"phone": 390, "wide": 1280}
Opened = Callable[[str], Page]


def _timed(game: GameReport) -> GameReport:
    """The game with a clock that runs."""
    chance, left = random.Random(1), {"white": 300.0, "black": 300.0}
    moves = []
    for move in game.moves:
        left[move.color] -= chance.uniform(0.5, 4)
        moves.append(replace(move, seconds_left=left[move.color]))
    return replace(game, moves=tuple(moves))


def _report(games: int = 4) -> PlayerReport:
    made = made_player_report(games)
    return replace(made, games=tuple(map(_timed, made.games)))


@pytest.fixture(scope="module")
def report_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("pages") / "report.html"
    file.write_text(report_to_html(_report()), "utf-8")
    return file


@pytest.fixture(scope="module")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("pages") / "game.html"
    file.write_text(game_to_html(_timed(made_game_report(1))), "utf-8")
    return file


def _pieces_on_board(page: Page) -> dict[str, str]:
    """What the board draws: the square and the class of each piece that stands there."""
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("cg-board piece:not(.fading)")]
            .map((piece) => [piece.cgKey, piece.className.replace(/ *anim */, "").trim()]))"""
    )
    return found


def _pieces_after(game: GameReport, plies: int) -> dict[str, str]:
    board = chess.Board()
    for move in game.moves[:plies]:
        board.push_san(move.san)
    return {
        chess.square_name(
            square
        ): f"{chess.COLOR_NAMES[piece.color]} {chess.piece_name(piece.piece_type)}"
        for square, piece in board.piece_map().items()
    }


def _shows(page: Page, game: GameReport, plies: int) -> None:
    expect(page.locator(".game[data-ply]").first).to_have_attribute("data-ply", str(plies))
    expect(page.locator("cg-board .anim, cg-board .fading")).to_have_count(0)
    assert _pieces_on_board(page) == _pieces_after(game, plies)


# --- the report ----------------------------------------------------------------------------


def test_the_report_opens_from_a_file_and_asks_for_nothing(page: Page, report_file: Path) -> None:
    heard = overhear(page)
    page.goto(report_file.as_uri())
    expect(page.get_by_role("heading", level=1)).to_have_text("How strong did Rosalind_Vey play?")
    expect(
        page.get_by_text("Your results say 1,640–1,830, your moves say 1,700–1,790")
    ).to_be_visible()
    page.locator(".details summary").first.click()
    expect(page.locator(".viewer")).to_be_visible()
    assert heard.complaints == [] and heard.requests == []


def test_the_table_is_sorted_from_the_keyboard(page: Page, report_file: Path) -> None:
    page.goto(report_file.as_uri())
    header = page.locator("#games-table").get_by_role("button", name="Expected")
    header.focus()
    page.keyboard.press("Enter")
    cells = page.locator("#games-table td.expected")
    falling = [float(text) for text in cells.all_text_contents() if text != "—"]
    assert falling == sorted(falling, reverse=True) and len(set(falling)) > 2
    assert cells.last.text_content() == "—"
    page.keyboard.press("Enter")
    rising = [float(text) for text in cells.all_text_contents() if text != "—"]
    assert rising == sorted(falling)
    expect(page.get_by_role("columnheader", name="Expected")).to_have_attribute(
        "aria-sort", "ascending"
    )


def test_a_game_is_opened_and_stepped_through_from_the_keyboard(
    page: Page, report_file: Path
) -> None:
    game = _report().games[1]
    page.goto(report_file.as_uri())
    page.locator(".details summary").nth(1).focus()
    page.keyboard.press("Enter")
    _shows(page, game, 0)
    for _step in range(3):
        page.keyboard.press("ArrowRight")
    _shows(page, game, 3)
    expect(page.locator(".now")).to_have_text(re.compile(rf"^2\. {re.escape(game.moves[2].san)}"))
    expect(page.locator(".now")).to_have_text(
        re.compile(r"White’s chances: \d+ % · clock: \d:\d\d")
    )
    page.keyboard.press("ArrowLeft")
    _shows(page, game, 2)
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    _shows(page, game, game.plies)


def test_a_link_in_the_table_leads_to_the_opened_game(page: Page, report_file: Path) -> None:
    page.goto(report_file.as_uri())
    page.locator("#games-table a").nth(2).click()
    expect(page.locator("#game-3 .viewer")).to_be_in_viewport()
    assert page.locator(".viewer").count() == 1


def test_two_games_are_looked_at_side_by_side(page: Page, report_file: Path) -> None:
    page.goto(report_file.as_uri())
    for nth in (0, 1):
        page.locator(".details summary").nth(nth).click()
    page.locator("#game-2").get_by_role("button", name="One move on").click()
    expect(page.locator("#game-2")).to_have_attribute("data-ply", "1")
    expect(page.locator("#game-1")).to_have_attribute("data-ply", "0")


# --- the page of one game ------------------------------------------------------------------


def test_chart_moves_and_what_spoke_lead_to_positions(page: Page, game_file: Path) -> None:
    game = made_game_report(1)
    heard = overhear(page)
    page.goto(game_file.as_uri())
    _shows(page, game, 0)
    page.keyboard.press("ArrowRight")
    _shows(page, game, 1)
    chart = page.locator("svg.chances")
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": box["width"] / 2, "y": 20})
    _shows(page, game, game.plies // 2)
    named = page.locator(".key-moves [data-ply]").first
    named.click()
    _shows(page, game, int(named.get_attribute("data-ply") or 0))
    expect(page.locator(".now")).to_contain_text("speaks for")
    expect(page.locator(".moves [aria-current]")).to_be_in_viewport()
    page.locator(".moves tbody button").nth(4).click()
    _shows(page, game, 5)
    page.get_by_role("button", name="Starting position").click()
    _shows(page, game, 0)
    expect(page.locator(".now")).to_have_text("Starting position")
    assert heard.complaints == [] and heard.requests == []


def test_the_board_is_told_to_who_does_not_see_it_and_can_be_turned(
    page: Page, game_file: Path
) -> None:
    page.goto(game_file.as_uri())
    board = page.get_by_role("img", name="White: Ke1 Qd1 Ra1 Rh1")
    expect(board).to_have_class(re.compile("orientation-white"))
    page.get_by_role("button", name="Turn the board").click()
    expect(board).to_have_class(re.compile("orientation-black"))


# --- for everybody -------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS_PX)
def test_axe_finds_nothing_serious_and_nothing_sticks_out(
    browser: Browser,
    report_file: Path,
    game_file: Path,
    width: str,
    scheme: str,
) -> None:
    context = browser.new_context(
        viewport={"width": WIDTHS_PX[width], "height": 900},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    page = context.new_page()
    # What a game's page has, an opened game in the report has too, but for its top.
    files = (report_file, game_file) if (width == "phone") == (scheme == "dark") else (report_file,)
    for file in files:
        page.goto(file.as_uri())
        if file == report_file:
            page.locator(".details summary").nth(1).click()
        expect(page.locator(".viewer")).to_be_visible()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".game[data-ply]").first).to_have_attribute("data-ply", "1")
        assert serious_faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_dark_is_dark_and_light_is_light(page: Page, report_file: Path) -> None:
    brightness = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(report_file.as_uri())
        color = page.evaluate("getComputedStyle(document.body).backgroundColor")
        brightness[scheme] = sum(map(int, re.findall(r"\d+", color)[:3]))
    assert brightness["light"] > 600 and brightness["dark"] < 150


def test_without_scripts_everything_but_the_board_is_there(
    browser: Browser,
    game_file: Path,
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(game_file.as_uri())
    game = made_game_report(1)
    expect(page.locator("svg.chances")).to_be_visible()
    assert page.locator(".moves tbody tr").count() == (game.plies + 1) // 2
    expect(page.locator(".key-moves")).to_contain_text("speaks for")
    assert page.locator(".viewer").count() == 0
    context.close()


def test_hostile_words_do_not_run(page: Page, tmp_path: Path) -> None:
    hostile = "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">"
    player = GamePlayer(name=hostile, title=hostile, rating=1500)
    game = made_short_game(opening=Opening(eco="C50", name=hostile), status=hostile, url=hostile)
    game = replace(game, black=replace(game.black, player=player))
    heard = overhear(page)
    for html in (
        report_to_html(made_player_report(0, player=hostile, games=(game,), notes=(hostile,))),
        game_to_html(game),
    ):
        file = tmp_path / "hostile.html"
        file.write_text(html, "utf-8")
        page.goto(f"{file.as_uri()}#game-1")
        expect(page.locator(".viewer")).to_be_visible()
        assert page.title() != "run" and page.locator("img").count() == 0
        expect(page.get_by_text("<script>document").first).to_be_visible()
    assert heard.complaints == [] and heard.requests == []


# --- on paper ------------------------------------------------------------------------------


def test_a_printed_game_shows_the_board_whole_at_a_move_that_spoke(
    page: Page, game_file: Path
) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(game_file.as_uri())
    page.emulate_media(media="print")
    assert page.pdf().startswith(b"%PDF")
    expect(page.locator(".steps")).to_be_hidden()
    assert page.locator(".moves").evaluate("box => box.scrollHeight <= box.clientHeight")
    spoken = page.locator(".key-moves [data-ply]").first.get_attribute("data-ply")
    expect(page.locator(".game")).to_have_attribute("data-ply", spoken or "")


def test_a_report_is_written_as_pdf_by_the_browser_that_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output.write_report(_report(2), folder=tmp_path, formats=("pdf",), as_json=False)
    assert (tmp_path / "Rosalind_Vey.pdf").read_bytes().startswith(b"%PDF")
    assert [file.name for file in tmp_path.iterdir()] == ["Rosalind_Vey.pdf"]
    assert f"PDF report: {tmp_path / 'Rosalind_Vey.pdf'}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("browser_name", "reason"),
    [(None, "none was found"), ("/bin/false", "wrote none"), ("/nowhere/chrome", "does not start")],
)
def test_without_a_browser_the_page_is_there_and_one_sentence_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser_name: str | None, reason: str
) -> None:
    monkeypatch.setattr(pdf, "browser_program", lambda: browser_name)
    with pytest.raises(MoveloError, match=rf"{reason}.*Open .*game-made0001.html in a browser"):
        output.write_game(made_game_report(1), folder=tmp_path, formats=("pdf",), as_json=False)
    assert "<h1" in (tmp_path / "game-made0001.html").read_text("utf-8")
    assert [file.name for file in tmp_path.iterdir()] == ["game-made0001.html"]
