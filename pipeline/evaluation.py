"""Where each game's evaluations come from: the game itself, the store, or an engine, in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from queue import SimpleQueue
from typing import Protocol, TypeAlias, TypeVar

from engines.evals import (
    EngineFailure,
    EngineId,
    GameEvals,
    KnownEval,
    PositionSequence,
    SearchLimit,
)
from engines.look_ahead import GivenUp, look_ahead
from pipeline.analysis import source_evals
from pipeline.records import Game
from pipeline.replay import Replay
from pipeline.store import Store

EvaluatedGame: TypeAlias = GameEvals | EngineFailure
Deliver: TypeAlias = Callable[[EvaluatedGame | BaseException], None]

_Item = TypeVar("_Item")

GAMES_AHEAD = 400
"""Enough for the longest to be begun early; few enough for any machine's memory."""


class Evaluator(Protocol):
    """What an `EngineCrew` is to this stage: games in, each delivered once, as it is finished."""

    @property
    def engine_id(self) -> EngineId:
        """Who evaluates."""
        ...

    def submit(self, sequence: PositionSequence) -> None:
        """Have a game evaluated."""
        ...


OpenEvaluator = Callable[[Deliver], AbstractContextManager[Evaluator]]
"""Starts engines; called only if some game needs one."""

AskOthers = Callable[[PositionSequence], Mapping[int, KnownEval]]
"""What others know of a game's positions, by number; called before an engine is."""


class Evaluation:
    """Evaluations of games as they come; use as a context manager, at whose end engines stop.

    What an engine finishes is kept at once, whatever comes after.
    """

    def __init__(
        self,
        *,
        store: Store,
        limit: SearchLimit,
        open_evaluator: OpenEvaluator,
        ask_others: AskOthers | None = None,
    ) -> None:
        self._store = store
        self._ask_others = ask_others
        self._limit = limit
        self._open_evaluator = open_evaluator
        self._stack = ExitStack()
        self._evaluator: Evaluator | None = None
        self._finished: SimpleQueue[EvaluatedGame | BaseException] = SimpleQueue()
        self._searched: dict[str, PositionSequence] = {}

    def __enter__(self) -> Evaluation:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def give_up(self) -> None:
        """From another thread: whoever waits here for an outcome gets GivenUp."""
        self._finished.put(GivenUp())

    def of_games(self, games: Iterable[tuple[Game, Replay]]) -> Iterator[EvaluatedGame]:
        """Each game's own evaluations, if they cover enough of it, else an engine's."""
        return self._outcomes(games, self._begin)

    def by_engine(self, replays: Iterable[Replay]) -> Iterator[EvaluatedGame]:
        """An engine's evaluations, whatever came with the games."""
        return self._outcomes(replays, self._search)

    def _outcomes(
        self, games: Iterable[_Item], begin: Callable[[_Item], None]
    ) -> Iterator[EvaluatedGame]:
        outcomes: Iterator[EvaluatedGame] = look_ahead(
            games, begin, self._finished, at_most=GAMES_AHEAD
        )
        for outcome in outcomes:
            positions = self._searched.pop(outcome.game_id, None)
            if positions is not None and isinstance(outcome, GameEvals):
                self._store.add_evals(positions, outcome)
            yield outcome

    def _begin(self, entry: tuple[Game, Replay]) -> None:
        game, replay = entry
        given = source_evals(game, replay)
        if given is None:
            self._search(replay)
        else:
            self._finished.put(given)

    def _search(self, replay: Replay) -> None:
        evaluator = self._opened()
        positions = replay.positions()
        kept = self._kept(positions, evaluator.engine_id)
        if kept is None:
            self._searched[replay.game_id] = positions
            evaluator.submit(self._with_known(positions))
        else:
            self._finished.put(kept)

    def _kept(self, positions: PositionSequence, engine: EngineId) -> GameEvals | None:
        """What an earlier version of movelo found is as good, and need not be made anew."""
        return self._store.evals(positions, engine, *self._limit.as_good())

    def _with_known(self, positions: PositionSequence) -> PositionSequence:
        if self._ask_others is None:
            return positions
        return replace(positions, known=tuple(self._ask_others(positions).items()))

    def _opened(self) -> Evaluator:
        if self._evaluator is None:
            opened = self._open_evaluator(self._finished.put)
            self._evaluator = self._stack.enter_context(opened)
        return self._evaluator
