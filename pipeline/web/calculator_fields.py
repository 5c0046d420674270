"""What was typed into a calculator's field, or stands in an address, made a value.

Every refusal is an InputError whose sentence stands beside the field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

from config.errors import InputError
from config.language import _, ngettext
from pipeline.calculators.game_lines import GameLines
from pipeline.calculators.limits import HIGHEST_RATING, LONGEST_LIST, MOST_GAMES
from pipeline.elo.game_list import is_rating, parse_games
from reports.calculator_form import CalculatorField, FieldKind

_LONGEST_LINE: Final = 60
_LONGEST_GAME: Final = 40
_NUMBER = re.compile(r"[+-]?(\d{1,20}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,3})?", re.ASCII)
# Games beside each other, as the terminal takes them: 1400:1 1550/80:½.
_NEXT_GAME = re.compile(r"(?<=\S)\s+(?=[\d.]+(?:/[\d.]+)?\s*:)")
_SWITCHED_ON = frozenset({"1", "on", "true", "yes"})
_SWITCHED_OFF = frozenset({"", "0", "off", "false", "no"})


def read_fields(
    fields: tuple[CalculatorField, ...], texts: Mapping[str, str], *, today: date
) -> tuple[dict[str, Any], dict[str, str]]:
    """The values by the fields' names, and the sentences about those that are none.

    A field left empty has its default, an optional one without default None, a date `today`.
    """
    values: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for field in fields:
        try:
            values[field.name] = read_field(field, texts.get(field.name, ""), today=today)
        except InputError as error:
            errors[field.name] = str(error)
    return values, errors


def read_field(field: CalculatorField, text: str, *, today: date) -> Any:
    """One field's value, of the type that its kind has; InputError for what is none."""
    given = text.strip() or field.default
    _check_length(field, given)
    if field.kind == "switch":
        return _switch(field, given)
    if not given:
        return _missing(field, today)
    return _READERS[field.kind](field, given)


def entries(text: str) -> list[str]:
    """The lines of a list of games, those beside each other divided by commas."""
    return [_NEXT_GAME.sub(", ", line) for line in text.splitlines()]


def _missing(field: CalculatorField, today: date) -> date | None:
    if field.kind == "date":
        return today
    if field.required:
        raise InputError(_("{field}: this is needed.").format(field=field.label))
    return None


def _check_length(field: CalculatorField, text: str) -> None:
    most = LONGEST_LIST if field.kind in ("games", "glicko_games", "ratings") else _LONGEST_LINE
    if len(text) > most:
        raise InputError(
            _("{field}: this is longer than {most} characters; write less.").format(
                field=field.label, most=most
            )
        )


def _rating(field: CalculatorField, text: str) -> float:
    if not _NUMBER.fullmatch(text.lower()):
        raise InputError(
            _("{field}: “{text}” is no rating; write a number such as 1850.").format(
                field=field.label, text=text
            )
        )
    return _within(field, float(text), lowest=0, highest=HIGHEST_RATING)


def _number(field: CalculatorField, text: str) -> float:
    plain = text.lower().replace("−", "-").replace(",", ".")
    if not _NUMBER.fullmatch(plain):
        raise InputError(
            _("{field}: “{text}” is no number; write it as 20 or 0.06.").format(
                field=field.label, text=text
            )
        )
    return _within(field, float(plain), lowest=field.minimum, highest=field.maximum)


def _whole(field: CalculatorField, text: str) -> int:
    number = _number(field, text)
    if number != int(number):
        raise InputError(
            _("{field}: {text} is no whole number.").format(field=field.label, text=text)
        )
    return int(number)


def _within(
    field: CalculatorField, number: float, *, lowest: float | None, highest: float | None
) -> float:
    low, high = lowest if lowest is not None else 0.0, highest if highest is not None else 1e6
    if not low <= number <= high:
        raise InputError(
            _("{field}: take a number from {low} to {high}.").format(
                field=field.label, low=f"{low:g}", high=f"{high:g}"
            )
        )
    return number


def _games(field: CalculatorField, text: str) -> Any:
    listed = _listed(field, text)
    games = parse_games(listed.lines, where=listed.where, unit=listed.unit)
    for number, game in enumerate(games, start=1):
        if game.opponent_rating > HIGHEST_RATING:
            raise InputError(
                _("{field}: game {number} has an opponent above {highest}; check it.").format(
                    field=field.label, number=number, highest=HIGHEST_RATING
                )
            )
    return games


def _listed(field: CalculatorField, text: str) -> GameLines:
    """Lines that are short enough to be read, and to be quoted where they are no games."""
    lines = [line.partition("#")[0] for line in entries(text)]
    games = [game for line in lines for game in line.split(",") if game.strip()]
    _check_number(field, len(games))
    if long := [game.strip() for game in games if len(game.strip()) > _LONGEST_GAME]:
        raise InputError(
            _("{field}: “{text}…” is no game; write a game as 1800:1, 1800:½ or 1800:0.").format(
                field=field.label, text=long[0][:_LONGEST_GAME]
            )
        )
    return GameLines(lines=tuple(lines), where=field.label, unit=_("line"))


def _ratings(field: CalculatorField, text: str) -> list[float]:
    parts = text.replace(",", " ").split()
    _check_number(field, len(parts))
    for part in parts:
        if not is_rating(part):
            raise InputError(
                _("{field}: “{text}” is no rating; write numbers such as 1850 1920.").format(
                    field=field.label, text=part[:_LONGEST_LINE]
                )
            )
    return [_within(field, float(part), lowest=0, highest=HIGHEST_RATING) for part in parts]


def _check_number(field: CalculatorField, number: int) -> None:
    if number > MOST_GAMES:
        raise InputError(
            ngettext(
                "{field}: at most {count} game at once, and there are {number}.",
                "{field}: at most {count} games at once, and there are {number}.",
                MOST_GAMES,
            ).format(field=field.label, count=MOST_GAMES, number=number)
        )


def _choice(field: CalculatorField, text: str) -> str:
    values = [value for value, _label in field.choices]
    if text not in values:
        raise InputError(
            _("{field}: “{text}” is none of {choices}.").format(
                field=field.label, text=text, choices=", ".join(values)
            )
        )
    return text


def _date(field: CalculatorField, text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InputError(
            _("{field}: “{text}” is no date; write it as 2025-11-01.").format(
                field=field.label, text=text
            )
        ) from error


def _switch(field: CalculatorField, text: str) -> bool:
    word = text.lower()
    if word not in _SWITCHED_ON | _SWITCHED_OFF:
        raise InputError(
            _("{field}: “{text}” is neither true nor false.").format(field=field.label, text=text)
        )
    return word in _SWITCHED_ON


_READERS: Mapping[FieldKind, Callable[[CalculatorField, str], Any]] = {
    "rating": _rating,
    "ratings": _ratings,
    "games": _games,
    # Lines still: a deviation that is missing stands in another field.
    "glicko_games": _listed,
    "number": _number,
    "whole": _whole,
    "choice": _choice,
    "date": _date,
}
