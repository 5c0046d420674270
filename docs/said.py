"""```{said}```: a sentence that movelo says, in the language of the page.

It is written in English, as in the code, with its `{places}`; that it is still said is checked
against the catalogues of messages.
"""

from __future__ import annotations

from functools import cache
from typing import ClassVar

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.util.docutils import SphinxDirective

from config.catalogue import Catalogue
from config.language import LANGUAGES

_CATALOGUED = tuple(language for language in LANGUAGES if language != "en")


class Said(SphinxDirective):
    """A block with one sentence; a warning where the code does not say it any more."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """The sentence as a literal block: translations of pages leave it alone."""
        english = " ".join(self.content)
        sentence = said_in(self.config.language, english)
        if sentence is None:
            raise self.error(f"movelo does not say this any more: {english}")
        return [nodes.literal_block(sentence, sentence, language="text", classes=["said"])]


def said_in(language: str, english: str) -> str | None:
    """The message as the catalogue has it; None where it is no message of movelo's."""
    # Before Python 3.11.3, gettext does not find the singular of a message that counts.
    found = {name: _catalogue(name).ngettext(english, english, 1) for name in _CATALOGUED}
    found |= {
        name: said for name in _CATALOGUED if (said := _catalogue(name).gettext(english)) != english
    }
    if english in found.values():
        return None
    return found.get(language, english)


@cache
def _catalogue(language: str) -> Catalogue:
    return Catalogue.load(language)
