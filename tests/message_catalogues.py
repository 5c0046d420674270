"""The catalogues of movelo's messages: `python tests/message_catalogues.py` brings them up to date.

It is told about in reports/locales/README.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

import typer
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ROOT / "reports" / "locales"
ROOMS = ("config", "engines", "pipeline", "reports")
TRANSLATED = ("fr", "pt")
# What marks a message, and which arguments are messages; see config/language.py.
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "_": None,
    "english": None,
    "ngettext": (1, 2),
    "nenglish": (1, 2),
}
METHODS = [("**.py", "python"), ("templates/**.j2", "jinja2")]


def extracted() -> Catalog:
    """Every message in the rooms and their templates, and all help of the command line."""
    catalog = Catalog(project="movelo", charset="utf-8")
    for room in ROOMS:
        found = extract_from_dir(ROOT / room, METHODS, keywords=KEYWORDS)
        for file_name, _line, message, _comments, _context in found:
            catalog.add(message, locations=[(f"{room}/{file_name}", 0)])
    for text in _help_texts():
        catalog.add(text, locations=[("--help", 0)])
    return catalog


def read(language: str) -> Catalog:
    """The translator's own; empty where there is none yet."""
    file = _file(language)
    if not file.exists():
        return _new(language)
    with file.open("rb") as opened:
        return read_po(opened, locale=language)


def write(language: str, catalog: Catalog) -> None:
    """Without line numbers and dates, so that only translations change a file."""
    _file(language).parent.mkdir(parents=True, exist_ok=True)
    with _file(language).open("wb") as opened:
        write_po(opened, catalog, width=100, include_lineno=False, ignore_obsolete=True)


def update(language: str) -> list[str]:
    """Take in what is new and drop what is gone; what is left to translate."""
    catalog = read(language)
    catalog.update(extracted(), no_fuzzy_matching=True, update_creation_date=False)
    write(language, catalog)
    return [
        str(message.id) for message in catalog if message.id and not is_complete(message.string)
    ]


def is_complete(string: str | tuple[str, ...] | list[str] | None) -> bool:
    """Whether every form is there."""
    forms = (string,) if isinstance(string, str) else tuple(string or ())
    return bool(forms) and all(forms)


def _new(language: str) -> Catalog:
    catalog = Catalog(
        locale=language,
        project="movelo",
        version="0",
        charset="utf-8",
        copyright_holder="the authors of movelo",
        msgid_bugs_address="the project's issues",
        last_translator="the authors of movelo",
        language_team="the authors of movelo",
        header_comment="# movelo's messages; see reports/locales/README.md",
        fuzzy=False,
    )
    # Babel's own has a third form, for millions: nobody plays so many games.
    catalog.mime_headers = [("Plural-Forms", "nplurals=2; plural=(n > 1);")]
    return catalog


def _file(language: str) -> Path:
    return LOCALES / language / "LC_MESSAGES" / "movelo.po"


def _help_texts() -> tuple[str, ...]:
    from pipeline.cli.app import app
    from pipeline.cli.language import help_texts

    return help_texts(typer.main.get_command(app))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    for wanted in TRANSLATED:
        for missing in update(wanted):
            print(f"{wanted}: {missing}")
