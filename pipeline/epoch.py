"""Moments as the store keeps them: whole milliseconds since 1970."""

from __future__ import annotations

from datetime import datetime


def epoch_ms(time: datetime) -> int:
    """Of a time with a zone; rounded to the nearest."""
    return round(time.timestamp() * 1000)
