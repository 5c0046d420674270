"""Text that a spreadsheet takes for text."""

from __future__ import annotations

_FORMULA_SIGNS = tuple("=+-@＝＋－＠")


def inert(text: str) -> str:
    """One line that is no formula: it gets an apostrophe in front where it looks like one.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    line = " ".join(text.splitlines())
    return f"'{line}" if line.lstrip().startswith(_FORMULA_SIGNS) else line
