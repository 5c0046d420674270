"""A list of games as it was written, not read yet, and how an error names a place in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLines:
    """`where` names the source (a file, a field), `unit` what is counted there: line, game."""

    lines: tuple[str, ...]
    where: str
    unit: str
