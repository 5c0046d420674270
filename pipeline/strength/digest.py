"""By what a file is known again: its SHA-256."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from config.errors import UnreadableFile
from config.language import _


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    try:
        with path.open("rb") as file:
            digest = sha256()
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise UnreadableFile(
            _("{path} cannot be read ({error}).").format(path=path, error=error.strerror)
        ) from error
    return digest.hexdigest()
