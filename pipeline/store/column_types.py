"""Text as both databases take it, and in the same order in both."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa


class Words(sa.types.TypeDecorator[str]):
    """Any text: PostgreSQL takes no NUL, and neither takes half of a surrogate pair.

    They are written as JSON and Python escape them, so that JSON means the same afterwards.
    Sorted by code point, as SQLite does, not by the habits of the server's country.
    """

    impl = sa.Text
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> sa.types.TypeEngine[Any]:
        """The column's type in this database."""
        text = sa.Text(collation="C") if dialect.name == "postgresql" else sa.Text()
        return dialect.type_descriptor(text)

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        """What is written, and what is looked for."""
        if value is None or (value.isascii() and "\0" not in value):
            return value
        return value.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
