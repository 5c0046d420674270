"""Text that came from outside, made fit to be shown."""

from __future__ import annotations

ABSENT = "—"


def one_line(text: str, longest: int = 60) -> str:
    """`text` as it may be shown: one line, at most `longest` characters, nothing that acts.

    Control characters (a terminal obeys them), direction overrides and lone surrogates are
    dropped, runs of white space become one space.
    """
    # Only the start is looked at: a name may be a megabyte long.
    start = text[: 8 * longest]
    visible = "".join(" " if char.isspace() else char for char in start if _is_harmless(char))
    line = " ".join(visible.split())
    if len(line) > longest or len(text) > len(start):
        return line[: longest - 1].rstrip() + "…"
    return line or ABSENT


def sentence_part(text: str) -> str:
    """`text` on one line, long enough for a sentence, without a closing full stop."""
    return one_line(text, longest=300).rstrip(".")


def _is_harmless(char: str) -> bool:
    return char.isprintable() or char.isspace()
