"""Zstandard data -> what is packed in them, frame by frame, block by block.

zstandard's own stream reader takes a cut file for a whole one, and its other doors unpack as
much at once as a hostile file wants. So the frames are walked here, and their blocks handed
over. A file says itself how much memory its unpacking takes: more than zstd allows by itself is
refused. Source: RFC 8878, section 3.1.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import zstandard

_MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPABLE_MAGIC = b"\x2a\x4d\x18"  # after a first byte of 50 to 5F
_LARGEST_BLOCK_BYTES = 128 * 1024  # packed and unpacked alike
_RUN_LENGTH_BLOCK = 1

LONGEST_WINDOW_BYTES = 128 * 1024 * 1024
"""What `zstd -d` takes without being told otherwise, and so whatever Lichess publishes."""


class CutShort(Exception):
    """Compressed data end too early or are damaged; what came before is good."""


class WindowTooLong(Exception):
    """Unpacking would take more than LONGEST_WINDOW_BYTES of memory; what came before is good."""


class Readable(Protocol):
    """A file of bytes; fewer than asked for come only at its end."""

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        ...


def is_zstd(head: bytes) -> bool:
    """Whether data that begin so are zstd; pzstd puts a skippable frame before each other."""
    return head.startswith(_MAGIC) or _is_skippable(head[:4])


def unpacked_frames(stream: Readable) -> Iterator[bytes]:
    """The content of all frames, in pieces of 128 to 256 KiB, the last one shorter.

    CutShort or WindowTooLong after the last good piece.
    """
    gathered = bytearray()  # a hostile file has millions of blocks of a byte
    try:
        for block in _unpacked_blocks(stream):
            gathered += block
            if len(gathered) >= _LARGEST_BLOCK_BYTES:
                yield bytes(gathered)
                gathered.clear()
    except (CutShort, WindowTooLong):
        yield bytes(gathered)
        raise
    yield bytes(gathered)


def _unpacked_blocks(stream: Readable) -> Iterator[bytes]:
    decompressor = zstandard.ZstdDecompressor(max_window_size=LONGEST_WINDOW_BYTES)
    while magic := stream.read(len(_MAGIC)):
        if _is_skippable(magic):
            _skip(stream, int.from_bytes(_exactly(stream, 4), "little"))
            continue
        frame = decompressor.decompressobj()
        for packed in _packed_pieces(stream, magic):
            try:
                yield frame.decompress(packed)
            except zstandard.ZstdError as error:
                raise CutShort from error


def _is_skippable(magic: bytes) -> bool:
    return magic[1:] == _SKIPPABLE_MAGIC and magic[0] & 0xF0 == 0x50


def _packed_pieces(stream: Readable, magic: bytes) -> Iterator[bytes]:
    """One frame, the magic number included: its header, and each of its blocks."""
    header, has_checksum = _header(stream, magic)
    yield header
    is_last = False
    while not is_last:
        block, is_last = _block(stream)
        yield block
    if has_checksum:
        yield _exactly(stream, 4)


def _header(stream: Readable, magic: bytes) -> tuple[bytes, bool]:
    """A frame's header, and whether a checksum ends the frame."""
    if magic != _MAGIC:
        raise CutShort
    descriptor = _exactly(stream, 1)
    flags = descriptor[0]
    is_single_segment = bool(flags & 0x20)
    window_bytes = 0 if is_single_segment else 1
    dictionary_bytes = (0, 1, 2, 4)[flags & 3]
    content_size_bytes = (int(is_single_segment), 2, 4, 8)[flags >> 6]
    rest = _exactly(stream, window_bytes + dictionary_bytes + content_size_bytes)
    if not is_single_segment and _window_size(rest[0]) > LONGEST_WINDOW_BYTES:
        raise WindowTooLong
    return magic + descriptor + rest, bool(flags & 4)


def _window_size(descriptor: int) -> int:
    """In bytes."""
    base = 1 << (10 + (descriptor >> 3))
    return base + base // 8 * (descriptor & 7)


def _block(stream: Readable) -> tuple[bytes, bool]:
    """A block with its header, and whether it is the frame's last."""
    header = _exactly(stream, 3)
    fields = int.from_bytes(header, "little")
    is_last, kind, size = bool(fields & 1), fields >> 1 & 3, fields >> 3
    packed_bytes = 1 if kind == _RUN_LENGTH_BLOCK else size
    if packed_bytes > _LARGEST_BLOCK_BYTES:
        raise CutShort
    return header + _exactly(stream, packed_bytes), is_last


def _exactly(stream: Readable, size: int) -> bytes:
    content = stream.read(size) if size else b""
    if len(content) < size:
        raise CutShort
    return content


def _skip(stream: Readable, size: int) -> None:
    while size:
        size -= len(_exactly(stream, min(size, _LARGEST_BLOCK_BYTES)))
