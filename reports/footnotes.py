"""Numbered reasons under a terminal table."""

from __future__ import annotations

from rich.text import Text


class Footnotes:
    """Numbers for the reasons behind the dashes, each reason once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def mark(self, shown: str, reason: str) -> Text:
        """`shown`, with a number when there is a reason behind it."""
        if not reason:
            return Text(shown)
        number = self._numbers.setdefault(reason, len(self._numbers) + 1)
        return Text.assemble(shown, (f"[{number}]", "dim"))

    def lines(self) -> tuple[str, ...]:
        """`[1] too few moves`, in order."""
        return tuple(f"[{number}] {reason}" for reason, number in self._numbers.items())
