"""What a sync brought, in the terminal: a row a player, and what went wrong below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from config.language import _, retold
from config.localized import number_text
from pipeline.fetched import Fetched
from reports.counts import counted
from reports.lines import ABSENT


def render_sync(fetched: Sequence[Fetched], console: Console) -> None:
    """One table, then a sentence for each player of whom not all came."""
    console.print(_table(fetched), highlight=False)
    for one in fetched:
        if one.error is not None:
            sentence = f"{one.player}: {retold(one.error).rstrip('.')}."
            console.print(sentence, highlight=False, markup=False, soft_wrap=True)


def _table(fetched: Sequence[Fetched]) -> Table:
    table = Table(title=_("Games from Lichess"), title_justify="left", box=SIMPLE, padding=(0, 1))
    table.add_column(_("Player"), no_wrap=True)
    table.add_column(_("New"), justify="right")
    table.add_column(_("Known before"), justify="right")
    table.add_column(_("Lichess counts"), justify="right")
    table.add_column(_("Kept, but left out of reports"))
    table.add_column(_("Noted"))
    table.add_column(_("Requests, waits"))
    for one in fetched:
        at_lichess = (
            ABSENT
            if one.at_lichess is None
            else _("{at_lichess} rated").format(at_lichess=number_text(one.at_lichess))
        )
        name = one.player
        if one.error is not None:
            name = _("{player} (not all)").format(player=name)
        table.add_row(
            Text(name),
            number_text(one.new),
            number_text(one.kept_before),
            at_lichess,
            "\n".join(_left_out(one)) or ABSENT,
            "\n".join(_noted(one)) or ABSENT,
            "\n".join(_effort(one)),
        )
    return table


def _left_out(one: Fetched) -> Iterator[str]:
    for reason, count in one.left_out.most_common():
        yield f"{number_text(count)} {retold(reason.value)}"
    if one.nameless:
        yield _("{nameless} without id or time (not kept)").format(
            nameless=number_text(one.nameless)
        )


def _noted(one: Fetched) -> Iterator[str]:
    if one.provisional:
        yield _("{provisional} provisional").format(provisional=number_text(one.provisional))
    if one.bots:
        yield _("{bots} against bots").format(bots=number_text(one.bots))


def _effort(one: Fetched) -> Iterator[str]:
    yield counted(one.requests, "request")
    if one.waits:
        yield _("{waits}, {waited_seconds} s").format(
            waits=counted(one.waits, "wait"), waited_seconds=f"{one.waited_seconds:.0f}"
        )
    if one.new and one.seconds:
        yield _("{new} games/s").format(new=f"{one.new / one.seconds:.0f}")
