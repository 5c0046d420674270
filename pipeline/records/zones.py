"""What records call a time zone."""

from __future__ import annotations

from datetime import datetime, tzinfo

from config.language import english


def zone_name(zone: tzinfo, when: datetime) -> str:
    """`UTC`, `Europe/Berlin`, or what the zone calls itself at `when`; to be `retold`."""
    key = getattr(zone, "key", None)
    return str(key or when.astimezone(zone).tzname() or english("local time"))
