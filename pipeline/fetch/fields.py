"""Typed reading of a JSON object: a field that is wrong is named, with where it stood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from config.errors import InputError
from config.language import _, english, retold


@dataclass(frozen=True, slots=True)
class Fields:
    """One JSON object. `where` and `path` say in an error which one ("players.white.").

    A null counts as an absent field. Every method raises InputError on a wrong type, and the
    ones not called `optional_…` on an absent field too.
    """

    values: Mapping[str, object]
    where: str
    path: str = ""

    def text(self, key: str) -> str:
        """A string that is not empty."""
        value = self.optional_text(key)
        if not value:
            raise self.missing(key)
        return value

    def optional_text(self, key: str) -> str | None:
        """A string, if there is one."""
        value = self.values.get(key)
        if value is None or isinstance(value, str):
            return value
        raise self.wrong(key, english("a text"))

    def integer(self, key: str) -> int:
        """A whole number."""
        value = self.optional_integer(key)
        if value is None:
            raise self.missing(key)
        return value

    def optional_integer(self, key: str) -> int | None:
        """A whole number, if there is one. True and 1.0 are none."""
        value = self.values.get(key)
        if value is None or _is_integer(value):
            return value
        raise self.wrong(key, english("a whole number"))

    def optional_integer_from(self, lowest: int, highest: int, key: str) -> int | None:
        """A whole number from `lowest` to `highest`, if there is one."""
        value = self.optional_integer(key)
        if value is None or lowest <= value <= highest:
            return value
        expected = english("a whole number from {lowest} to {highest}")
        raise self.wrong(key, expected.format(lowest=lowest, highest=highest))

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self.values.get(key)
        if value is None:
            raise self.missing(key)
        return self.optional_flag(key)

    def optional_flag(self, key: str) -> bool:
        """True or false; false where it is absent."""
        value = self.values.get(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        raise self.wrong(key, english("true or false"))

    def child(self, key: str) -> Fields:
        """A JSON object."""
        child = self.optional_child(key)
        if child is None:
            raise self.missing(key)
        return child

    def optional_child(self, key: str) -> Fields | None:
        """A JSON object, if there is one."""
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, Mapping):
            return Fields(value, self.where, f"{self.path}{key}.")
        raise self.wrong(key, english("a JSON object"))

    def children(self, key: str) -> tuple[Fields, ...]:
        """A list of JSON objects; empty where it is absent."""
        items = self._list(key)
        if not all(isinstance(item, Mapping) for item in items):
            raise self.wrong(key, english("a list of JSON objects"))
        return tuple(
            Fields(item, self.where, f"{self.path}{key}[{index}].")
            for index, item in enumerate(items)
            if isinstance(item, Mapping)
        )

    def integers(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers; empty where it is absent."""
        items = self._list(key)
        integers = tuple(item for item in items if _is_integer(item))
        if len(integers) < len(items):
            raise self.wrong(key, english("a list of whole numbers"))
        return integers

    def missing(self, key: str) -> InputError:
        """The error for an absent field."""
        return InputError(
            _(
                "{where}: the field {path}{key} is missing; give a game as Lichess exports it"
            ).format(where=self.where, path=self.path, key=key)
        )

    def wrong(self, key: str, expected: str) -> InputError:
        """The error for a field that is there and is not `expected`."""
        return InputError(
            _(
                "{where}: the field {path}{key} is {found}, not {expected}; export this game "
                "again or take it out"
            ).format(
                where=self.where,
                path=self.path,
                key=key,
                found=_shown(self.values.get(key)),
                expected=retold(expected),
            )
        )

    def _list(self, key: str) -> list[object]:
        value = self.values.get(key)
        if value is None:
            return []
        if isinstance(value, list | tuple):
            return list(value)
        raise self.wrong(key, english("a list"))


def _is_integer(value: object) -> TypeGuard[int]:
    """No field has one that a database, or another program's JSON, could not keep."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53


def _shown(value: object, longest: int = 40) -> str:
    text = repr(value)
    return text if len(text) <= longest else f"{text[:longest]}…"
