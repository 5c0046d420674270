"""A sample of games that is the same every time: by a hash of their ids."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from config.errors import InputError
from pipeline.records import Game, SetAside
from pipeline.replay import Replay, replay


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The games drawn, checked, and what was not drawn because it cannot be read."""

    replays: tuple[Replay, ...]
    set_aside: tuple[SetAside, ...]


def sampled(games: Iterable[Game | SetAside], size: int) -> Sample:
    """`size` games, or all if it is 0; one id is drawn once. Memory for `size` games only."""
    set_aside: list[SetAside] = []
    drawn: dict[str, Game] = {}
    hashes: list[tuple[int, str]] = []
    for game in games:
        if isinstance(game, SetAside):
            set_aside.append(game)
        elif game.id not in drawn:
            drawn[game.id] = game
            heapq.heappush(hashes, (-_hash(game.id), game.id))
            if size and len(drawn) > size:
                del drawn[heapq.heappop(hashes)[1]]
    replays: list[Replay] = []
    for game in drawn.values():
        try:
            replays.append(replay(game))
        except InputError as error:
            set_aside.append(SetAside(where=f"game {game.id}", reason=str(error)))
    return Sample(replays=tuple(replays), set_aside=tuple(set_aside))


def _hash(game_id: str) -> int:
    return int.from_bytes(hashlib.sha256(game_id.encode()).digest()[:8], "big")
