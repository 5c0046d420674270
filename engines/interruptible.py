"""Waiting for others in a way that Ctrl-C ends."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from typing import TypeVar

_LOOK_SECONDS = 0.2

_Item = TypeVar("_Item")


def next_of(queue: SimpleQueue[_Item]) -> _Item:
    """The next item, however long it takes.

    The system gives a signal to any thread, and Python handles it in the main one as soon as that
    does something: so it does, from time to time.
    """
    while True:
        try:
            return queue.get(timeout=_LOOK_SECONDS)
        except Empty:
            continue
