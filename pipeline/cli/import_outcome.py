"""What an import has done: one table, or JSON."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from config.language import _, retold
from config.localized import number_text
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
    rate = _("{games} games a second").format(games=number_text(games / seconds)) if seconds else ""
    table = Table(title=_("Games imported"), caption=rate, title_justify="left")
    table.add_column(_("Games"), justify="right")
    table.add_column(_("What became of them"))
    for count, what in _taken(imported):
        table.add_row(number_text(count), what)
    table.add_section()
    for reason, count in left_out.most_common():
        table.add_row(
            number_text(count), _("left out: {reason}").format(reason=retold(reason.value))
        )
    if imported.unreadable_games:
        table.add_row(number_text(imported.unreadable_games), _("left out: cannot be read"))
    table.add_section()
    table.add_row(number_text(games), _("in all"))
    return table


def _taken(imported: Imported) -> Iterator[tuple[int, str]]:
    yield imported.new, _("new in the store")
    if imported.completed:
        yield imported.completed, _("in the store already, now with more that is known of them")
    if imported.kept_already:
        yield imported.kept_already, _("in the store already")


def _unreadable(imported: Imported) -> Iterator[str]:
    for one in imported.unreadable:
        yield _("left out: {where}: {reason}").format(
            where=retold(one.where), reason=retold(one.reason)
        )
    if more := imported.unreadable_games - len(imported.unreadable):
        yield _("left out: {more} more that cannot be read").format(more=more)


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
