"""Work begun some steps ahead: each outcome once, never too many at once, errors raised."""

from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from engines.look_ahead import look_ahead


def counted(pulled: list[int]) -> Iterator[int]:
    """Endless."""
    number = 0
    while True:
        pulled.append(number)
        yield number
        number += 1


def test_each_outcome_comes_once() -> None:
    finished: SimpleQueue[int | BaseException] = SimpleQueue()
    assert list(look_ahead(range(100), finished.put, finished, at_most=7)) == list(range(100))


def test_of_what_never_ends_no_more_is_taken_than_is_worked_on() -> None:
    finished: SimpleQueue[int | BaseException] = SimpleQueue()
    waiting: list[int] = []
    pulled: list[int] = []

    def begin(item: int) -> None:
        waiting.append(item)
        if len(waiting) == 3:  # the third at the latest must bring the first home
            finished.put(waiting.pop(0))

    outcomes = look_ahead(counted(pulled), begin, finished, at_most=3)
    assert [next(outcomes) for _ in range(20)] == list(range(20))
    assert len(pulled) == 22


def test_what_is_finished_is_handed_out_before_more_is_begun() -> None:
    finished: SimpleQueue[int | BaseException] = SimpleQueue()
    pulled: list[int] = []
    assert next(look_ahead(counted(pulled), finished.put, finished, at_most=1000)) == 0
    assert pulled == [0]


def test_an_exception_among_the_outcomes_is_raised() -> None:
    finished: SimpleQueue[int | BaseException] = SimpleQueue()

    def begin(item: int) -> None:
        finished.put(item if item < 2 else OSError("no more"))

    outcomes = look_ahead(range(5), begin, finished, at_most=1)
    assert [next(outcomes), next(outcomes)] == [0, 1]
    with pytest.raises(OSError, match="no more"):
        next(outcomes)
