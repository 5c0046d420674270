"""A file that names players, one a line."""

from __future__ import annotations

from pathlib import Path

from config.errors import UnreadableFile
from config.language import _


def text_of_names(file: Path) -> str:
    """In whichever encoding, without a byte order mark; UnreadableFile where it cannot be read."""
    from pipeline.fetch.text_bytes import text_of

    try:
        return text_of(file.read_bytes()).removeprefix("\ufeff")
    except OSError as error:
        raise UnreadableFile(
            _("{file} cannot be read ({error}); give a file with one name a line").format(
                file=file, error=error.strerror
            )
        ) from None
