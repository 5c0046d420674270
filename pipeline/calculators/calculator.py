"""A calculator: what it asks for, how it answers, and the same words at every door."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from config.errors import FieldRefused, InputError
from reports.calculator_form import CalculatorForm
from reports.elo_answer import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """What was asked and the record for programs, words for readers.

    `question` is the name in the JSON's schema.
    """

    question: str
    asked: Mapping[str, Any]
    record: object
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculator:
    """One of `movelo elo`'s, as a form.

    `solve` takes the fields' values by name, and raises InputError for what the rule refuses; a
    form says that beside the field `blamed`. `record` is the type of its record. `dated`: the
    answer is another one by the rules of another day.
    """

    form: CalculatorForm
    solve: Callable[..., Solution]
    record: Any
    blamed: str = ""
    dated: bool = False


@contextmanager
def beside(field: str) -> Iterator[None]:
    """What a rule refuses within it is said beside this field, not the calculator's `blamed`."""
    try:
        yield
    except InputError as error:
        raise FieldRefused(field, str(error)) from error
