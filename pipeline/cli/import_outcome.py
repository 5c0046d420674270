"""What an import has done: one table, or JSON."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from pipeline.fetch.game_filter import LeftOut
from pipeline.importing import Imported


def tell(imported: Imported, left_out: Counter[LeftOut], *, seconds: float, as_json: bool) -> None:
    """On standard output; what cannot be read is named on standard error."""
    if as_json:
        sys.stdout.write(json.dumps(_as_record(imported, left_out, seconds)) + "\n")
    else:
        Console().print(_table(imported, left_out, seconds))
    named = Console(stderr=True)
    for line in _unreadable(imported):
        named.print(line, highlight=False, markup=False, soft_wrap=True)


def _table(imported: Imported, left_out: Counter[LeftOut], seconds: float) -> Table:
    games = _games(imported, left_out)
    rate = f"{games / seconds:,.0f} games a second" if seconds else ""
    table = Table(title="Games imported", caption=rate, title_justify="left")
    table.add_column("Games", justify="right")
    table.add_column("What became of them")
    for count, what in _taken(imported):
        table.add_row(f"{count:,}", what)
    table.add_section()
    for reason, count in left_out.most_common():
        table.add_row(f"{count:,}", f"left out: {reason.value}")
    if imported.unreadable_games:
        table.add_row(f"{imported.unreadable_games:,}", "left out: cannot be read")
    table.add_section()
    table.add_row(f"{games:,}", "in all")
    return table


def _taken(imported: Imported) -> Iterator[tuple[int, str]]:
    yield imported.new, "new in the store"
    if imported.completed:
        yield imported.completed, "in the store already, now with more that is known of them"
    if imported.kept_already:
        yield imported.kept_already, "in the store already"


def _unreadable(imported: Imported) -> Iterator[str]:
    for one in imported.unreadable:
        yield f"left out: {one.where}: {one.reason}"
    if more := imported.unreadable_games - len(imported.unreadable):
        yield f"left out: {more} more that cannot be read"


def _as_record(imported: Imported, left_out: Counter[LeftOut], seconds: float) -> dict[str, object]:
    return {
        "games": _games(imported, left_out),
        "new": imported.new,
        "completed": imported.completed,
        "kept_already": imported.kept_already,
        "left_out": {reason.name.lower(): left_out[reason] for reason in LeftOut},
        "unreadable": imported.unreadable_games,
        "first_unreadable": [
            {"where": one.where, "reason": one.reason} for one in imported.unreadable
        ],
        "seconds": round(seconds, 3),
    }


def _games(imported: Imported, left_out: Counter[LeftOut]) -> int:
    return imported.taken + left_out.total() + imported.unreadable_games
