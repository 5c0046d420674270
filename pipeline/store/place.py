"""Where a store is: a file, or a database on a PostgreSQL server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

from config.errors import StoreError
from config.language import _

_DRIVER = "postgresql+psycopg"
_NAMES = ("postgresql", "postgres", _DRIVER)
_FORM = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A SQLite file, which need not exist yet."""

    file: Path

    def __str__(self) -> str:
        return str(self.file)


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """A PostgreSQL database. As text it is without password: that is nowhere to be seen."""

    url: sa.URL = field(repr=False)

    def __str__(self) -> str:
        url = self.url
        shown = sa.URL.create(
            "postgresql", username=url.username, host=url.host, port=url.port, database=url.database
        )
        return shown.render_as_string()

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be seen, as it may come back in somebody else's words."""
        query: Mapping[str, object] = self.url.query
        found = [self.url.password, *(query[name] for name in query if "password" in name)]
        return tuple(str(secret) for secret in found if secret)


def place_of(where: Path | str) -> FilePlace | ServerPlace:
    """A file's path, or a database's URL; StoreError for any other URL, which is not repeated."""
    return FilePlace(where) if isinstance(where, Path) else _server(where)


def _server(text: str) -> ServerPlace:
    try:
        text.encode()
        url = sa.make_url(text.strip())
    except (ArgumentError, ValueError):  # halves of characters, too
        raise _unreadable() from None
    # A password with such a sign in it would be taken for part of the address, and shown.
    is_split = any("@" in part for part in (url.host or "", url.database or ""))
    if url.drivername not in _NAMES or not url.database or is_split:
        raise _unreadable()
    return ServerPlace(url.set(drivername=_DRIVER))


def _unreadable() -> StoreError:
    return StoreError(
        _(
            "The database URL (MOVELO_DATABASE_URL, or the setting store.url) is not of the "
            "form {form}, in which any @, / or : of a password is written as %40, %2F or "
            "%3A: correct it, or empty it to keep games in a file."
        ).format(form=_FORM)
    )
