"""Numbers as the language of the context writes them: `1,204.5`, `1 204,5`, `1.204,5`."""

from __future__ import annotations

from functools import cache

from config.language import language


def number_text(number: float, places: int = 0) -> str:
    """`1,204` with so many decimal places, grouped by thousands."""
    return localized(f"{number:,.{places}f}")


def localized(written: str) -> str:
    """What Python wrote (`0.57`, `+1,204.5`) with the language's own signs in it."""
    spoken = language()
    if spoken == "en":
        return written
    point, group = _signs(spoken)
    return written.translate({ord("."): point, ord(","): group})


@cache
def _signs(spoken: str) -> tuple[str, str]:
    from babel.numbers import get_decimal_symbol, get_group_symbol

    return get_decimal_symbol(spoken), get_group_symbol(spoken)
