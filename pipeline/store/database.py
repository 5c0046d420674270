"""The SQLite file: opened and checked, written to in transactions, its failures in sentences."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import SQLAlchemyError

from config.errors import StoreError
from pipeline.store import tables

Row = dict[str, object]


class Database:
    """A context manager; safe to use from several processes, from one thread each.

    Every write is one transaction, so a crash at any moment leaves a file that opens and
    continues. Everything raises StoreError, which says what to do.
    """

    def __init__(self, file: Path) -> None:
        """Open or make the file; StoreError if that cannot be done or it is too new."""
        self.file = file
        with self._explained():
            file.parent.mkdir(parents=True, exist_ok=True)
            self._engine = sa.create_engine(f"sqlite:///{file}", connect_args={"timeout": 60})
            event.listen(self._engine, "connect", _prepare_connection)
            self._connection = self._engine.connect()
            self._check_schema()

    def close(self) -> None:
        """Nothing can be asked afterwards."""
        self._connection.close()
        self._engine.dispose()

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def rows(self, query: sa.Executable) -> list[sa.Row[Any]]:
        """All that `query` finds."""
        with self._explained(), self._connection.begin():
            return list(self._connection.execute(query).all())

    def stream(self, query: sa.Executable) -> Iterator[Any]:
        """The one column of `query`, row by row; the file can be written to in between."""
        with self._explained(), self._engine.connect() as reading:
            yield from reading.scalars(query)

    def matching(self, table: sa.Table, key: Row) -> sa.Row[Any] | None:
        """The row of `table` whose columns have these values."""
        conditions = (table.c[name] == value for name, value in key.items())
        return next(iter(self.rows(sa.select(table).where(*conditions))), None)

    def put(self, table: sa.Table, rows: list[Row]) -> None:
        """Write rows; one whose primary key is there already is replaced."""
        statement = insert(table)
        keys = [column.name for column in table.primary_key]
        changed = {c.name: statement.excluded[c.name] for c in table.c if c.name not in keys}
        upsert = statement.on_conflict_do_update(index_elements=keys, set_=changed)
        if rows:
            with self._transaction():
                self._connection.execute(upsert, rows)

    def replace(self, table: sa.Table, key: Row, rows: list[Row]) -> None:
        """Write `rows` in the place of all rows whose columns have the values of `key`."""
        conditions = (table.c[name] == value for name, value in key.items())
        with self._transaction():
            self._connection.execute(sa.delete(table).where(*conditions))
            if rows:
                self._connection.execute(insert(table), rows)

    def _check_schema(self) -> None:
        newest = tables.SCHEMA_VERSION
        with self._connection.begin():
            tables.metadata.create_all(self._connection)
            first = insert(tables.meta).values(key="schema_version", value=str(newest))
            self._connection.execute(first.on_conflict_do_nothing())
            found = self._connection.execute(
                sa.select(tables.meta.c.value).where(tables.meta.c.key == "schema_version")
            ).scalar_one()
        if int(found) > newest:
            raise StoreError(
                f"{self.file} is of a newer movelo (schema {found}, this one knows "
                f"{newest}): install that, or set MOVELO_DATA to another folder."
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._explained(), self._connection.begin():
            yield

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, OSError) as error:
            cause = getattr(error, "orig", None) or error
            raise StoreError(
                f"The store {self.file} cannot be used: {cause}. Nothing kept so far is lost; "
                f"{_advice(str(cause))}, then run again."
            ) from error


def _prepare_connection(connection: sqlite3.Connection, _record: object) -> None:
    # WAL lets one process read while another writes; a commit survives a crash of movelo.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


def _advice(cause: str) -> str:
    if "full" in cause or "No space" in cause:
        return "free some disk space or set MOVELO_DATA to a folder on another disk"
    if "locked" in cause:
        return "wait for the other movelo that is writing to it"
    if "malformed" in cause or "not a database" in cause:
        return "move the file away"
    return "check that the folder can be written to, or set MOVELO_DATA to another one"
