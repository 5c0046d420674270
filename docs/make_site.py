"""The site in all languages: `python docs/make_site.py [FOLDER]`; open index.html there.

English is at the top, French in fr/, Portuguese in pt/; the guide is translated, the other pages
are English everywhere. Any warning of Sphinx's ends it: a dead link, a missing picture, a
sentence that movelo does not say any more.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

DOCS = Path(__file__).resolve().parent
USUAL_FOLDER = DOCS / "_build"
LANGUAGES = ("en", "fr", "pt")


def make_site(folder: Path) -> int:
    """The exit status: 0, or that of a language that failed.

    A process for each, all at once: within one, Sphinx would go on with the language before.
    """
    with TemporaryDirectory() as doctrees:
        made = [
            subprocess.Popen([sys.executable, "-m", "sphinx", *_arguments(one, folder, doctrees)])
            for one in LANGUAGES
        ]
        return max(one.wait() for one in made)


def _arguments(language: str, folder: Path, doctrees: str) -> list[str]:
    pages = folder if language == "en" else folder / language
    return [
        *("-q", "-W", "--keep-going", "-b", "html"),
        *("-d", f"{doctrees}/{language}", "-D", f"language={language}"),
        *(str(DOCS), str(pages)),
    ]


if __name__ == "__main__":
    wanted = Path(sys.argv[1]) if len(sys.argv) > 1 else USUAL_FOLDER / "site"
    sys.exit(make_site(wanted))
