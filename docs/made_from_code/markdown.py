"""Text of the code's as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, or nothing where there are no rows."""
    lines = [_row(row) for row in rows]
    if not lines:
        return ""
    return "\n".join([_row(headings), "|" + " --- |" * len(headings), *lines, ""])


def code(text: str) -> str:
    """Within a line; whatever the text, it is shown as it is."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def plain(text: str) -> str:
    """A sentence of the code's: what it has between backticks stays code, the rest is no markup."""
    parts = " ".join(text.split()).split("`")
    return "".join(
        f"`{part}`" if number % 2 else _escaped(part) for number, part in enumerate(parts)
    )


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _escaped(text: str) -> str:
    for sign in ("\\", "*", "_", "<", "[", "]", "#", "$"):
        text = text.replace(sign, f"\\{sign}")
    return text
