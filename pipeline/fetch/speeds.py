"""Lichess's speeds, by how long a game is expected to last."""

from __future__ import annotations

SPEEDS = ("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence")

UNKNOWN_SPEED = "unknown"
"""For a PGN that says nothing about time: no word of Lichess's would be true."""

_SHORTEST_SECONDS = {
    "correspondence": 21600,
    "classical": 1500,
    "rapid": 480,
    "blitz": 180,
    "bullet": 30,
    "ultraBullet": 0,
}

_EXPECTED_MOVES = 40


def speed_of_clock(initial_seconds: float, increment_seconds: float) -> str:
    """The speed of a time control: initial + 40 × increment decides.

    Source: scalachess, core/src/main/scala/Speed.scala and Clock.scala (estimateTotalSeconds).
    """
    estimate = initial_seconds + _EXPECTED_MOVES * increment_seconds
    for speed, shortest in _SHORTEST_SECONDS.items():
        if estimate >= shortest:
            return speed
    raise ValueError(f"a time control cannot be negative: {initial_seconds}+{increment_seconds}")
