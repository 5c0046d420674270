"""How each of the two databases is opened, and made to wait for others instead of failing."""

from __future__ import annotations

import sqlite3
import time

import sqlalchemy as sa
from sqlalchemy import event

from config.errors import StoreError
from config.language import _
from pipeline.store.place import FilePlace, ServerPlace

_WAIT_SECONDS = 60
_CONNECT_SECONDS = "10"


def open_engine(place: FilePlace | ServerPlace) -> sa.Engine:
    """Nothing is connected to yet; a file's folder is made. StoreError without the driver."""
    if isinstance(place, FilePlace):
        return _sqlite(place)
    try:
        return _postgresql(place)
    except ImportError as error:
        raise StoreError(
            _(
                "The store {place} needs the package psycopg, which is not installed here: "
                "pip install 'psycopg[binary]', or empty the database URL to keep games in a "
                "file."
            ).format(place=place)
        ) from error


def for_writing(engine: sa.Engine) -> sa.Engine:
    """The same, but a transaction begins by waiting until it is its turn to write."""
    return engine.execution_options(movelo_begin="BEGIN IMMEDIATE")


def _sqlite(place: FilePlace) -> sa.Engine:
    place.file.parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(place.file)),
        connect_args={"timeout": _WAIT_SECONDS},
        hide_parameters=True,
    )
    event.listen(engine, "connect", _prepare_file)
    event.listen(engine, "begin", _begin)
    return engine


def _postgresql(place: ServerPlace) -> sa.Engine:
    query = {"connect_timeout": _CONNECT_SECONDS, "application_name": "movelo", **place.url.query}
    return sa.create_engine(place.url.set(query=query), hide_parameters=True)


def _prepare_file(connection: sqlite3.Connection, _record: object) -> None:
    # Python's own idea of when a transaction begins would come too late: see `_begin`.
    connection.isolation_level = None
    # WAL lets one process read while another writes; a commit survives a crash of movelo.
    _use_wal(connection)
    connection.execute("PRAGMA synchronous=NORMAL")
    # What is deleted is overwritten, not only marked as free.
    connection.execute("PRAGMA secure_delete=ON")


def _use_wal(connection: sqlite3.Connection) -> None:
    """In a new file; this alone does not always wait for others by itself."""
    give_up_at = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > give_up_at:
                raise
            time.sleep(0.02)
        else:
            return


def _begin(connection: sa.Connection) -> None:
    """SQLite waits at the beginning of a transaction, but not for a reader that turns writer."""
    connection.exec_driver_sql(connection.get_execution_options().get("movelo_begin", "BEGIN"))
