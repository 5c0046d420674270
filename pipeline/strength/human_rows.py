"""What the human-move model says of player-games, as rows of features for fitting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from engines.evals import COLORS, Color
from pipeline.drawn import Drawn
from pipeline.records import Clock, Game
from pipeline.strength.human_cache import HumanCache
from pipeline.strength.human_features import HUMAN_FEATURE_NAMES, human_features
from pipeline.strength.labelled import Progress


class HumanRows:
    """Looks up what a cache knows, and asks about the first games by a hash of the id.

    Asking takes long: no more games are asked about than the cache may compute.
    """

    def __init__(self, human: HumanCache) -> None:
        self._human = human
        self._colors: dict[tuple[str, str], Color] = {}
        self._clocks: dict[str, tuple[Clock | None, tuple[int, ...]]] = {}
        self._drawn: Drawn[Game] = Drawn(human.new_games)

    def offer(self, games: Iterable[Game], wanted: Sequence[tuple[str, str]]) -> None:
        """Games, and those (game id, player in lower case) of them that get a row."""
        by_id = {game.id: game for game in games}
        for game_id, player in wanted:
            game = by_id[game_id]
            white = (game.white.name or "").lower() == player
            self._colors[game_id, player] = "white" if white else "black"
            self._clocks[game_id] = (game.clock, game.clocks_centiseconds)
        for game_id in dict.fromkeys(game_id for game_id, _ in wanted):
            self._drawn.offer(game_id, by_id[game_id])

    def rows(self, keys: Sequence[tuple[str, str]], progress: Progress) -> npt.NDArray[np.float64]:
        """[keys, `HUMAN_FEATURE_NAMES`]; NaN where there was none to be had, or none wanted."""
        self._human.compute([game for game in self._drawn.items() if self._lacks(game)], progress)
        rows = np.full((len(keys), len(HUMAN_FEATURE_NAMES)), np.nan)
        for row, key in enumerate(keys):
            color = self._colors.get(key)
            likelihoods = None if color is None else self._human.likelihoods(key[0], color)
            if color is not None and likelihoods is not None:
                rows[row] = human_features(likelihoods, color, *self._clocks[key[0]])
        return rows

    def _lacks(self, game: Game) -> bool:
        return not all(self._human.has(game.id, color) for color in COLORS)
