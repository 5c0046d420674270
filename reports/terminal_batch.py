"""What a batch came to, in the terminal: a row a new report, then whoever has none and why."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from config.language import _, ngettext, retold
from config.localized import number_text
from pipeline.store.batch_records import PlayerOutcome, PointsRange, RunAccount
from reports.lines import ABSENT
from reports.terms import speed_name
from reports.words import percent_text, range_text

_ROWS, _SENTENCES = 40, 20


def render_batch(account: RunAccount, console: Console) -> None:
    """New reports (the first 40), faults (the first 20), and how many came to what."""
    reported = [outcome for outcome in account.told if outcome.state == "reported"]
    if reported:
        console.print(_table(reported[:_ROWS]), highlight=False)
    for sentence in (*_not_shown(reported), *_faults(account), *_counts(account)):
        console.print(sentence, highlight=False, markup=False, soft_wrap=True)


def _table(reported: list[PlayerOutcome]) -> Table:
    table = Table(title=_("New reports"), title_justify="left", box=SIMPLE, padding=(0, 1))
    table.add_column(_("Player"), no_wrap=True)
    table.add_column(_("Speed"))
    table.add_column(_("Games"), justify="right")
    table.add_column(_("By results"), justify="right", no_wrap=True)
    table.add_column(_("By moves"), justify="right", no_wrap=True)
    table.add_column(_("Accuracy"), justify="right")
    for outcome in reported:
        for number, speed in enumerate(outcome.speeds):
            table.add_row(
                Text(outcome.player if not number else ""),
                speed_name(speed.speed),
                number_text(speed.games),
                _range(speed.results),
                _range(speed.moves),
                percent_text(speed.accuracy_percent),
            )
    return table


def _range(found: PointsRange | None) -> str:
    return ABSENT if found is None else range_text(found.low, found.high)


def _not_shown(reported: list[PlayerOutcome]) -> Iterator[str]:
    if (more := len(reported) - _ROWS) > 0:
        said = ngettext(
            "{count} more new report is in {file}.", "{count} more new reports are in {file}.", more
        )
        yield said.format(count=number_text(more), file="summary.ndjson")


def _faults(account: RunAccount) -> Iterator[str]:
    failed = [outcome for outcome in account.told if outcome.state == "failed"]
    for outcome in failed[:_SENTENCES]:
        yield f"{outcome.player}: {retold(outcome.sentence).rstrip('.')}."
    if (more := len(failed) - _SENTENCES) > 0:
        said = ngettext(
            "{count} more failed; {file} names all.", "{count} more failed; {file} names all.", more
        )
        yield said.format(count=number_text(more), file="summary.json")
    not_reached = [outcome for outcome in account.told if outcome.state == "not_reached"]
    if not_reached:
        said = ngettext(
            "{count} player was not reached: {reason}.",
            "{count} players were not reached: {reason}.",
            len(not_reached),
        )
        reason = retold(not_reached[0].sentence).rstrip(".")
        yield said.format(count=number_text(len(not_reached)), reason=reason)


def _counts(account: RunAccount) -> Iterator[str]:
    counts = dict(account.states)
    new = sum(outcome.state == "reported" for outcome in account.told)
    without = counts.get("without_games", 0)
    parts = [
        ngettext("{count} player", "{count} players", account.players).format(
            count=number_text(account.players)
        ),
        ngettext("{count} new report", "{count} new reports", new).format(count=number_text(new)),
        _("{count} unchanged").format(count=number_text(account.unchanged)),
    ]
    if without:
        parts.append(_("{count} without games").format(count=number_text(without)))
    if faults := len(account.faults):
        parts.append(_("{count} without a report").format(count=number_text(faults)))
    yield f"{', '.join(parts)}."
