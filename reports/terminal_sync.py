"""What a sync brought, in the terminal: a row a player, and what went wrong below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from pipeline.fetched import Fetched
from reports.words import ABSENT, counted


def render_sync(fetched: Sequence[Fetched], console: Console) -> None:
    """One table, then a sentence for each player of whom not all came."""
    console.print(_table(fetched), highlight=False)
    for one in fetched:
        if one.error is not None:
            sentence = f"{one.player}: {one.error.rstrip('.')}."
            console.print(sentence, highlight=False, markup=False, soft_wrap=True)


def _table(fetched: Sequence[Fetched]) -> Table:
    table = Table(title="Games from Lichess", title_justify="left", box=SIMPLE, padding=(0, 1))
    table.add_column("Player", no_wrap=True)
    table.add_column("New", justify="right")
    table.add_column("Known before", justify="right")
    table.add_column("Lichess counts", justify="right")
    table.add_column("Kept, but left out of reports")
    table.add_column("Noted")
    table.add_column("Requests, waits")
    for one in fetched:
        at_lichess = ABSENT if one.at_lichess is None else f"{one.at_lichess:,} rated"
        table.add_row(
            one.player if one.error is None else f"{one.player} (not all)",
            f"{one.new:,}",
            f"{one.kept_before:,}",
            at_lichess,
            "\n".join(_left_out(one)) or ABSENT,
            "\n".join(_noted(one)) or ABSENT,
            "\n".join(_effort(one)),
        )
    return table


def _left_out(one: Fetched) -> Iterator[str]:
    for reason, count in one.left_out.most_common():
        yield f"{count:,} {reason.value}"
    if one.nameless:
        yield f"{one.nameless:,} without id or time (not kept)"


def _noted(one: Fetched) -> Iterator[str]:
    if one.provisional:
        yield f"{one.provisional:,} provisional"
    if one.bots:
        yield f"{one.bots:,} against bots"


def _effort(one: Fetched) -> Iterator[str]:
    yield counted(one.requests, "request")
    if one.waits:
        yield f"{counted(one.waits, 'wait')}, {one.waited_seconds:.0f} s"
    if one.new and one.seconds:
        yield f"{one.new / one.seconds:.0f} games/s"
