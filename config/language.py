"""The language that movelo speaks: English in the code, French and Portuguese from catalogues.

Whatever a person reads goes through `_` where it is written, so that Babel finds it:
`_("{games} games of {player}").format(games=…, player=…)`, never an f-string. The language is
that of the context (a web request, a command), so that two people may be answered at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

LANGUAGES = ("en", "fr", "pt")
CATALOGUES = Path(__file__).parent.parent / "reports" / "locales"

_language: ContextVar[str] = ContextVar("language", default="en")


def _(message: str) -> str:
    """`message` in the language of the context; as it is where there is no translation."""
    return _translations(_language.get()).gettext(message)


def ngettext(singular: str, plural: str, number: float) -> str:
    """The form that the language uses with `number`."""
    return _translations(_language.get()).ngettext(singular, plural, int(number))


def language() -> str:
    """The context's: one of LANGUAGES."""
    return _language.get()


@contextmanager
def speaking(wanted: str) -> Iterator[None]:
    """Within it everything is said in `wanted`, one of LANGUAGES."""
    token = _language.set(wanted)
    try:
        yield
    finally:
        _language.reset(token)


@cache
def _translations(wanted: str) -> NullTranslations:
    if wanted == "en":
        return NullTranslations()
    # Read only where another language than English is spoken: Babel takes a tenth of a second.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with (CATALOGUES / wanted / "LC_MESSAGES" / "movelo.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=wanted))
    compiled.seek(0)
    return GNUTranslations(compiled)
