"""A deadline that is missed is acted upon once; one that is met, or moved, never."""

import threading
import time
from collections.abc import Iterator

import pytest

from engines.deadline import Deadline


class Watched:
    def __init__(self) -> None:
        self.times = 0
        self.happened = threading.Event()
        self.deadline = Deadline(on_missed=self._missed)
        self.deadline.start()

    def _missed(self) -> None:
        self.times += 1
        self.happened.set()


@pytest.fixture
def watched() -> Iterator[Watched]:
    watched = Watched()
    yield watched
    watched.deadline.close()
    watched.deadline.join(10)
    assert not watched.deadline.is_alive()


def test_a_missed_deadline_is_acted_upon_once(watched: Watched) -> None:
    watched.deadline.set(0.05)
    assert watched.happened.wait(10)
    watched.deadline.join(10)
    assert watched.deadline.missed and watched.times == 1


def test_work_that_is_always_in_time_is_left_alone(watched: Watched) -> None:
    for _ in range(200):
        watched.deadline.set(5.0)
    watched.deadline.clear()
    assert not watched.happened.wait(0.2)
    assert not watched.deadline.missed


def test_a_deadline_can_be_set_after_a_time_without_any(watched: Watched) -> None:
    watched.deadline.set(60.0)
    watched.deadline.clear()
    time.sleep(0.05)
    watched.deadline.set(0.05)
    assert watched.happened.wait(10)


def test_nothing_happens_before_it_is_time(watched: Watched) -> None:
    started_at = time.monotonic()
    watched.deadline.set(0.3)
    assert watched.happened.wait(10)
    assert time.monotonic() - started_at >= 0.3
