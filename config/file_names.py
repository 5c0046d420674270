"""Names of files, made of whatever a player is called, good on every system."""

from __future__ import annotations

import re

_LONGEST_BYTES = 160
"""File systems take 255, of which endings and a few more signs need some."""

_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])", re.IGNORECASE)
"""Devices on Windows, whatever ending follows (learn.microsoft.com, "Naming Files")."""


def file_stem(name: str, *, instead: str = "player") -> str:
    """`name` in letters, digits, - and _; a Lichess name stays as it is, but for a device's.

    `instead` where nothing is left of it.
    """
    plain = re.sub(r"[^\w-]+", "_", name).strip("_")[:80]
    stem = plain.encode()[:_LONGEST_BYTES].decode(errors="ignore") or instead
    return f"{stem}_" if _RESERVED.fullmatch(stem) else stem
