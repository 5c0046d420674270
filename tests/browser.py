"""A real browser for the tests: the machine's own Chromium, driven by Playwright.

`from browser import browser_fixture, page_fixture  # noqa: F401` in a test file gives its tests
both fixtures, `browser` and `page`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from pipeline.cli.pdf import browser_program

WAIT_MILLISECONDS = 15_000


@pytest.fixture(scope="module", name="browser")
def browser_fixture() -> Iterator[Browser]:
    """One for each file: Playwright keeps an event loop running, which asyncio's users mind."""
    program = browser_program()
    if program is None:
        pytest.fail("These tests need a browser: apt install chromium, and run them again.")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(name="page")
def page_fixture(browser: Browser) -> Iterator[Page]:
    """A page of its own, without cookies; 1280 by 900 pixels."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT_MILLISECONDS)
    yield context.new_page()
    context.close()


@dataclass
class Overheard:
    """What a page complained of, and what it asked for beyond itself."""

    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


def overhear(page: Page) -> Overheard:
    """Whatever the page says and asks for from now on; its own file and data: are not told."""
    heard = Overheard()
    page.on("console", lambda message: heard.complaints.append(message.text))
    page.on("pageerror", lambda error: heard.complaints.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith(("data:", "file:")) and request.is_navigation_request()
            else heard.requests.append(request.url)
        ),
    )
    return heard


browser, page = browser_fixture, page_fixture
"""The same under the names that tests ask for them by."""
