"""Work begun on a few things ahead, and handed out as it is finished."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from typing import TypeVar

from engines.interruptible import next_of

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


class GivenUp(Exception):
    """Put among the outcomes by whoever ends the work from another thread."""


def look_ahead(
    items: Iterable[Item],
    begin: Callable[[Item], None],
    finished: SimpleQueue[Outcome | BaseException],
    *,
    at_most: int,
) -> Iterator[Outcome]:
    """Begin each item, `at_most` of them at once, and yield what others put in `finished`.

    Each item must lead to one outcome there; one that is an exception is raised. `items` may
    be endless, or slow in coming: nothing is kept.
    """
    ahead = 0
    for item in items:
        begin(item)
        ahead += 1
        while ahead >= at_most or not finished.empty():
            yield _outcome(finished)
            ahead -= 1
    for _ in range(ahead):
        yield _outcome(finished)


def _outcome(finished: SimpleQueue[Outcome | BaseException]) -> Outcome:
    outcome = next_of(finished)
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
