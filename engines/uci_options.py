"""The options that an engine states, and the commands that set them.

The protocol's description is Stefan Meyer-Kahlen's `engine-interface.txt`, of 2006.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from config.language import _

OptionValue: TypeAlias = str | int | bool

_KEYWORDS = ("default", "min", "max", "var")
_NUMBER = re.compile(r"-?\d{1,20}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class UciOption:
    """One option: `type` is check, spin, combo, string or button; `choices` are a combo's."""

    name: str
    type: str
    default: str = ""
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()


def option_in(line: str) -> UciOption | None:
    """The option that an `option` line states; None for any other line."""
    head, _type, rest = line.strip().partition(" type ")
    name = head.removeprefix("option name ").strip()
    kind, *words = rest.split() or [""]
    if name == head or not name or not kind:
        return None
    stated = _stated(words) if kind != "string" else [("default", _after_default(rest))]
    values = dict(reversed(stated))  # the first of each counts
    return UciOption(
        name=name,
        type=kind,
        default=values.get("default", ""),
        minimum=_number(values.get("min", "")),
        maximum=_number(values.get("max", "")),
        choices=tuple(text for keyword, text in stated if keyword == "var"),
    )


def _stated(words: Sequence[str]) -> list[tuple[str, str]]:
    """Each keyword with the words up to the next."""
    starts = [at for at, word in enumerate(words) if word in _KEYWORDS]
    spans = pairwise([*starts, len(words)])
    return [(words[start], " ".join(words[start + 1 : end])) for start, end in spans]


def _after_default(rest: str) -> str:
    """A text may have any words in it, keywords too."""
    return rest.partition(" default")[2].strip()


def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None


class UciOptions:
    """What an engine can be told, and what it has been told; names in any case."""

    def __init__(self) -> None:
        self._options: dict[str, UciOption] = {}
        self._values: dict[str, str] = {}

    def add(self, option: UciOption) -> None:
        """The engine states this one."""
        self._options[option.name.lower()] = option
        self._values[option.name.lower()] = option.default

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._options

    def value(self, name: str) -> str | None:
        """What it is set to; None for one that the engine does not have."""
        return self._values.get(name.lower())

    def command(self, name: str, value: OptionValue) -> str:
        """What to send, with the end of its line; "" where it is set to that already.

        ValueError, with the reason, for an option or a value that the engine does not know.
        """
        option = self._options.get(name.lower())
        if option is None:
            raise ValueError(_("it has no option {name}").format(name=name))
        text = _checked_text(option, value)
        if self._values[name.lower()] == text:
            return ""
        self._values[name.lower()] = text
        return f"setoption name {option.name} value {text or '<empty>'}\n"


def _checked_text(option: UciOption, value: OptionValue) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if "\n" in text or "\r" in text:
        raise ValueError(_("{option} must be one line").format(option=option.name))
    match option.type:
        case "check" if text not in ("true", "false"):
            raise ValueError(
                _("{option} must be true or false, not {text}").format(
                    option=option.name, text=text
                )
            )
        case "spin" if not _is_within(option, text):
            raise ValueError(
                _("{option} must be from {minimum} to {maximum}, not {text}").format(
                    option=option.name, minimum=option.minimum, maximum=option.maximum, text=text
                )
            )
        case "combo" if text not in option.choices:
            choices = ", ".join(option.choices)
            raise ValueError(
                _("{option} must be one of {choices}, not {text}").format(
                    option=option.name, choices=choices, text=text
                )
            )
        case "button":
            raise ValueError(
                _("{option} is a button, which movelo does not press").format(option=option.name)
            )
    return text


def _is_within(option: UciOption, text: str) -> bool:
    number, low, high = _number(text), option.minimum, option.maximum
    if number is None:
        return False
    return (low is None or low <= number) and (high is None or number <= high)
