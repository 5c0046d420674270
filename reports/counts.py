"""Numbers of things: `1 game`, `1,204 games`."""

from __future__ import annotations

from typing import Literal

from config.language import ngettext
from config.localized import number_text

Noun = Literal[
    "core", "engine", "game", "own move", "player", "player-game", "point", "rated game", "request",
    "wait",
]  # fmt: skip


def counted(number: int, noun: Noun) -> str:
    """`1 game`, `1,204 games`."""
    return _counted(number, noun).format(count=number_text(number))


def _counted(number: int, noun: Noun) -> str:
    forms = {
        "core": ngettext("{count} core", "{count} cores", number),
        "engine": ngettext("{count} engine", "{count} engines", number),
        "game": ngettext("{count} game", "{count} games", number),
        "own move": ngettext("{count} own move", "{count} own moves", number),
        "player": ngettext("{count} player", "{count} players", number),
        "player-game": ngettext("{count} player-game", "{count} player-games", number),
        "point": ngettext("{count} point", "{count} points", number),
        "rated game": ngettext("{count} rated game", "{count} rated games", number),
        "request": ngettext("{count} request", "{count} requests", number),
        "wait": ngettext("{count} wait", "{count} waits", number),
    }
    return forms[noun]
