"""What is shown for a question about ratings: figures, perhaps a table, and what to know."""

from __future__ import annotations

from dataclasses import dataclass

from config.language import _
from reports.words import told


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTable:
    """Cells in words, one tuple for each line, as many as there are headings."""

    headings: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`figures` are pairs of what it is and its value, the first one the most wanted.

    `notes` are sentences: rules that were applied, assumptions, what the number cannot say.
    """

    title: str
    figures: tuple[tuple[str, str], ...] = ()
    table: AnswerTable | None = None
    notes: tuple[str, ...] = ()


def answer_without_number(title: str, reason: str) -> Answer:
    """An answer that says why there is no number."""
    return Answer(title=title, notes=(_("No answer: {reason}.").format(reason=told(reason)),))
