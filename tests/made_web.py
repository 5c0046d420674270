"""A web application's surroundings, made: a store in a folder, a queue, a clock.

`from made_web import client_fixture, context_fixture, empty_store_fixture  # noqa: F401` in a test
file gives its tests `client`, which asks the whole application, and `context`, what is behind it.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from web_client import WebClient

from config.settings import load_settings
from pipeline.jobs import JobLimits, JobQueue
from pipeline.store import Store
from pipeline.web.app import create_app
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


@pytest.fixture(name="empty_store", scope="module")
def empty_store_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("empty")
    with Store(folder / "movelo.sqlite"):
        pass
    return folder / "movelo.sqlite"


@pytest.fixture(name="context")
def context_fixture(tmp_path: Path, empty_store: Path) -> Iterator[WebContext]:
    shutil.copy(empty_store, tmp_path)
    with made_context(tmp_path) as made:
        yield made


@pytest.fixture(name="client")
def client_fixture(context: WebContext) -> WebClient:
    return WebClient(create_app(context))
