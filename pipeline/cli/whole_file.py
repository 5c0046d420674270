"""A file that is there when all of it is written, and not before."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from config.errors import StoreError
from config.language import _


@contextmanager
def whole_file(file: Path) -> Iterator[BinaryIO]:
    """Opened for writing bytes; what was there before stays if the block is left by an error.

    StoreError where it cannot be written, also in the block.
    """
    try:
        file = file.resolve()  # a link stays a link
        if file.exists() and not file.is_file():
            raise StoreError(
                _("Cannot write {file}: it is no file. Name another one with --out.").format(
                    file=file
                )
            )
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as part:
            yield part
    except OSError as error:
        raise StoreError(
            _(
                "Cannot write {file}: {error}. What was computed is kept: name another file "
                "with --out and run again."
            ).format(file=file, error=error.strerror or error)
        ) from error


@contextmanager
def replacing(file: Path) -> Iterator[BinaryIO]:
    """The same for who tells of an OSError himself; the folder must be there."""
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=".movelo-")
    try:
        with os.fdopen(descriptor, "wb") as part:
            yield part
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask
