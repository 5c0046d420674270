"""Speeds are Lichess's own words, by initial time + 40 increments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.fetch.speeds import SPEEDS, speed_of_clock


@pytest.mark.parametrize(
    ("clock", "speed"),
    [
        ((15, 0), "ultraBullet"),
        ((29, 0), "ultraBullet"),
        ((30, 0), "bullet"),
        ((60, 2), "bullet"),
        ((60, 3), "blitz"),
        ((180, 0), "blitz"),
        ((300, 3), "blitz"),
        ((300, 5), "rapid"),
        ((479, 0), "blitz"),
        ((480, 0), "rapid"),
        ((600, 0), "rapid"),
        ((900, 15), "classical"),
        ((1499, 0), "rapid"),
        ((1500, 0), "classical"),
        ((21599, 0), "classical"),
        ((21600, 0), "correspondence"),
    ],
)
def test_a_time_control_has_the_speed_that_lichess_gives_it(
    clock: tuple[int, int], speed: str
) -> None:
    assert speed_of_clock(*clock) == speed


@given(
    initial=st.integers(0, 30_000),
    increment=st.integers(0, 600),
    more_initial=st.integers(0, 5_000),
    more_increment=st.integers(0, 60),
)
def test_more_time_never_makes_a_game_faster(
    initial: int, increment: int, more_initial: int, more_increment: int
) -> None:
    before = speed_of_clock(initial, increment)
    after = speed_of_clock(initial + more_initial, increment + more_increment)
    assert SPEEDS.index(after) >= SPEEDS.index(before)


def test_a_negative_time_control_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be negative"):
        speed_of_clock(-1, 0)
