"""The pictures of the guide and the README: `python docs/make_pictures.py`.

They show the report on the demonstration's games, which no person played, in each language;
drawn by the machine's own Chromium. The human-move model has to be there: `movelo model install`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import FloatRect, Page, sync_playwright

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
LANGUAGES = ("en", "fr", "pt")
_WIDTH, _HEIGHT = 1000, 1600
_MARGIN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What it shows: from the top of `first` to the top of `until`, Playwright's selectors."""

    name: str
    first: str
    until: str


_GAME = "section.details details"
PICTURES = (
    Picture(name="report", first="body", until="section.trends"),
    Picture(name="trends", first="section.trends", until="section.trends details"),
    Picture(name="differences", first="section.differences", until="section.differences details"),
    Picture(name="game", first=_GAME, until=f"{_GAME} >> nth=1"),
)
"""In the order in which they are taken."""


def make_pictures(folder: Path) -> None:
    """Write NAME.png in English, NAME.fr.png and NAME.pt.png."""
    sys.path.insert(0, str(DOCS.parent))
    from pipeline.cli.pdf import browser_program

    with TemporaryDirectory() as reports, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_program(), args=["--no-sandbox"]
        )
        for language in LANGUAGES:
            report = _demo_report(language, Path(reports) / language)
            page = browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT})
            page.goto(report.as_uri())
            suffix = "" if language == "en" else f".{language}"
            for picture in PICTURES:
                taken = _taken(page, picture)
                (folder / f"{picture.name}{suffix}.png").write_bytes(taken)
        browser.close()


def _demo_report(language: str, folder: Path) -> Path:
    options = ["--lang", language, "demo", "--format", "html", "--out", str(folder)]
    subprocess.run([sys.executable, "-m", "pipeline.cli", *options], cwd=DOCS.parent, check=True)
    return next(folder.glob("*.html"))


def _taken(page: Page, picture: Picture) -> bytes:
    if picture.first == _GAME:
        page.locator(f"{_GAME} summary").first.click()
    first, until = _box(page, picture.first), _box(page, picture.until)
    top, bottom = max(0.0, first["y"] - _MARGIN), until["y"] - _MARGIN
    clip: FloatRect = {"x": 0, "y": top, "width": _WIDTH, "height": bottom - top}
    return page.screenshot(clip=clip, full_page=True)


def _box(page: Page, selector: str) -> FloatRect:
    """Where the first such element is on the whole page, which is at its top still."""
    page.evaluate("scrollTo(0, 0)")
    box = page.locator(selector).first.bounding_box()
    if box is None:
        raise SystemExit(f"the report has no {selector} any more: mend PICTURES")
    return box


def picture_files() -> Iterator[Path]:
    """All that have to be there."""
    for picture in PICTURES:
        for suffix in ("", *(f".{language}" for language in LANGUAGES if language != "en")):
            yield IMAGES / f"{picture.name}{suffix}.png"


if __name__ == "__main__":
    make_pictures(IMAGES)
