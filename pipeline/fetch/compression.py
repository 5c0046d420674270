"""The bytes of a file, unpacked where it is compressed: gzip and zstd, told by their bytes."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator

import zstandard

_CHUNK_BYTES = 64 * 1024
_ZSTD_STEP_BYTES = 128  # at most 32 blocks, so that one step unpacks into 4 MiB at most
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"

_ARCHIVES = {
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"7z\xbc\xaf": "7z",
    b"Rar!": "rar",
}


class CutShort(Exception):
    """Compressed data end too early or are damaged; what came before is good."""


def unpacked_chunks(stream: io.BufferedReader) -> Iterator[bytes]:
    """The content of `stream` piece by piece. Raises CutShort after the last good piece."""
    head = stream.peek(4)
    if head.startswith(_GZIP):
        return _gzip_chunks(stream)
    if head.startswith(_ZSTD):
        return _zstd_chunks(stream)
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


def _zstd_chunks(stream: io.BufferedReader) -> Iterator[bytes]:
    # zstandard's own stream reader takes a cut file for a whole one.
    frame = None
    while packed := stream.read(_ZSTD_STEP_BYTES):
        while packed:
            frame = frame or _new_frame()
            try:
                yield frame.decompress(packed)
            except zstandard.ZstdError as error:
                raise CutShort from error
            packed = frame.unused_data
            if frame.eof:
                frame = None
    if frame is not None:
        raise CutShort


def _new_frame() -> zstandard.ZstdDecompressionObj:
    # Lichess's dumps are packed with a long window.
    return zstandard.ZstdDecompressor(max_window_size=2**31).decompressobj()
