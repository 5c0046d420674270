"""What several displays in the terminal are made of."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text


def print_heading(heading: str, console: Console) -> None:
    """What follows is about, after an empty line."""
    console.print()
    console.print(Text(heading, style="bold cyan"))


def print_points(points: Iterable[str], console: Console) -> None:
    """Each behind a dot, its further lines indented."""
    table = Table.grid(padding=(0, 1, 0, 0))
    for point in points:
        table.add_row(Text("•"), Text(point))
    console.print(table)


def print_dim(lines: Iterable[str], console: Console) -> None:
    """Lines of less weight."""
    for line in lines:
        console.print(Text(line, style="dim"))
