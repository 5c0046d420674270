"""The guide's translations: `python docs/translations.py` brings them up to date; with --check it
only says what is left.

Sphinx says what the English has; Babel merges it into docs/locales/*/LC_MESSAGES/*.po, where a
translator writes. A paragraph whose English changed loses its translation, and is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from sphinx.cmd.build import build_main

DOCS = Path(__file__).resolve().parent
TRANSLATED = ("fr", "pt")
PARTS = ("guide", "index")
"""The files of messages whose pages are translated: those of guide/, and index.md."""


def left(*, write_them: bool) -> Iterator[str]:
    """What is left to translate: language, part, English; the catalogues are written if wanted."""
    with TemporaryDirectory() as folder:
        extract(Path(folder))
        for language in TRANSLATED:
            for part in PARTS:
                catalog = merged(language, part, Path(folder))
                if write_them:
                    write(language, part, catalog)
                yield from (f"{language} {part}: {text}" for text in missing(catalog))


def extract(folder: Path) -> None:
    """Write what the pages say now, a .pot for each part; SystemExit where that fails.

    The other pages are left out, so that links to them lead nowhere here: it is quiet about it.
    """
    others = ",".join(path.name for path in DOCS.iterdir() if path.stem not in PARTS)
    options = [
        "-Q",
        "-b",
        "gettext",
        "-d",
        str(folder / "doctrees"),
        "-D",
        f"exclude_patterns={others}",
    ]
    if status := build_main([*options, str(DOCS), str(folder)]):
        raise SystemExit(status)


def merged(language: str, part: str, extracted: Path) -> Catalog:
    """The translator's catalogue, with what is new in English and without what is gone."""
    with (extracted / f"{part}.pot").open("rb") as file:
        english = read_po(file)
    catalog = _read(language, part)
    catalog.update(english, no_fuzzy_matching=True, update_creation_date=False)
    return catalog


def missing(catalog: Catalog) -> tuple[str, ...]:
    """The messages without a translation."""
    return tuple(str(message.id) for message in catalog if message.id and not message.string)


def write(language: str, part: str, catalog: Catalog) -> None:
    """Without line numbers and dates, so that only translations change a file."""
    file = _file(language, part)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as opened:
        write_po(opened, catalog, width=100, no_location=True, ignore_obsolete=True)


def _read(language: str, part: str) -> Catalog:
    file = _file(language, part)
    if not file.exists():
        return Catalog(
            locale=language,
            project="movelo",
            copyright_holder="the authors of movelo",
            header_comment="# The guide; see docs/translations.py",
            fuzzy=False,
        )
    with file.open("rb") as opened:
        return read_po(opened, locale=language)


def _file(language: str, part: str) -> Path:
    return DOCS / "locales" / language / "LC_MESSAGES" / f"{part}.po"


def _main(arguments: list[str]) -> int:
    lines = list(left(write_them="--check" not in arguments))
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 1 if lines and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
