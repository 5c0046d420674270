"""The processes beside this one that make reports of `movelo batch`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from config.language import language
from engines.processes import Processes
from pipeline.batch.elsewhere import ReportKit
from pipeline.cli.whole_file import whole_file
from pipeline.cli.workshop import cores_to_use, workshop
from pipeline.progress import Silent

if TYPE_CHECKING:
    from config.settings import Settings
    from pipeline.batch.folder import BatchFolder
    from pipeline.batch.order import BatchOrder
    from pipeline.batch.side_by_side import Elsewhere


@contextmanager
def report_processes(
    settings: Settings,
    folder: BatchFolder,
    order: BatchOrder,
    *,
    nodes: int,
    workers: int | None,
    with_pairing: bool,
) -> Iterator[Elsewhere | None]:
    """One for each core that may be used; None where that is one alone. None starts early."""
    at_most = cores_to_use(settings.engine, workers)
    if at_most < 2:
        yield None
        return
    kit = ReportKit(
        folder=folder,
        order=order,
        open_whole=whole_file,
        open_workshop=partial(
            workshop,
            settings,
            nodes=nodes,
            workers=1,
            engine=None,
            with_pairing=with_pairing,
            cluster="",
            progress=Silent(),
        ),
        language=language(),
    )
    with Processes(kit.opened, at_most=at_most) as processes:
        yield processes
