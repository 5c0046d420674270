"""A calculator: what it asks for, how it answers, and the terminal's words for both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeAlias

from config.errors import InputError
from pipeline.web.calculator_fields import read_fields
from reports.elo_answer import Answer
from reports.web_calculators import CalculatorForm


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """What `movelo elo …` gives: what was asked and the record for programs, words for readers.

    `question` is the name in the JSON's schema.
    """

    question: str
    asked: Mapping[str, Any]
    record: object
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Sentences by the names of the fields they are about."""

    errors: Mapping[str, str]


Solved: TypeAlias = Solution | Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculator:
    """One of `movelo elo`'s, as a form.

    `solve` takes the fields' values by name. `record` is the type of its record. What the rule
    itself refuses is said beside the field `blamed`. `dated`: the answer is another one by the
    rules of another day.
    """

    form: CalculatorForm
    solve: Callable[..., Solved]
    record: Any
    blamed: str = ""
    dated: bool = False


class _Beside(Exception):
    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


@contextmanager
def beside(field: str) -> Iterator[None]:
    """What a rule refuses within it is said beside this field, not the calculator's `blamed`."""
    try:
        yield
    except InputError as error:
        raise _Beside(field, str(error)) from error


def solved(calculator: Calculator, texts: Mapping[str, str], *, today: date) -> Solved:
    """The answer to what stands in the fields, or what is wrong with them."""
    values, errors = read_fields(calculator.form.fields, texts, today=today)
    if errors:
        return Refused(errors=errors)
    try:
        return calculator.solve(**values)
    except _Beside as error:
        return Refused(errors={error.field: str(error)})
    except InputError as error:
        return Refused(errors={calculator.blamed: str(error)})
