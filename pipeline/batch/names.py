"""A list of players, one a line."""

from __future__ import annotations

from collections.abc import Iterable

from config.errors import InputError
from config.language import _


def names_in_list(text: str, *, source: str) -> tuple[str, ...]:
    """The names in their order, each once (capitals do not matter); `#` begins a remark.

    InputError when there are none; `source` is what the list is called then.
    """
    lines = (line.partition("#")[0].strip() for line in text.removeprefix("\ufeff").splitlines())
    names = once(line for line in lines if line)
    if not names:
        raise InputError(_("{source} names no player; write one name a line").format(source=source))
    return names


def once(names: Iterable[str]) -> tuple[str, ...]:
    """Each name as it came first, whatever its capitals."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(name.casefold(), name)
    return tuple(found.values())
