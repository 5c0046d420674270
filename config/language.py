"""The language that movelo speaks: English in the code, French and Portuguese from catalogues.

Whatever a person reads goes through `_` where it is written, so that Babel finds it:
`_("{games} games of {player}").format(games=…, player=…)`, never an f-string. The language is
that of the context (a web request, a command), so that two people may be answered at once.

What is kept, or compared, stays English: it is written with `english` (which only marks it for
the catalogues), and `retold` says it in the reader's language when it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from config.catalogue import Catalogue

LANGUAGES = ("en", "fr", "pt")

_language: ContextVar[str] = ContextVar("language", default="en")


def _(message: str) -> str:
    """`message` in the language of the context; as it is where there is no translation."""
    catalogue = _catalogue(_language.get())
    return catalogue.gettext(message) if catalogue else message


def ngettext(singular: str, plural: str, number: float) -> str:
    """The form that the language uses with `number`."""
    catalogue = _catalogue(_language.get())
    if catalogue is None:
        return singular if number == 1 else plural
    return catalogue.ngettext(singular, plural, number)


def english(message: str) -> str:
    """`message` as it is, to be kept or compared, and shown by `retold`."""
    return message


def nenglish(singular: str, plural: str, number: float) -> str:
    """The English form that goes with `number`, to be kept, and shown by `retold`."""
    return singular if number == 1 else plural


def retold(kept: str) -> str:
    """What `english` wrote, values filled in, in the language of the context.

    As it is where it comes from elsewhere (an engine's words, a rating system's name).
    """
    catalogue = _catalogue(_language.get())
    return catalogue.retold(kept) if catalogue else kept


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


def best_language(accept_language: str) -> str:
    """What a browser likes best of LANGUAGES, from its Accept-Language header; else English."""
    wishes = [_wish(part) for part in accept_language[:1000].split(",")]
    liked = sorted((wish for wish in wishes if wish[1] > 0), key=lambda wish: -wish[1])
    return next((tag for tag, _weight in liked if tag in LANGUAGES), "en")


def _wish(part: str) -> tuple[str, float]:
    """`pt-BR;q=0.8` as `pt` and 0.8; what is malformed is not wished for."""
    tag, _separator, parameters = part.strip().lower().partition(";")
    name, _equals, value = parameters.replace(" ", "").partition("=")
    try:
        weight = float(value) if name == "q" else 1.0
    except ValueError:
        weight = 0.0
    return tag.strip().split("-")[0], weight


def language_of(environment: Mapping[str, str]) -> str:
    """That of a terminal: LC_ALL before LC_MESSAGES before LANG, as POSIX has it; else English."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    tag = locale.replace(".", "_").split("_")[0].lower()
    return tag if tag in LANGUAGES else "en"


@cache
def _catalogue(wanted: str) -> Catalogue | None:
    if wanted == "en":
        return None
    # Read only where another language than English is spoken: Babel takes a tenth of a second.
    from config.catalogue import Catalogue

    return Catalogue.load(wanted)
