"""Games of which there are evaluations at several depths, and the sides of them that count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from config.errors import InputError
from config.language import _, english
from config.localized import number_text
from engines.evals import COLORS, GameEvals
from engines.human_likelihoods import HumanLikelihoods
from pipeline.records import Game
from pipeline.replay import Replay, replay
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.evaluations_file import EvaluationsFile
from pipeline.strength.human_cache import HumanCache
from pipeline.strength.labelled import (
    GameSource,
    Label,
    LeftOut,
    Progress,
    games_of,
    labels,
)
from pipeline.strength.reasons import why_no_estimate
from pipeline.strength.split import Part, part_of
from pipeline.strength.staged import Levels

Players: TypeAlias = Literal["validation", "held-out", "all"]
"""validation: nobody's readings were fitted on them, and no published figure is about them."""

_IS_WANTED: dict[Players, Callable[[str], bool]] = {
    "validation": lambda player: part_of(player) is Part.CALIBRATION,
    "held-out": lambda player: part_of(player) is Part.HELD_OUT,
    "all": lambda _player: True,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeveledGame:
    """A game with its evaluations by nodes a position, and the sides that count.

    `human[i]` is what the human-move model says of the side of `labels[i]`; None where it is
    not asked at this speed.
    """

    game: Game
    replay: Replay
    levels: Levels
    labels: tuple[Label, ...]
    human: tuple[HumanLikelihoods | None, ...]


class LeveledGames:
    """The games of files, each with all that its evaluations files have of it.

    Whatever is not used is counted in `left_out`, in sides of games.
    """

    def __init__(
        self,
        model: StrengthModel,
        evaluations: Sequence[EvaluationsFile],
        human: HumanCache | None,
        players: Players,
        left_out: LeftOut,
    ) -> None:
        self._model = model
        self._evaluations = evaluations
        self._human = human
        self._is_wanted = _IS_WANTED[players]
        self._left_out = left_out

    def all(self, sources: Sequence[GameSource], progress: Progress) -> Iterator[LeveledGame]:
        """Those with a side in a steady rating of a wanted player.

        InputError when two files have a game with the same number of nodes.
        """
        seen: set[str] = set()
        for source in sources:
            for game in games_of(source.games, self._left_out):
                if game.id in seen:
                    self._left_out.add(english("game given twice"))
                    continue
                seen.add(game.id)
                wanted = self._wanted(game)
                leveled = self._leveled(game, wanted) if wanted else None
                if leveled is not None:
                    yield leveled
                progress(english("reading games"), len(seen))

    def _wanted(self, game: Game) -> list[Label]:
        known = labels(game, self._left_out)
        theirs = [label for label in known if self._is_wanted(label.player)]
        self._left_out.add(english("player of another part"), len(known) - len(theirs))
        steady = [label for label in theirs if label.steady]
        self._left_out.add(english("rating not steady"), len(theirs) - len(steady))
        return [label for label in steady if self._is_readable(game, label)]

    def _is_readable(self, game: Game, label: Label) -> bool:
        """Known before anything is replayed."""
        own_moves = len(game.moves_san[COLORS.index(label.color) :: 2])
        human = self._human_of(game)
        if refusal := why_no_estimate(game, own_moves, self._model.speeds):
            self._left_out.add(refusal.reason)
        elif human is not None and not human.has(game.id, label.color):
            self._left_out.add(english("no human likelihoods"))
        else:
            return True
        return False

    def _human_of(self, game: Game) -> HumanCache | None:
        return self._human if self._model.reads_human_likelihoods(game.speed) else None

    def _leveled(self, game: Game, wanted: Sequence[Label]) -> LeveledGame | None:
        having = [file for file in self._evaluations if game.id in file]
        if not having:
            self._left_out.add(english("no evaluations"), len(wanted))
            return None
        try:
            checked = replay(game)
            given = [(file.name, file.of(checked)) for file in having]
        except InputError as error:
            reason = english("unusable moves or evaluations ({error})").format(
                error=type(error).__name__
            )
            self._left_out.add(reason, len(wanted))
            return None
        human = self._human_of(game)
        return LeveledGame(
            game=game,
            replay=checked,
            levels=_by_nodes([(name, evals) for name, evals in given if evals is not None]),
            labels=tuple(wanted),
            human=tuple(human.likelihoods(game.id, lb.color) if human else None for lb in wanted),
        )


def _by_nodes(given: Sequence[tuple[str, GameEvals]]) -> Levels:
    levels: dict[int, GameEvals] = {}
    names: dict[int, str] = {}
    for name, evals in given:
        nodes = evals.limit.nodes_per_position if evals.limit else 0
        if nodes in levels:
            raise InputError(
                _(
                    "{names} and {name} both have game {game_id} with {nodes} nodes a "
                    "position; give one of them."
                ).format(
                    names=names[nodes], name=name, game_id=evals.game_id, nodes=number_text(nodes)
                )
            )
        levels[nodes], names[nodes] = evals, name
    return levels
