"""Where each game's evaluations come from: the game itself, the store, or an engine, in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from engines.evals import EngineFailure, EngineId, GameEvals, PositionSequence, SearchLimit
from pipeline.analysis import source_evals
from pipeline.progress import Progress
from pipeline.records import Game, SetAside
from pipeline.replay import Replay
from pipeline.store import Store


class Evaluator(Protocol):
    """What an `EnginePool` is to this stage: many games in, each once out, as they finish."""

    @property
    def engine_id(self) -> EngineId:
        """Who evaluates."""
        ...

    def evaluate(
        self, sequences: Sequence[PositionSequence]
    ) -> Iterator[GameEvals | EngineFailure]:
        """Every game's evaluations, or why there are none."""
        ...


OpenEvaluator = Callable[[], AbstractContextManager[Evaluator]]
"""Starts an engine; called only if some game needs one."""


def evaluate_games(
    games: Sequence[tuple[Game, Replay]],
    *,
    store: Store,
    limit: SearchLimit,
    open_evaluator: OpenEvaluator,
    progress: Progress,
) -> dict[str, GameEvals | EngineFailure]:
    """Evaluations by game id. What an engine finishes is kept at once, whatever comes after."""
    progress.begin("Evaluating games", len(games))
    found: dict[str, GameEvals | EngineFailure] = {}
    missing: list[Replay] = []
    for game, replay in games:
        given = source_evals(game, replay)
        if given is None:
            missing.append(replay)
        else:
            found[game.id] = given
            progress.advance()
    if missing:
        with open_evaluator() as evaluator:
            found |= _engine_evals(missing, evaluator, limit, store, progress)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineWork:
    """What an engine found for each game, and the games on which it failed."""

    evals: tuple[GameEvals, ...]
    failures: tuple[SetAside, ...]


def evaluate_all(
    replays: Sequence[Replay],
    *,
    store: Store,
    limit: SearchLimit,
    open_evaluator: OpenEvaluator,
    progress: Progress,
) -> EngineWork:
    """An engine's evaluations of every game, whatever came with it; in the order given."""
    progress.begin("Evaluating games", len(replays))
    with open_evaluator() as evaluator:
        found = _engine_evals(replays, evaluator, limit, store, progress)
    outcomes = [found[replay.game_id] for replay in replays]
    return EngineWork(
        evals=tuple(o for o in outcomes if isinstance(o, GameEvals)),
        failures=tuple(
            SetAside(where=f"game {o.game_id}", reason=o.reason)
            for o in outcomes
            if isinstance(o, EngineFailure)
        ),
    )


def _engine_evals(
    replays: Sequence[Replay],
    evaluator: Evaluator,
    limit: SearchLimit,
    store: Store,
    progress: Progress,
) -> dict[str, GameEvals | EngineFailure]:
    found: dict[str, GameEvals | EngineFailure] = {}
    missing: dict[str, PositionSequence] = {}
    for replay in replays:
        positions = replay.positions()
        kept = store.evals(positions, evaluator.engine_id, limit)
        if kept is None:
            missing[replay.game_id] = positions
        else:
            found[replay.game_id] = kept
            progress.advance()
    for outcome in evaluator.evaluate(list(missing.values())):
        if isinstance(outcome, GameEvals):
            store.add_evals(missing[outcome.game_id], outcome)
        found[outcome.game_id] = outcome
        progress.advance()
    return found
