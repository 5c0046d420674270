"""Which player-games a figure is about: steady and long ones, periods, lengths, clocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime

from pipeline.strength.reading import Reading

LONG_OWN_MOVES = 25
"""Shorter games carry most of the error that no model can help."""

LENGTHS = ((8, 14), (15, 24), (25, 39), (40, None))
"""Own moves with an evaluation, both ends included."""

MAIA_TRAINED_FROM = datetime(2023, 1, 1, tzinfo=UTC)
MAIA_TRAINED_UNTIL = datetime(2025, 8, 1, tzinfo=UTC)
"""Maia-3 was trained on Lichess games of January 2023 to July 2025: it may know those."""

SELECTIONS: Mapping[str, Callable[[Reading], bool]] = {
    "steady": lambda reading: reading.steady,
    "steady and long": lambda reading: reading.steady and _is_long(reading),
    "long": lambda reading: _is_long(reading),
    "all": lambda _reading: True,
}
"""steady: no provisional rating, none that moved by more than 15; long: 25 own moves or more."""

DIVISIONS: Mapping[str, tuple[str, ...]] = {
    "period": ("before", "inside", "after"),
    "own_moves": tuple(f"{low}-{high}" if high else f"{low}+" for low, high in LENGTHS),
    "clocks": ("with", "without"),
}
"""Ways to divide player-games, and the parts of each; a period is that of Maia-3's training."""


def parts_of(reading: Reading) -> Iterator[tuple[str, str]]:
    """(division, part) for each of `DIVISIONS`; no length where there are too few moves."""
    yield "period", _period(reading.created_at)
    yield from (("own_moves", length) for length in _lengths(reading.evidence.moves))
    yield "clocks", "with" if reading.have_clocks else "without"


def _is_long(reading: Reading) -> bool:
    return reading.evidence.moves >= LONG_OWN_MOVES


def _period(created_at: datetime) -> str:
    if created_at < MAIA_TRAINED_FROM:
        return "before"
    return "inside" if created_at < MAIA_TRAINED_UNTIL else "after"


def _lengths(moves: int) -> Iterator[str]:
    for name, (low, high) in zip(DIVISIONS["own_moves"], LENGTHS, strict=True):
        if low <= moves and (high is None or moves <= high):
            yield name
