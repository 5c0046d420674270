"""One language's messages, read from the catalogue as translators write it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALES = Path(__file__).parent.parent / "reports" / "locales"

_PLACEHOLDER = re.compile(r"\{(\w+)[^{}]*\}")
# A value of one of these names is a sentence of movelo's own, and is told in turn.
_SENTENCES = frozenset({"advice", "error", "others", "problem", "reason", "source"})
_FEWEST_LETTERS = 6


class Catalogue:
    """What `config.language` looks messages up in."""

    def __init__(self, messages: Catalog) -> None:
        compiled = BytesIO()
        write_mo(compiled, messages)
        compiled.seek(0)
        self._translations = GNUTranslations(compiled)
        self._messages = messages
        self.retold = lru_cache(maxsize=10_000)(self._retold)

    @classmethod
    def load(cls, language: str) -> Catalogue:
        """That of `language`, such as `fr`."""
        with (LOCALES / language / "LC_MESSAGES" / "movelo.po").open("rb") as file:
            return cls(read_po(file, locale=language))

    def gettext(self, message: str) -> str:
        """The translation, or `message`."""
        return self._translations.gettext(message) if message else ""  # "" stands for the header

    def ngettext(self, singular: str, plural: str, number: float) -> str:
        """The form for `number`; half a game takes the form of none."""
        return self._translations.ngettext(singular, plural, int(number))

    def _retold(self, kept: str) -> str:
        """`kept` is English with its values in it: the template is found that it was made from."""
        if kept in self._messages:
            return self.gettext(kept)
        found = ((template, template.pattern.fullmatch(kept)) for template in self._templates)
        for template, match in found:
            if match is not None and template.explains(match.groupdict()):
                return self._filled(template, match.groupdict())
        return kept

    @cached_property
    def _templates(self) -> tuple[_Template, ...]:
        """Built when it is first needed: a thousand patterns take a tenth of a second."""
        return _templates(self._messages)

    def _filled(self, template: _Template, values: dict[str, str]) -> str:
        said = {
            name: self.retold(value) if name in _SENTENCES else value
            for name, value in values.items()
        }
        message = self._form(template, values.values())
        return _PLACEHOLDER.sub(lambda place: said.get(place[1], place[0]), message)

    def _form(self, template: _Template, values: Iterable[str]) -> str:
        if template.plural is None:
            return self.gettext(template.singular)
        digits = (value.replace(",", "") for value in values)
        number = next((int(value) for value in digits if value.isdecimal()), 1)
        return self.ngettext(template.singular, template.plural, number)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Template:
    """A message with values in it, and what English text it can have become."""

    singular: str
    plural: str | None
    pattern: re.Pattern[str]
    letters: int

    def explains(self, values: dict[str, str]) -> bool:
        """Whether the text is mostly the template's own: `{a} of {b} games` is within many."""
        others = (value for name, value in values.items() if name not in _SENTENCES)
        return 2 * self.letters >= sum(map(_letters, others))


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _templates(messages: Catalog) -> tuple[_Template, ...]:
    """Those that say most come first: `{a}: {b}` would match nearly everything."""
    found = [template for message in messages if message.id for template in _forms(message.id)]
    return tuple(sorted(found, key=lambda template: -template.letters))


def _forms(identity: str | tuple[str, ...] | list[str]) -> Iterable[_Template]:
    singular, plural = (identity, None) if isinstance(identity, str) else identity[:2]
    for form in (singular, plural):
        letters = _letters(_PLACEHOLDER.sub("", form or ""))
        if form and letters >= _FEWEST_LETTERS and (plural or _PLACEHOLDER.search(form)):
            yield _Template(
                singular=singular, plural=plural, pattern=_pattern(form), letters=letters
            )


def _pattern(form: str) -> re.Pattern[str]:
    seen: set[str] = set()

    def group(name: str) -> str:
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>.*?)"

    parts = _PLACEHOLDER.split(form)
    texts = (group(part) if number % 2 else re.escape(part) for number, part in enumerate(parts))
    return re.compile("".join(texts), re.DOTALL)
