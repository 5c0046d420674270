"""The bytes of a file, unpacked where it is compressed: gzip and zstd, told by their bytes."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator

from pipeline.fetch.zstd_frames import CutShort, WindowTooLong, is_zstd, unpacked_frames

__all__ = ["CutShort", "WindowTooLong", "archive_kind", "unpacked_chunks"]

_CHUNK_BYTES = 256 * 1024
_GZIP = b"\x1f\x8b"

_ARCHIVES = {
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"7z\xbc\xaf": "7z",
    b"Rar!": "rar",
}


def unpacked_chunks(stream: io.BufferedReader) -> Iterator[bytes]:
    """The content of `stream` piece by piece. CutShort or WindowTooLong after the last good."""
    head = stream.peek(4)
    if head.startswith(_GZIP):
        return _gzip_chunks(stream)
    if is_zstd(head):
        return unpacked_frames(stream)
    return iter(lambda: stream.read1(_CHUNK_BYTES), b"")


def archive_kind(head: bytes) -> str | None:
    """The kind of archive that starts with `head`, of those that are not unpacked here."""
    return next((kind for magic, kind in _ARCHIVES.items() if head.startswith(magic)), None)


def _gzip_chunks(stream: io.BufferedReader) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=stream, mode="rb") as unpacked:
        while True:
            try:
                chunk = unpacked.read1(_CHUNK_BYTES)
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                raise CutShort from error
            if not chunk:
                return
            yield chunk
