"""What axe-core finds wrong with a page, as far as it matters: serious and critical."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_AXE = Path(__file__).parent / "static" / "axe.min.js"


def serious_faults(page: Page) -> list[str]:
    """`color-contrast: …, at <span …>`, one line for each element."""
    # Not as a script element: the page's own policy forbids those, and rightly.
    page.evaluate(_AXE.read_text("utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [
        f"{fault['id']}: {fault['help']}, at {node['html'][:200]} ({node['failureSummary'][:300]})"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]
