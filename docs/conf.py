"""How Sphinx makes the site; `python docs/make_site.py` makes it in all languages."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS), str(DOCS.parent)]

from config.version import version as movelo_version  # noqa: E402

project = "movelo"
author = "the authors of movelo"
copyright = "the authors of movelo, AGPL-3.0-or-later"  # noqa: A001 (Sphinx's own name)
version = release = movelo_version()

extensions = ["myst_parser"]
exclude_patterns = ["_build", "locales"]
nitpicky = True
smartquotes = False  # --options stay as they are typed

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 4

locale_dirs = ["locales"]
gettext_compact = True
figure_language_filename = "{path}{basename}.{language}{ext}"

html_theme = "furo"
html_title = "movelo"
html_static_path = ["static"]
templates_path = ["templates"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_last_updated_fmt = None
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "languages.html",
        "sidebar/scroll-end.html",
    ]
}
html_context = {
    "languages": (("en", "English"), ("fr", "Français"), ("pt", "Português")),
}


def setup(app: Any) -> None:
    """The reference is made from the code, and sentences of movelo's are looked up in it."""
    # The store that describes the HTTP API would tell of its own making.
    logging.getLogger("pipeline").setLevel(logging.WARNING)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    from made_from_code import fill
    from said import Said

    def filled(_app: Any, _page: str, source: list[str]) -> None:
        source[0] = fill(source[0])

    app.connect("source-read", filled)
    app.add_directive("said", Said)
