"""Which games of a file are wanted, and why the others are not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from config.language import english
from pipeline.drawn import id_hash
from pipeline.records import READABLE_VARIANTS, Game
from pipeline.selection import is_from_elsewhere


class LeftOut(Enum):
    """Why a game is left out, in the order in which it is asked; the value is for a person."""

    SPEED = english("of other speeds")
    CASUAL = english("casual (--casual takes them in)")
    EARLIER = english("earlier than asked for")
    LATER = english("later than asked for")
    UNRATED = english("without both players' ratings")
    WEAKER = english("with a rating below the least asked for")
    STRONGER = english("with a rating above the highest asked for")
    PLAYERS = english("of other players")
    SAMPLE = english("outside the sample")
    EVALS = english("without evaluations")
    VARIANT = english("of variants that movelo does not read")
    MOVES = english("in which no move was played")
    NAMES = english("in which neither player has a name")

    __hash__ = object.__hash__  # an Enum's own is slow, and one is counted for each game


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    """What is asked for; the defaults ask for all rated games that movelo can read.

    No `speeds` means all of them. Both players' ratings must lie from `min_rating` to
    `max_rating`. `share` (0 to 1) keeps the games whose ids have the smallest hashes, the same
    ones every time. One of the `players` (lower-case names; None for anybody) must have played.
    Times are inclusive and UTC. A game from elsewhere than Lichess is never casual.
    """

    speeds: tuple[str, ...] = ()
    casual: bool = False
    since: datetime | None = None
    until: datetime | None = None
    min_rating: int | None = None
    max_rating: int | None = None
    players: frozenset[str] | None = None
    share: float = 1.0
    with_evals: bool = False

    def why_left_out(self, game: Game) -> LeftOut | None:
        """The first reason that applies; None for a game that is wanted."""
        return (
            self._by_kind(game)
            or self._by_time(game)
            or self.by_ratings(game.white.rating, game.black.rating)
            or self._by_who_and_chance(game)
            or self._by_content(game)
        )

    def by_ratings(self, *ratings: int | None) -> LeftOut | None:
        """Whether both ratings are within the bounds, if there are bounds."""
        if self.min_rating is None and self.max_rating is None:
            return None
        known = [rating for rating in ratings if rating is not None]
        if len(known) < len(ratings):
            return LeftOut.UNRATED
        if self.min_rating is not None and min(known) < self.min_rating:
            return LeftOut.WEAKER
        if self.max_rating is not None and max(known) > self.max_rating:
            return LeftOut.STRONGER
        return None

    def in_sample(self, game_id: str) -> bool:
        """Whether the game's id falls into the share; a greater share has all of a smaller."""
        return self.share >= 1.0 or id_hash(game_id.encode(errors="replace")) < self.largest_hash

    @property
    def largest_hash(self) -> bytes:
        """The hashes of a sample's ids are less than this."""
        return int(self.share * 2**64).to_bytes(9, "big")[1:]

    def _by_kind(self, game: Game) -> LeftOut | None:
        if self.speeds and game.speed not in self.speeds:
            return LeftOut.SPEED
        if not (game.rated or self.casual or is_from_elsewhere(game)):
            return LeftOut.CASUAL
        return None

    def _by_time(self, game: Game) -> LeftOut | None:
        if self.since is not None and game.created_at < self.since:
            return LeftOut.EARLIER
        if self.until is not None and game.created_at > self.until:
            return LeftOut.LATER
        return None

    def _by_who_and_chance(self, game: Game) -> LeftOut | None:
        names = {player.name.casefold() for player in (game.white, game.black) if player.name}
        if self.players is not None and not names & self.players:
            return LeftOut.PLAYERS
        return None if self.in_sample(game.id) else LeftOut.SAMPLE

    def _by_content(self, game: Game) -> LeftOut | None:
        if self.with_evals and not game.source_evals:
            return LeftOut.EVALS
        if game.variant not in READABLE_VARIANTS:
            return LeftOut.VARIANT
        if not game.moves_san:
            return LeftOut.MOVES
        if game.white.name is None and game.black.name is None:
            return LeftOut.NAMES
        return None
