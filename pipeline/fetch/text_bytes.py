"""Bytes of a text in whichever encoding -> UTF-8 without a byte order mark, or nearly so."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

_UTF_16 = {
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
    b"[\0": "utf-16-le",
    b"\0[": "utf-16-be",
}


def without_utf_16(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """`chunks` in UTF-8 where they are UTF-16, else as they are; no byte order mark either way.

    UTF-16 is told by its mark, or by how it writes the bracket that opens a PGN.
    """
    remaining = iter(chunks)
    head = _first_bytes(remaining, len(codecs.BOM_UTF8))
    encoding = _UTF_16.get(head[:2])
    if encoding is None:
        yield head.removeprefix(codecs.BOM_UTF8)
        yield from remaining
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    yield decoder.decode(head).removeprefix("\ufeff").encode()
    for chunk in remaining:
        yield decoder.decode(chunk).encode()
    yield decoder.decode(b"", final=True).encode()


def text_of(content: bytes) -> str:
    """As UTF-8, else as what old programs wrote: Windows-1252, or Latin-1 in its gaps."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")


def _first_bytes(chunks: Iterator[bytes], size: int) -> bytes:
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= size:
            break
    return head
