"""A calculator in a browser: with scripts and without, on a phone, for a keyboard."""

import threading
from collections.abc import Iterator

import pytest
import uvicorn
from browser import browser, overhear, page  # noqa: F401
from made_web import made_context
from playwright.sync_api import Browser, Page, expect

from pipeline.web.app import create_app


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on loopback, as `movelo serve` runs it."""
    with made_context(tmp_path_factory.mktemp("web")) as context:
        config = uvicorn.Config(create_app(context), port=0, log_config=None, ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            thread.join(0.02)
            assert thread.is_alive()
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join()


def _ask(shown: Page, games: str) -> None:
    shown.get_by_label("Your rating").fill("1500")
    shown.get_by_label("Games", exact=True).fill(games)
    shown.get_by_role("button", name="Calculate").click()


def test_a_mistake_is_said_and_mended_and_the_address_is_the_answers(
    page: Page,  # noqa: F811
    address: str,
) -> None:
    heard = overhear(page)
    page.goto(f"{address}/calculators")
    page.get_by_role("link", name="Several games").click()
    _ask(page, "1400:2")
    games = page.get_by_label("Games", exact=True)
    expect(games).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_contain_text("'2' is no result")
    expect(games).to_have_value("1400:2")
    _ask(page, "1400:1 1600:½")
    answer = page.get_by_role("region", name="2 games as one rating period")
    expect(answer).to_contain_text("1500 → 1510")
    assert "games=1400%3A1" in page.url
    page.reload()
    expect(answer).to_contain_text("1500 → 1510")
    assert heard.complaints == []
    assert all(request.startswith(address) for request in heard.requests)


def test_it_works_without_scripts_and_fits_a_phone(
    browser: Browser,  # noqa: F811
    address: str,
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 700})
    phone = context.new_page()
    phone.goto(f"{address}/calculators/period")
    _ask(phone, "1400:1\n1600:½")
    expect(phone.get_by_role("region", name="2 games as one rating period")).to_be_visible()
    context.close()
    wide = browser.new_page(viewport={"width": 360, "height": 700})
    for name in ("period", "target", "fide"):
        wide.goto(f"{address}/calculators/{name}")
        assert wide.evaluate("document.documentElement.scrollWidth") <= 360
    wide.close()
