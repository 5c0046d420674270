"""The words that settings and options choose from."""

from __future__ import annotations

from typing import Literal

Speed = Literal["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence", "unknown"]
"""Lichess's words; "unknown" is that of a PGN without a time control."""

Format = Literal["terminal", "html", "json", "csv"]
"""What a report can be written as."""
