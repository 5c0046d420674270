"""Answers about ratings, for the terminal: readable at 80 columns."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.elo_answer import Answer, AnswerTable


def render_answer(answer: Answer, console: Console) -> None:
    """Print the title, the figures with the first one in bold, the table, the notes."""
    console.print(Text(answer.title, style="bold cyan"))
    if answer.figures:
        console.print(_figures(answer.figures))
    if answer.table:
        console.print(_table(answer.table))
    for note in answer.notes:
        console.print(Text(note, style="dim"))


def _figures(figures: tuple[tuple[str, str], ...]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column()
    grid.add_column(overflow="fold")
    for number, (label, value) in enumerate(figures):
        grid.add_row(Text(label), Text(value, style="" if number else "bold"))
    return grid


def _table(table: AnswerTable) -> Table:
    shown = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, heading in enumerate(table.headings):
        # The first column names the line; what follows are numbers.
        shown.add_column(Text(heading), justify="right" if number else "left", overflow="fold")
    for line in table.lines:
        shown.add_row(*(Text(cell) for cell in line))
    return shown
