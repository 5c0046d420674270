"""`movelo serve` as a player meets it: a real server, a real browser, a Lichess on this machine."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from accessibility import serious_faults
from browser import browser, overhear, page  # noqa: F401
from fake_lichess import FakeLichess
from made_games import random_export_game
from playwright.sync_api import Browser, Page, expect
from web_server import WebServer

FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
GAMES = 10
PLIES = 24
HOSTILE = "\"><script>document.title='taken'</script>\u202eنيام' onmouseover=alert(1) x="


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    names = (
        "Quillfeather",
        "Sandpiper",
        "Killdeer",
        "Firsthand",
        "Secondhand",
        "Calloff",
        "Looked_At",
    )
    with FakeLichess() as lichess:
        for number, name in enumerate(names):
            seeds = range(100 * number, 100 * number + GAMES)
            games = [random_export_game(seed, white=name, plies=PLIES) for seed in seeds]
            lichess.add_player(name, games)
        folder = tmp_path_factory.mktemp("serve")
        with WebServer(folder, lichess, late_seconds=0.01) as served:
            yield served


def ask(page: Page, server: WebServer, name: str) -> str:  # noqa: F811
    page.goto(server.address)
    page.get_by_label("Lichess username").fill(name)
    page.get_by_role("button", name="Make a report").first.click()
    page.wait_for_url(re.compile("/report/"))
    return page.url


def finished(page: Page) -> None:  # noqa: F811
    page.get_by_role("link", name="Read the whole report").wait_for(timeout=60_000)


NOTE_WHAT_IS_SEEN = """
document.addEventListener("DOMContentLoaded", () => {
  const note = () => {
    const title = document.querySelector(".estimate h2");
    const ranges = document.querySelectorAll(".estimate svg .value");
    const evaluating = document.querySelectorAll(".stages progress")[1];
    const seen = JSON.parse(sessionStorage.seen ?? "[]");
    seen.push({
      evaluated: evaluating?.value ?? 0,
      games: title ? Number(title.textContent.match(/[0-9]+/)[0]) : 0,
      moves: ranges.length ? ranges[ranges.length - 1].textContent : "",
    });
    sessionStorage.seen = JSON.stringify(seen);
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
});
"""


def width(moves: str) -> int:
    """Of a range such as 1,200–1,450, in rating points."""
    low, high = (int(end.replace(",", "")) for end in moves.split("–"))
    return high - low


def test_a_name_is_typed_and_the_report_is_watched_as_it_is_made_and_read(
    page: Page,  # noqa: F811
    server: WebServer,
) -> None:
    heard = overhear(page)
    page.add_init_script(NOTE_WHAT_IS_SEEN)
    address = ask(page, server, "Quillfeather")
    finished(page)  # without anybody reloading
    assert page.url == address
    seen = json.loads(page.evaluate("sessionStorage.seen"))
    assert len({one["evaluated"] for one in seen}) >= 3
    estimates = {one["games"]: width(one["moves"]) for one in seen if one["games"]}
    # From five games on; on a busy machine the page may be told of the next one only.
    assert 5 <= min(estimates) < 10
    assert estimates[max(estimates)] < estimates[min(estimates)]
    page.get_by_role("link", name="Read the whole report").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Quillfeather")
    page.go_back()
    page.locator(".game-list a").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Moorhenry")
    page.get_by_role("link", name="Back to the report").click()
    assert page.url == address
    page.goto(server.address)
    expect(page.get_by_role("link", name="Quillfeather")).to_have_attribute(
        "href", address.removeprefix(server.address.rstrip("/"))
    )
    assert heard.complaints == []
    assert all(url.startswith((server.address, "data:")) for url in heard.requests)


def test_axe_finds_nothing_serious_on_any_page_and_nothing_sticks_out_of_a_phone(
    browser: Browser,  # noqa: F811
    server: WebServer,
) -> None:
    phone = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme="dark")
    small = phone.new_page()
    small.goto(server.address)
    for summary in small.locator("summary").all():
        summary.click()
    _check(small)
    ask(small, server, "Looked_At")
    small.locator(".estimate").wait_for()
    _check(small)
    finished(small)
    _check(small)
    phone.close()


def _check(page: Page) -> None:  # noqa: F811
    assert serious_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_page_that_is_reloaded_or_has_no_scripts_shows_the_same(
    page: Page,  # noqa: F811
    browser: Browser,  # noqa: F811
    server: WebServer,
) -> None:
    address = ask(page, server, "Sandpiper")
    page.locator(".stages").wait_for()
    page.reload()
    page.locator(".stages progress").first.wait_for()
    plain = browser.new_context(java_script_enabled=False)
    without = plain.new_page()
    without.goto(address)
    without.get_by_role("link", name="Read the whole report").wait_for(timeout=60_000)
    plain.close()
    finished(page)


def test_two_people_are_served_at_once_and_see_only_their_own(
    page: Page,  # noqa: F811
    browser: Browser,  # noqa: F811
    server: WebServer,
) -> None:
    other = browser.new_context().new_page()
    ask(page, server, "Firsthand")
    second = ask(other, server, "Secondhand")
    expect(other.get_by_role("status")).to_contain_text("1 report comes first")
    finished(page)
    finished(other)
    expect(other.get_by_role("heading", level=1)).to_contain_text("Secondhand")
    page.goto(server.address)
    expect(page.get_by_role("link", name="Secondhand")).to_have_count(0)
    page.goto(second)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Secondhand")
    other.context.close()


def test_a_report_is_cancelled_while_it_is_made(page: Page, server: WebServer) -> None:  # noqa: F811
    ask(page, server, "Calloff")
    page.locator(".stages progress").nth(1).wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("This report was cancelled").wait_for()
    page.get_by_role("button", name="Ask again").wait_for()


def test_the_server_is_killed_and_started_again_and_the_report_goes_on(
    page: Page,  # noqa: F811
    server: WebServer,
) -> None:
    ask(page, server, "Killdeer")
    before = server.searches
    page.get_by_role("heading", name=re.compile("First estimate")).wait_for()
    server.kill()
    killed_after = server.searches - before
    server.start()
    finished(page)  # the page itself finds the server again
    searched = server.searches - before
    assert killed_after < GAMES * (PLIES + 1)
    # The games that were at work when it died are searched again, the others are not; engines
    # that start search one position for a trial.
    assert GAMES * (PLIES + 1) <= searched <= (GAMES + 2) * (PLIES + 1) + 4


def test_games_are_handed_in_as_a_file_whatever_stands_in_them(
    page: Page,  # noqa: F811
    server: WebServer,
    tmp_path: Path,
) -> None:
    heard = overhear(page)
    moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O"
    tag = HOSTILE.replace('"', '\\"')
    game = f'[White "{tag}"]\n[Black "Ann"]\n[Event "{tag}"]\n[Site "{tag}"]\n[Result "1-0"]\n\n'
    others = game.replace('"Ann"', '"Bob"')
    file = tmp_path / "<script>.pgn"
    file.write_text(f"{game}{moves} 1-0\n\n{others}{moves} {{{HOSTILE}}} 1-0\n")
    page.goto(server.address)
    page.get_by_text("Or hand in games as a PGN").click()
    page.get_by_label("A file").set_input_files(file)
    page.get_by_role("button", name="Make a report").last.click()
    finished(page)
    page.get_by_role("link", name="Read the whole report").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("<script>document.title")
    assert page.title() != "taken"
    page.go_back()
    page.locator(".game-list a").first.click()
    assert page.title() != "taken"
    assert "\u202e" not in page.content()
    assert heard.complaints == []


def test_a_megabyte_of_nonsense_is_refused_with_a_sentence(
    page: Page,  # noqa: F811
    server: WebServer,
    tmp_path: Path,
) -> None:
    page.goto(server.address)
    for size, sentence in ((1_000_000, "neither PGN nor NDJSON"), (3_000_000, "MiB that")):
        file = tmp_path / "games.pgn"
        file.write_bytes(b"<script>" * (size // 8))
        page.goto(server.address)
        page.get_by_text("Or hand in games as a PGN").click()
        page.get_by_label("A file").set_input_files(file)
        page.get_by_role("button", name="Make a report").last.click()
        page.get_by_text(sentence).wait_for()


def test_a_name_that_is_none_is_said_beside_the_field(page: Page, server: WebServer) -> None:  # noqa: F811
    page.goto(server.address)
    name = page.get_by_label("Lichess username")
    name.fill("<script>alert(1)</script>")
    page.get_by_role("button", name="Make a report").first.click()
    expect(page.get_by_role("alert")).to_contain_text("This cannot be a Lichess name")
    expect(page.get_by_label("Lichess username")).to_have_value("<script>alert(1)</script>")
    ask(page, server, "Nobody_here")
    expect(page.get_by_role("alert")).to_contain_text("Lichess knows no player called Nobody_here")


def test_the_language_is_switched_and_kept(page: Page, server: WebServer) -> None:  # noqa: F811
    page.goto(server.address)
    html = page.locator("html")
    expect(html).to_have_attribute("lang", "en")
    page.get_by_role("button", name="FR").click()
    expect(html).to_have_attribute("lang", "fr")
    page.goto(f"{server.address}calculators")
    expect(html).to_have_attribute("lang", "fr")
    page.get_by_role("button", name="EN").click()
    expect(html).to_have_attribute("lang", "en")


def test_pages_are_painted_at_once_while_the_queue_is_busy(
    page: Page,  # noqa: F811
    server: WebServer,
) -> None:
    ask(page, server, "Moorhenry")
    paints = []
    for _ in range(5):
        page.goto(server.address)
        page.get_by_label("Lichess username").wait_for()
        while not (paint := page.evaluate(FIRST_PAINT)):
            page.wait_for_timeout(20)
        paints.append(paint)
    # 200 ms on a quiet machine; a shared one is given more before this counts as broken.
    assert min(paints) < 600, paints


def test_nobody_is_told_the_token_and_the_server_ends_when_asked(server: WebServer) -> None:
    time.sleep(0.1)
    assert server.stop() == 143
    assert "lip_" not in "".join(server.said)
    assert "Traceback" not in "".join(server.said), "".join(server.said)
    server.start()
