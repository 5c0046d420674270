"""What `movelo batch` works with: its folder for itself, how reports are made, who is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from config.language import _, language
from pipeline.cli.this_process import has_ended, holder_name, machine_and_process

if TYPE_CHECKING:
    from config.settings import Settings
    from pipeline.batch.fetching import Fetcher, OpenFetcher
    from pipeline.batch.folder import BatchFolder
    from pipeline.batch.lease import HeldLease
    from pipeline.batch.order import BatchOrder
    from pipeline.progress import Progress
    from pipeline.selection import Selection
    from pipeline.store import Store
    from pipeline.workshop import Workshop


@contextmanager
def alone(path: Path, store: Store) -> Iterator[tuple[BatchFolder, HeldLease]]:
    """The batch's folder, for this process alone; MoveloError when another is at it."""
    from config.errors import MoveloError
    from pipeline.batch.folder import opened_folder
    from pipeline.batch.lease import TakenLease, held

    folder = opened_folder(path)
    try:
        with held(
            store, f"batch {folder.id}", holder_name(), clock=utc_now, has_ended=has_ended
        ) as lease:
            yield folder, lease
    except TakenLease as taken:
        machine, process = machine_and_process(taken.lease.holder)
        since = datetime.fromtimestamp(taken.lease.since_ms / 1000).astimezone()
        raise MoveloError(
            _(
                "The batch in {folder} is being made already, since {time} (process {process} on "
                "{machine}): wait for its end (a minute, if it was killed), or name another "
                "folder with --out"
            ).format(folder=path, time=f"{since:%H:%M}", process=process, machine=machine)
        ) from None


def batch_order(
    settings: Settings,
    tools: Workshop,
    selection: Selection,
    formats: tuple[str, ...],
    *,
    with_tables: bool,
) -> BatchOrder:
    """How everybody's report is made; its recipe changes with whatever changes reports."""
    from config.version import version
    from engines.maia_pool import network_id
    from pipeline.batch.order import BatchOrder
    from pipeline.cli.human_model_choice import wanted_human_model
    from pipeline.cli.output import file_formats, local_zone

    known = file_formats()
    network = wanted_human_model(settings)
    made_with = (
        version(),
        tools.estimator.id,
        tools.limit,
        tools.pairing_speeds,
        network and network_id(network),
        settings.batch,
        selection,
        formats,
        str(local_zone()),
        language(),
    )
    return BatchOrder(
        selection=selection,
        recipe=repr(made_with),
        formats={name: known[name] for name in formats},
        with_tables=with_tables,
        alert_probability=settings.batch.alert_probability,
        alert_days=settings.batch.alert_days,
    )


def open_fetcher(settings: Settings, progress: Progress) -> OpenFetcher:
    """Lichess, and a store of the fetching thread's own."""
    from pipeline.batch.fetching import Fetcher
    from pipeline.cli.lichess_client import lichess
    from pipeline.cli.storage import open_store

    @contextmanager
    def opened(sleep: Callable[[float], None]) -> Iterator[Fetcher]:
        with open_store(settings) as store:
            source = lichess(settings.lichess, progress, store, sleep=sleep)
            yield Fetcher(source=source, store=store)

    return opened


def saying(progress: Progress) -> Callable[[str], None]:
    """Tells an English sentence in the reader's language."""
    from config.language import retold

    return lambda sentence: progress.say(retold(sentence))


def utc_now() -> datetime:
    """The clock of a batch."""
    return datetime.now(UTC)
