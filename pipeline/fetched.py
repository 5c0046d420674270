"""What a sync brought of each player, and why some of it will not be reported on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from config.errors import InputError
from config.language import english
from pipeline.arrivals import Arrivals
from pipeline.fetch.export import game_from_export
from pipeline.records import READABLE_VARIANTS, Game
from pipeline.selection import Selection, color_of, fits

_NEVER_BEGUN = ("aborted", "noStart")


class LeftOut(Enum):
    """Why a game that is kept is not reported on; the value is for a person."""

    UNREADABLE = english("cannot be read")
    SPEED = english("other speed")
    CASUAL = english("casual")
    VARIANT = english("variant")
    ABORTED = english("aborted")
    TOO_SHORT = english("too short: no move")
    OTHER = english("other players or times")


@dataclass(slots=True, kw_only=True)
class Fetched:
    """One player's sync: counts of games, requests and waits.

    `kept_before` were in the store; `new` were not, `came_again` came although they were; of
    these two `wanted` fit what was asked for and the rest is `left_out`, yet kept. `nameless`
    had no id or no time, and are not kept. Among the wanted, `provisional` counts games with a
    provisional rating, `bots` those against bots. `at_lichess` is Lichess's own count of rated
    games at these speeds. `error` says why it is not all.
    """

    player: str
    at_lichess: int | None = None
    kept_before: int = 0
    new: int = 0
    came_again: int = 0
    nameless: int = 0
    wanted: int = 0
    left_out: Counter[LeftOut] = field(default_factory=Counter)
    provisional: int = 0
    bots: int = 0
    requests: int = 0
    waits: int = 0
    waited_seconds: float = 0.0
    seconds: float = 0.0
    error: str | None = None

    def look_at(self, record: Mapping[str, object], selection: Selection) -> None:
        """Count one record that came."""
        found = judged(record, selection)
        if isinstance(found, LeftOut):
            self.left_out[found] += 1
            return
        self.wanted += 1
        self.provisional += found.white.provisional or found.black.provisional
        color = color_of(found, selection.player) or "white"
        self.bots += found.opponent(color).title == "BOT"

    def take(self, arrivals: Arrivals) -> None:
        """What the sync has counted by now."""
        self.new, self.came_again = arrivals.new, arrivals.known
        self.nameless = arrivals.nameless


def wanted_game(record: Mapping[str, object], selection: Selection) -> Game | None:
    """The game if a report takes it, which is also what `last` counts.

    None too for what cannot be read: that is named when it is read from the store.
    """
    found = judged(record, selection)
    return None if isinstance(found, LeftOut) else found


def judged(record: Mapping[str, object], selection: Selection) -> Game | LeftOut:
    """The game if a report takes it, else the first reason why it does not."""
    try:
        game = game_from_export(record, where="Lichess")
    except InputError:
        return LeftOut.UNREADABLE
    return game if fits(game, selection) else _why_not(game, selection)


def _why_not(game: Game, selection: Selection) -> LeftOut:
    if game.speed not in selection.speeds:
        return LeftOut.SPEED
    if not (game.rated or selection.casual):
        return LeftOut.CASUAL
    if game.variant not in READABLE_VARIANTS:
        return LeftOut.VARIANT
    if not game.moves_san:
        return LeftOut.ABORTED if game.status in _NEVER_BEGUN else LeftOut.TOO_SHORT
    return LeftOut.OTHER
