"""The site in all languages: `python docs/make_site.py [FOLDER]`; open index.html there.

English is at the top, French in fr/, Portuguese in pt/; the guide is translated, the other pages
are English everywhere. Any warning of Sphinx's ends it: a dead link, a missing picture, a
sentence that movelo does not say any more.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.cmd.build import build_main

DOCS = Path(__file__).resolve().parent
USUAL_FOLDER = DOCS / "_build"
LANGUAGES = ("en", "fr", "pt")


def make_site(folder: Path, *, languages: tuple[str, ...] = LANGUAGES) -> int:
    """Sphinx's exit status: 0, or that of the first language that failed."""
    for language in languages:
        pages = folder if language == "en" else folder / language
        status = build_main(_arguments(language, pages, folder.parent / "doctrees" / language))
        if status:
            return status
    return 0


def _arguments(language: str, pages: Path, doctrees: Path) -> list[str]:
    return [
        *("-q", "-W", "--keep-going", "-b", "html"),
        *("-d", str(doctrees), "-D", f"language={language}"),
        *(str(DOCS), str(pages)),
    ]


if __name__ == "__main__":
    wanted = Path(sys.argv[1]) if len(sys.argv) > 1 else USUAL_FOLDER / "site"
    sys.exit(make_site(wanted))
