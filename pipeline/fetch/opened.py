"""A file or standard input, opened to be read as bytes; a door may watch how far it is."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from config.errors import UnreadableFile
from config.language import _, english, retold

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BUFFER_BYTES = 256 * 1024

OnRead = Callable[[int], None]
"""Called with the number of bytes that were just read, packed ones where the file is packed."""


def name_of(path_or_dash: str | Path) -> str:
    """What a message calls it."""
    return english("standard input") if str(path_or_dash) == "-" else str(path_or_dash)


@contextmanager
def opened(
    path_or_dash: str | Path, *, stdin: BinaryIO, on_read: OnRead | None = None
) -> Iterator[io.BufferedReader]:
    """The bytes of a file, or for "-" those of `stdin`, which stays open.

    UnreadableFile for what cannot be opened, and for an error of the disk meanwhile.
    """
    name = name_of(path_or_dash)
    try:
        if str(path_or_dash) == "-":
            yield _watched(stdin, on_read)
            return
        with _open_file(Path(path_or_dash), name) as file:
            yield _watched(file, on_read)
    except OSError as error:
        reason = error.strerror or _("reading failed")
        raise UnreadableFile(
            _("{name} cannot be read to its end ({reason}); check the disk and try again").format(
                name=retold(name), reason=reason
            )
        ) from error


class _Watched(io.RawIOBase):
    """Passes reads on, and counts; closing it closes nothing."""

    def __init__(self, source: BinaryIO, on_read: OnRead | None) -> None:
        self._read_some = getattr(source, "read1", source.read)
        self._on_read = on_read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer)
        content: bytes = self._read_some(len(view))
        view[: len(content)] = content
        if self._on_read is not None:
            self._on_read(len(content))
        return len(content)


def _watched(source: BinaryIO, on_read: OnRead | None) -> io.BufferedReader:
    return io.BufferedReader(_Watched(source, on_read), _BUFFER_BYTES)


def _open_file(path: Path, name: str) -> io.BufferedReader:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise UnreadableFile(
            _("there is no file {name}; check the path").format(name=retold(name))
        ) from None
    except IsADirectoryError:
        raise UnreadableFile(
            _("{name} is a directory; name a file in it").format(name=retold(name))
        ) from None
    except PermissionError:
        raise UnreadableFile(
            _("{name} may not be read; change its permissions").format(name=retold(name))
        ) from None
    except (OSError, ValueError) as error:
        raise UnreadableFile(
            _("{name} cannot be opened ({error}); check the path").format(
                name=retold(name), error=error
            )
        ) from error
