"""All calculators by the names that the terminal's commands have."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.calculators import basic, convert, federations, fide, glicko, performance, target
from pipeline.calculators.calculator import Calculator

_MAKERS: dict[str, Callable[[], Calculator]] = {
    "expected": basic.expected,
    "change": basic.change,
    "period": basic.period,
    "performance": performance.performance,
    "target": target.target,
    "convert": convert.convert,
    "fide": fide.fide,
    "fide-first": fide.fide_first,
    "cma": federations.cma,
    "cfc": federations.cfc,
    "uscf": federations.uscf,
    "fqe": federations.fqe,
    "glicko1": glicko.glicko1,
    "glicko2": glicko.glicko2,
}
CALCULATORS = tuple(_MAKERS)
"""Their names, in the order in which they are shown."""


def calculator(name: str) -> Calculator:
    """One of `CALCULATORS`, in the language of the context."""
    return _MAKERS[name]()
