"""What a shell offers when Tab is pressed: speeds, formats, players whose games are kept.

Whatever goes wrong, nothing is offered and nothing is said: somebody is typing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from config.choices import Format, Speed
from config.errors import MoveloError

_MOST_PLAYERS = 100


def completed_speeds(incomplete: str) -> list[str]:
    """Lists of speeds that go on from `blitz,ra`."""
    return _lists(incomplete, get_args(Speed))


def completed_formats(incomplete: str) -> list[str]:
    """Lists of formats that go on from `html,`."""
    return _lists(incomplete, get_args(Format))


def completed_players(incomplete: str) -> list[str]:
    """Players whose games were fetched into a store in a file, up to a hundred."""
    from config.settings import load_settings, store_place
    from pipeline.store import Store

    try:
        place = store_place(load_settings())
        if isinstance(place, str) or not place.is_file():
            return []  # a server may be far away, and a store is not made by pressing Tab
        with Store(place) as store:
            return list(store.fetched_players(incomplete.casefold(), most=_MOST_PLAYERS))
    except MoveloError:
        return []


def _lists(incomplete: str, words: Iterable[str]) -> list[str]:
    before, comma, last = incomplete.rpartition(",")
    named = before.split(",")
    return [
        f"{before}{comma}{word}" for word in words if word.startswith(last) and word not in named
    ]
