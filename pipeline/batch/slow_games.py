"""Which of a player's games engines or the human-move model have to work on."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from pipeline.kept_games import records_kept_of
from pipeline.records import Game
from pipeline.selection import Selection, select
from pipeline.workshop import Workshop

_ANALYSIS = '"analysis"'


class SlowGames:
    """As far as can be told without reading a move: it is a hint, and nothing is lost by it.

    `selection` is everybody's but for the name.
    """

    def __init__(self, selection: Selection, workshop: Workshop) -> None:
        self._selection = selection
        self._workshop = workshop

    def of(self, player: str) -> list[Game]:
        """The newest first, of those that a report takes and that nobody has worked on."""
        selection = replace(self._selection, player=player)
        records = records_kept_of(player, self._workshop.store, is_wanted=self._may_be_slow)
        chosen = select((found for _record_json, found in records), selection).games
        games = [game for game, _color in chosen if self._is_slow(game)]
        done = self._workshop.store.games_with_evidence(
            [game.id for game in games],
            model=self._workshop.estimator.id,
            nodes_per_position=self._workshop.limit.nodes_per_position,
        )
        return [game for game in games if (game.id, self._network_for(game)) not in done]

    def _may_be_slow(self, record_json: str) -> bool:
        """Reading it takes longer; but of the newest so many, all have to be counted."""
        return bool(self.network or self._selection.last) or _ANALYSIS not in record_json

    def _is_slow(self, game: Game) -> bool:
        return not game.source_evals or self._network_for(game) != ""

    def _network_for(self, game: Game) -> str:
        """Of the human-move model that is to read the game; "" where none is."""
        reads = self._workshop.estimator.reads_human_likelihoods(game.speed)
        return self.network if reads else ""

    @cached_property
    def network(self) -> str:
        """Of the human-move model that reads games; "" where none does."""
        opened = self._workshop.open_human_model
        reader = None if opened is None else opened()
        return "" if reader is None else reader.network
