"""What a calculator asks for, declared once: its pages and the API's description are made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

FieldKind: TypeAlias = Literal[
    "rating", "ratings", "games", "glicko_games", "number", "whole", "choice", "date", "switch"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalculatorField:
    """One thing that a calculator asks for.

    `name` is the parameter in an address and, after two dashes, the terminal's option. `default`
    is written as a person would; "" means that nothing is supposed (a date: today). `minimum` and
    `maximum` are in `unit`. `choices` are pairs of value and label. `aside`: few need it.
    """

    name: str
    kind: FieldKind
    label: str
    help: str = ""
    unit: str = ""
    default: str = ""
    required: bool = False
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[tuple[str, str], ...] = ()
    aside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSource:
    """Where the rule is written down; `url` is "" for what is only printed."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalculatorForm:
    """What a calculator's page shows before anything is asked."""

    name: str
    title: str
    summary: str
    fields: tuple[CalculatorField, ...]
    source: RuleSource
    example: str
