"""Bytes -> numbered lines of bounded length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LONGEST_LINE_BYTES = 16 * 1024 * 1024

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


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
        """The line as UTF-8, or as Latin-1 (old PGN files) where it is not UTF-8."""
        try:
            return self.content.decode("utf-8")
        except UnicodeDecodeError:
            return self.content.decode("latin-1")


def numbered_lines(
    chunks: Iterable[bytes], *, longest_bytes: int = LONGEST_LINE_BYTES
) -> Iterator[Line]:
    """The lines of `chunks`, from 1, without a byte order mark; never more than one in memory."""
    number, kept, size = 1, list[bytes](), 0
    for chunk in chunks:
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield _line(number, kept, size, end, longest_bytes)
            number, kept, size = number + 1, [], 0
        size += len(rest)
        if size <= longest_bytes:
            kept.append(rest)
        else:
            kept.clear()
    if size:
        yield _line(number, kept, size, b"", longest_bytes)


def _line(number: int, kept: list[bytes], size: int, end: bytes, longest_bytes: int) -> Line:
    if size + len(end) > longest_bytes:
        return Line(number, b"", is_too_long=True)
    content = b"".join((*kept, end)).removesuffix(b"\r")
    return Line(number, content.removeprefix(_BYTE_ORDER_MARK) if number == 1 else content)
