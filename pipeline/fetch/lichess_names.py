"""Names and addresses on Lichess: user names, game ids."""

from __future__ import annotations

import re

from config.errors import UnknownPlayer
from config.language import _

_USERNAME = re.compile(r"[A-Za-z0-9_-]{2,30}")
_GAME_ID = re.compile(r"[A-Za-z0-9]{8}")
_GAME_ADDRESS = re.compile(
    r"""
    (?:https?://)?(?:www\.)?lichess\.org/
    ([A-Za-z0-9]{8})        # the game,
    (?:[A-Za-z0-9]{4})?     # as one of its players sees it,
    (?:/(?:white|black))?/? # from one side,
    (?:\?[^#]*)?(?:\#\d*)?  # at a ply
    """,
    re.VERBOSE,
)
_PAGES = frozenset({"analysis", "practice", "streamer", "training"})
"""Addresses on lichess.org that look like a game's and are none."""


def checked_username(username: str) -> str:
    """`username` if Lichess could have it; UnknownPlayer otherwise, without asking Lichess."""
    if _USERNAME.fullmatch(username):
        return username
    raise UnknownPlayer(
        _(
            "{username} cannot be a Lichess name: those are 2 to 30 letters, digits, - and "
            "_; check the spelling"
        ).format(username=f"{username!r}")
    )


def game_id_of(text: str) -> str | None:
    """The 8-character id in a game's address on Lichess, or in a bare id; None otherwise.

    A player's own address of a game has 12 characters, of which the first 8 are the game.
    """
    text = text.strip()
    if _GAME_ID.fullmatch(text):
        return text
    address = _GAME_ADDRESS.fullmatch(text)
    return address[1] if address and address[1] not in _PAGES else None
