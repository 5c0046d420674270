"""A database: opened and checked, written to in transactions, its failures in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from pipeline.store.failures import store_error
from pipeline.store.migrating import is_current, migrate
from pipeline.store.opening import for_writing, open_engine
from pipeline.store.place import place_of

Row = dict[str, object]
_Found = TypeVar("_Found")

_ROWS_AT_ONCE = 500
_ATTEMPTS = 5
_DEADLOCK_AND_THE_LIKE = ("40001", "40P01")


class Database:
    """A context manager; safe to use from several processes, and from several threads.

    Every write is one transaction, so a crash at any moment leaves a database that opens and
    continues, and may be repeated: it is, after a deadlock or a lost connection. Everything
    raises StoreError, which says what to do.
    """

    def __init__(self, where: Path | str) -> None:
        """A file, or a URL; StoreError if it cannot be opened or made, or is too new."""
        self.place = place_of(where)
        with self._explained():
            self._engine = open_engine(self.place)
            self._writing = for_writing(self._engine)
        try:
            if not self._read(lambda connection: is_current(connection, self.place)):
                self.write(lambda connection: migrate(connection, self.place))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Nothing can be asked afterwards."""
        self._engine.dispose()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rows(self, query: sa.Executable, values: Row | None = None) -> list[sa.Row[Any]]:
        """All that `query` finds, with these values for its parameters."""
        return self._read(lambda connection: list(connection.execute(query, values).all()))

    def stream(self, query: sa.Executable) -> Iterator[Any]:
        """The first column of `query`, in constant memory; writing goes on in between."""
        with self._explained(), self._engine.connect() as reading:
            yield from reading.execution_options(yield_per=_ROWS_AT_ONCE).scalars(query)

    def first(self, query: sa.Executable) -> sa.Row[Any] | None:
        """The first row that `query` finds, if any."""
        return self._read(lambda connection: connection.execute(query).first())

    def put(self, table: sa.Table, rows: Iterable[Row]) -> None:
        """Write rows; one whose primary key is there already is replaced."""
        self.put_together([(table, rows)])

    def put_together(self, parts: Iterable[tuple[sa.Table, Iterable[Row]]]) -> None:
        """The same for several tables, all or nothing."""
        ordered = [(table, _in_order(table, rows)) for table, rows in parts]

        def work(connection: sa.Connection) -> None:
            for table, rows in ordered:
                if rows:
                    connection.execute(_upsert(table, connection.dialect.name), rows)

        self.write(work)

    def replace(self, table: sa.Table, key: Row, rows: Iterable[Row]) -> None:
        """Write `rows` in the place of all rows whose columns have the values of `key`."""
        ordered = _in_order(table, rows)

        def work(connection: sa.Connection) -> None:
            alone_with(connection, table)
            connection.execute(sa.delete(table).where(*having(table, key)))
            if ordered:
                connection.execute(sa.insert(table), ordered)

        self.write(work)

    def write(self, work: Callable[[sa.Connection], _Found]) -> _Found:
        """Do `work` in one transaction, again if need be."""
        return self._repeated(self._writing, work)

    def _read(self, work: Callable[[sa.Connection], _Found]) -> _Found:
        return self._repeated(self._engine, work)

    def _repeated(self, engine: sa.Engine, work: Callable[[sa.Connection], _Found]) -> _Found:
        with self._explained():
            for _ in range(_ATTEMPTS - 1):
                try:
                    with engine.begin() as connection:
                        return work(connection)
                except DBAPIError as error:
                    if not _goes_away(error):
                        raise
            with engine.begin() as connection:
                return work(connection)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, OSError, OverflowError) as error:
            raise store_error(self.place, error) from error


def having(table: sa.Table, key: Row) -> list[sa.ColumnElement[bool]]:
    """The conditions that the columns have these values."""
    return [table.c[name] == value for name, value in key.items()]


def alone_with(connection: sa.Connection, *tables: sa.Table) -> None:
    """Until the transaction ends nobody else writes to them; SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        names = ", ".join(table.name for table in tables)
        connection.execute(sa.text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))


def _in_order(table: sa.Table, rows: Iterable[Row]) -> list[Row]:
    """Each key once, as it came last; two writers of the same rows meet in the same order."""
    names = [column.name for column in table.primary_key]
    by_key = {tuple(row[name] for name in names): row for row in rows}
    return [by_key[key] for key in sorted(by_key, key=str)]


@cache
def _upsert(table: sa.Table, dialect_name: str) -> sa.Executable:
    """Building it takes longer than doing it."""
    is_server = dialect_name == "postgresql"
    statement = postgresql.insert(table) if is_server else sqlite.insert(table)
    keys = [column.name for column in table.primary_key]
    changed = {c.name: statement.excluded[c.name] for c in table.c if c.name not in keys}
    if not changed:
        return statement.on_conflict_do_nothing(index_elements=keys)
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)


def _goes_away(error: DBAPIError) -> bool:
    """Whether the same may succeed at once: who lost a deadlock, or a server that was restarted."""
    code = getattr(error.orig, "sqlstate", None)
    return error.connection_invalidated or code in _DEADLOCK_AND_THE_LIKE
