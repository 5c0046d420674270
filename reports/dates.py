"""Days as the language of the context writes them."""

from __future__ import annotations

from datetime import date
from typing import Literal

from config.language import language

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def localized_date(day: date, form: Literal["short", "long", "without year"]) -> str:
    """`2026-03-14`, `14 March 2026`, `14 March`; `14/03/2026`, `14 mars 2026`, `14 mars`."""
    if language() == "en":
        return _english_date(day, form)
    from babel.dates import format_date, format_skeleton

    if form == "without year":
        return format_skeleton("MMMMd", day, locale=language())
    return format_date(day, "dd/MM/yyyy" if form == "short" else "long", locale=language())


def _english_date(day: date, form: str) -> str:
    if form == "short":
        return day.isoformat()
    year = "" if form == "without year" else f" {day.year}"
    return f"{day.day} {_MONTHS[day.month - 1]}{year}"
