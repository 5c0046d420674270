"""Brings a store of an older movelo, or one that is new, to the tables of this movelo."""

from __future__ import annotations

import logging

import sqlalchemy as sa

from config.errors import StoreError
from config.language import _
from pipeline.store import tables
from pipeline.store.place import FilePlace, ServerPlace

_log = logging.getLogger(__name__)

# Any number that no other program on the server takes for its own locks ("movelo" in ASCII).
_LOCK = 0x6D6F_7665_6C6F


def is_current(connection: sa.Connection, place: FilePlace | ServerPlace) -> bool:
    """Whether nothing is to be done; StoreError for a store of a newer movelo."""
    found = _version(connection, place)
    if found > tables.SCHEMA_VERSION:
        other = (
            _("set MOVELO_DATA to another folder")
            if isinstance(place, FilePlace)
            else _("name another database")
        )
        raise StoreError(
            _(
                "{place} is of a newer movelo (schema {found}, this one knows "
                "{schema_version}): install that, or {other}."
            ).format(place=place, found=found, schema_version=tables.SCHEMA_VERSION, other=other)
        )
    return found == tables.SCHEMA_VERSION


def migrate(connection: sa.Connection, place: FilePlace | ServerPlace) -> None:
    """In the transaction that `connection` is in; does nothing if another process just did."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    if is_current(connection, place):
        return
    found = _version(connection, place)
    _upgrade(connection)
    # Alembic keeps its own note; this one is what a movelo from before Alembic looks at.
    connection.execute(sa.delete(tables.meta).where(tables.meta.c.key == "schema_version"))
    newest = str(tables.SCHEMA_VERSION)
    connection.execute(sa.insert(tables.meta).values(key="schema_version", value=newest))
    _log.info("store migrated from schema %d to %s", found, newest)


def _version(connection: sa.Connection, place: FilePlace | ServerPlace) -> int:
    """0 where there are no tables yet."""
    if not sa.inspect(connection).has_table("meta"):
        return 0
    query = sa.select(tables.meta.c.value).where(tables.meta.c.key == "schema_version")
    found = connection.execute(query).scalar_one_or_none() or "0"
    if not found.isdecimal():
        raise StoreError(
            _("{place} is no store of movelo (its schema is {found}): name another place.").format(
                place=place, found=f"{found!r}"
            )
        )
    return int(found)


def _upgrade(connection: sa.Connection) -> None:
    # Alembic takes longer to import than a store to open, and is rarely needed.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "pipeline.store:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, f"{tables.SCHEMA_VERSION:04}")
