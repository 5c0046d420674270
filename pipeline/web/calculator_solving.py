"""What a filled form gets: the calculator's solution, or sentences beside its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, TypeAlias

from config.errors import FieldRefused, InputError
from config.language import _, ngettext
from pipeline.calculators.calculator import Calculator, Solution
from pipeline.calculators.limits import MOST_GAMES
from pipeline.web.calculator_fields import read_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Sentences by the names of the fields they are about."""

    errors: Mapping[str, str]


def solved(calculator: Calculator, texts: Mapping[str, str], *, today: date) -> Solution | Refused:
    """The answer to what stands in the fields, or what is wrong with them."""
    values, errors = read_fields(calculator.form.fields, texts, today=today)
    if not errors and (check := _TOGETHER.get(calculator.form.name)):
        errors = dict(check(values))
    if errors:
        return Refused(errors=errors)
    try:
        return calculator.solve(**values)
    except FieldRefused as error:
        return Refused(errors={error.field: str(error)})
    except InputError as error:
        return Refused(errors={calculator.blamed: str(error)})


def _both_or_none(values: Mapping[str, Any]) -> Mapping[str, str]:
    lacking = [name for name in ("rating", "opponent") if values[name] is None]
    if len(lacking) != 1:
        return {}
    return {lacking[0]: _("Give both ratings, or none for the table.")}


def _growth(values: Mapping[str, Any]) -> Mapping[str, str]:
    if not values["periods"] or values["c"] is not None:
        return {}
    return {"c": _("c: the deviation grows with the periods by it; give it.")}


def _few_enough(values: Mapping[str, Any]) -> Mapping[str, str]:
    games = len(values["opponents"]) * values["times"]
    if games <= MOST_GAMES:
        return {}
    sentence = ngettext(
        "At most {count} game at once, and there are {number}: take fewer.",
        "At most {count} games at once, and there are {number}: take fewer.",
        MOST_GAMES,
    )
    return {"times": sentence.format(count=MOST_GAMES, number=games)}


_Check: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, str]]
_TOGETHER: Final[Mapping[str, _Check]] = {
    "expected": _both_or_none,
    "glicko1": _growth,
    "target": _few_enough,
}
"""What is wrong with values that are right each for itself, by the calculators' names."""
