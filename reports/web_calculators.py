"""The calculators as pages: a form that works without scripts, and the answer in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from config.language import _
from reports.calculator_form import CalculatorField, CalculatorForm, FieldKind
from reports.elo_answer import Answer
from reports.html_page import environment

_OPTION = re.compile(r"--([a-z][a-z-]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledForm:
    """What was typed and what came of it.

    `texts` and `errors` go by the fields' names; an answer is there only without errors.
    `query` is that of an address that leads to this very answer, on any day.
    """

    texts: Mapping[str, str]
    errors: Mapping[str, str]
    answer: Answer | None = None
    query: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalculatorLink:
    """A calculator in the list of all."""

    name: str
    title: str
    summary: str


def calculator_to_html(
    form: CalculatorForm, filled: FilledForm, others: tuple[CalculatorLink, ...]
) -> str:
    """The page of one calculator; `others` are all of them, in their order."""
    return _render(
        "calculator.html.j2",
        form=form,
        filled=filled,
        others=others,
        groups=_groups(form.fields, filled),
        notes=_in_words_of_the_form(filled.answer, form.fields) if filled.answer else (),
    )


def calculators_to_html(calculators: tuple[CalculatorLink, ...]) -> str:
    """The page that lists all calculators."""
    return _render("calculators.html.j2", calculators=calculators)


_TALL: tuple[FieldKind, ...] = ("games", "glicko_games", "switch")


def _groups(fields: tuple[CalculatorField, ...], filled: FilledForm) -> dict[str, Any]:
    """The fields as they stand on the page: what is needed, lists, what is not, what few need."""
    aside = [field for field in fields if field.aside]
    rows = [field for field in fields if not field.aside and field.kind not in _TALL]
    return {
        "needed": [field for field in rows if field.required],
        "tall": [field for field in fields if field.kind in _TALL],
        "optional": [field for field in rows if not field.required],
        "aside": aside,
        "aside_is_used": any(_is_used(field, filled) for field in aside),
    }


def _is_used(field: CalculatorField, filled: FilledForm) -> bool:
    return field.name in filled.errors or filled.texts[field.name] != field.default


def _in_words_of_the_form(answer: Answer, fields: tuple[CalculatorField, ...]) -> tuple[str, ...]:
    """The notes, with the terminal's options called as the form calls them."""
    labels = {field.name: field.label for field in fields}

    def called(option: re.Match[str]) -> str:
        label = labels.get(option[1].replace("-", "_"))
        return option[0] if label is None else _("“{label}”").format(label=label)

    return tuple(_OPTION.sub(called, note) for note in answer.notes)


def _render(template: str, **values: Any) -> str:
    return environment().get_template(f"web/{template}").render(**values)
