"""Bytes -> numbered lines of bounded length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipeline.fetch.text_bytes import text_of

LONGEST_LINE_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end; `content` is empty where the line `is_too_long` to be kept."""

    number: int
    content: bytes
    is_too_long: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to read."""
        return not self.is_too_long and not self.content.strip()

    @property
    def text(self) -> str:
        """The line's letters, whichever of the usual encodings it is in."""
        return text_of(self.content)


def numbered_lines(
    chunks: Iterable[bytes], *, first: int = 1, longest_bytes: int = LONGEST_LINE_BYTES
) -> Iterator[Line]:
    """The lines of `chunks`, numbered from `first`; never more than one in memory."""
    number, kept, size = first, bytearray(), 0
    for chunk in chunks:
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield _line(number, kept, size, end, longest_bytes)
            number, kept, size = number + 1, bytearray(), 0
        size += len(rest)
        if size <= longest_bytes:
            kept += rest
        else:
            kept.clear()
    if size:
        yield _line(number, kept, size, b"", longest_bytes)


def _line(number: int, kept: bytearray, size: int, end: bytes, longest_bytes: int) -> Line:
    if size + len(end) > longest_bytes:
        return Line(number, b"", is_too_long=True)
    return Line(number, bytes(kept + end).removesuffix(b"\r"))
