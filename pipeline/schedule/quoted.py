"""What a person wrote, shown in a sentence that says what is wrong with it."""

from __future__ import annotations


def quoted(text: str, *, letters: int) -> str:
    """In quotation marks, nothing unprintable raw, and no more than so many letters of it."""
    return f"{text[:letters]!r}" + ("…" if len(text) > letters else "")
