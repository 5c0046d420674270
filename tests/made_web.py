"""A web application's surroundings, made: a store in a folder, a queue, a clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from config.settings import load_settings
from pipeline.jobs import JobLimits, JobQueue
from pipeline.store import Store
from pipeline.web.context import WebContext

NOW = datetime(2026, 3, 14, 18, 5, tzinfo=UTC)


@contextmanager
def made_context(folder: Path, *, limits: JobLimits | None = None) -> Iterator[WebContext]:
    """Settings as they are shipped, and nobody who works the queue off."""
    with Store(folder / "movelo.sqlite") as store:
        yield WebContext(
            store=store,
            queue=JobQueue(store, limits=limits or JobLimits(), clock=lambda: NOW),
            settings=load_settings(),
            zone=UTC,
            clock=lambda: NOW,
        )
