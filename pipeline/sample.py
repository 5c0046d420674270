"""A sample of games that is the same every time: by a hash of their ids."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass

from config.errors import InputError
from config.language import english, speaking
from pipeline.drawn import Drawn
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
    drawn: Drawn[tuple[int, Game]] = Drawn(size or sys.maxsize)
    ids: set[str] = set()
    for number, game in enumerate(games):
        if isinstance(game, SetAside):
            set_aside.append(game)
        elif game.id not in ids:
            ids.add(game.id)
            if spared := drawn.offer(game.id, (number, game)):
                ids.remove(spared[1].id)
    replays: list[Replay] = []
    for _, game in sorted(drawn.items(), key=lambda item: item[0]):
        try:
            with speaking("en"):  # the sentence is kept
                replays.append(replay(game))
        except InputError as error:
            set_aside.append(
                SetAside(where=english("game {id}").format(id=game.id), reason=str(error))
            )
    return Sample(replays=tuple(replays), set_aside=tuple(set_aside))
