"""A page printed to PDF by a browser of this machine; movelo brings none."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from config.errors import MoveloError
from config.language import _

_logger = logging.getLogger(__name__)

_NAMES = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("microsoft-edge", "microsoft-edge-stable", "msedge", "brave-browser"),
)
_MACOS_PROGRAMS = tuple(
    f"/Applications/{name}.app/Contents/MacOS/{name}"
    for name in ("Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser")
)
_SECONDS = 120.0


def printed(html: str, *, beside: Path, browser: str | None = None) -> bytes:
    """The PDF of `html`, printed by `browser`, else by the first that is found.

    The page lies in a folder beside `beside` meanwhile: a browser from a snap sees no other
    than its user's folders. MoveloError without a browser, or with one that fails.
    """
    program = browser or browser_program()
    if program is None:
        raise MoveloError(
            _("There is no PDF: that takes Chromium, Chrome, Edge or Brave, and none was found.")
        )
    with tempfile.TemporaryDirectory(dir=beside.parent, prefix="movelo-pdf-") as folder:
        page, pdf = Path(folder) / "page.html", Path(folder) / "page.pdf"
        page.write_text(html, "utf-8")
        _run(_command(program, page, pdf, profile=Path(folder) / "profile"))
        if not pdf.is_file() or not pdf.read_bytes().startswith(b"%PDF"):
            raise MoveloError(_("There is no PDF: {browser} wrote none.").format(browser=program))
        return pdf.read_bytes()


def browser_program() -> str | None:
    """The path of the first browser that is found and can print; None without any."""
    programs = _MACOS_PROGRAMS if sys.platform == "darwin" else ()
    return next(filter(None, map(shutil.which, (*_NAMES, *programs))), None)


def _command(program: str, page: Path, pdf: Path, *, profile: Path) -> list[str]:
    options = [
        *("--headless", "--disable-gpu", "--no-first-run", "--disable-extensions"),
        *("--no-pdf-header-footer", "--virtual-time-budget=3000"),
        *(f"--user-data-dir={profile}", f"--print-to-pdf={pdf}"),
    ]
    # Chromium refuses to run in its sandbox as root, as in a container.
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return [program, *options, *sandbox, page.resolve().as_uri()]


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise MoveloError(
            _("There is no PDF: {browser} was still printing after {seconds} seconds.").format(
                browser=command[0], seconds=round(_SECONDS)
            )
        ) from error
    except OSError as error:
        raise MoveloError(
            _("There is no PDF: {browser} does not start ({reason}).").format(
                browser=command[0], reason=error.strerror or error
            )
        ) from error
    _logger.debug("%s ended with %d: %s", command[0], done.returncode, done.stderr[-500:])
