"""A store that is away for a moment, as a database server that is started again, is waited for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from config.errors import StoreError
from config.language import english

WAITS_SECONDS = (1.0, 2.0, 5.0, 10.0, 15.0, 15.0)

_Made = TypeVar("_Made")


def patient(
    work: Callable[[], _Made], *, sleep: Callable[[float], None], say: Callable[[str], None]
) -> _Made:
    """Do `work`, again after a wait where the store failed; StoreError when it goes on failing.

    `work` may be done twice, and `sleep` takes seconds.
    """
    for seconds in WAITS_SECONDS:
        try:
            return work()
        except StoreError as error:
            said = english("{error}; trying again in {seconds} s.")
            say(said.format(error=str(error).rstrip("."), seconds=f"{seconds:.0f}"))
            sleep(seconds)
    return work()
