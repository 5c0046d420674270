"""What a batch writes when all its players are done: one page, and everything as data."""

from __future__ import annotations

from contextlib import suppress
from datetime import tzinfo

from config.errors import StoreError
from config.language import _
from pipeline.batch.dataset import rebuild_games
from pipeline.batch.folder import (
    ALERTS,
    INDEX,
    SUMMARY,
    SUMMARY_LINES,
    SUMMARY_TABLE,
    BatchFolder,
)
from pipeline.batch.order import OpenWhole
from pipeline.batch.tables import SUMMARY_COLUMNS, summary_rows
from pipeline.batch.tally import Tally
from pipeline.store import Store
from reports.batch_json import alert_line, outcome_line, run_json
from reports.batch_page import batch_to_html
from reports.to_tables import write_parquet


def write_books(
    folder: BatchFolder,
    store: Store,
    tally: Tally,
    *,
    title: str,
    with_tables: bool,
    has_pages: bool,
    open_whole: OpenWhole,
    zone: tzinfo,
) -> None:
    """The run's own account always, all the rest only where something is new or missing.

    What is new is marked in the folder: also what a run before this one made and could not tell.
    `title` is what the page calls the batch; it links to reports if it `has_pages`.
    """
    with open_whole(folder.path / SUMMARY) as to:
        to.write(run_json(tally.account()).encode())
    if folder.books_due.exists() or not _is_whole(folder, with_tables):
        _write_lists(folder, store, open_whole)
        if with_tables:
            _write_tables(folder, store, open_whole)
        made_at = tally.ended_at or tally.began_at
        outcomes = store.runs.outcomes(folder.id)
        page = batch_to_html(outcomes, title=title, made_at=made_at, zone=zone, has_pages=has_pages)
        with open_whole(folder.path / INDEX) as to:
            to.write(page.encode())
        with suppress(OSError):  # where it stays, all is written once more
            folder.books_due.unlink(missing_ok=True)


def _is_whole(folder: BatchFolder, with_tables: bool) -> bool:
    names = [INDEX, SUMMARY_LINES, ALERTS]
    if with_tables:
        names += [SUMMARY_TABLE]
        if not folder.games.exists():
            return False
    return all((folder.path / name).exists() for name in names)


def _write_lists(folder: BatchFolder, store: Store, open_whole: OpenWhole) -> None:
    with open_whole(folder.path / SUMMARY_LINES) as lines, open_whole(folder.path / ALERTS) as told:
        for outcome in store.runs.outcomes(folder.id):
            lines.write(outcome_line(outcome))
            for alert in outcome.alerts:
                told.write(alert_line(alert))


def _write_tables(folder: BatchFolder, store: Store, open_whole: OpenWhole) -> None:
    rows = (row for one in store.runs.outcomes(folder.id) for row in summary_rows(one))
    with open_whole(folder.path / SUMMARY_TABLE) as to:
        write_parquet(rows, SUMMARY_COLUMNS, to)
    try:
        rebuild_games(folder)
    except OSError as error:
        raise StoreError(
            _(
                "Cannot write {file}: {reason}. The reports are kept: free some disk space or name "
                "another folder with --out, and run again."
            ).format(file=folder.games, reason=error.strerror or error)
        ) from error
