"""Many engine processes at work on many games: deadlines, restarts, back-off."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from engines.crew import CrewRules, Deliver, EngineCrew, EvalOutcome, stopped
from engines.evals import (
    USUAL_HASH_MEBIBYTES,
    EngineFailure,
    EngineId,
    GameEvals,
    PositionSequence,
    SearchLimit,
)
from engines.look_ahead import look_ahead
from engines.stockfish import EngineOptions, Stockfish

BackOff: TypeAlias = Callable[[int], float]
"""Seconds to wait before a restart, given the number of failures in a row (from 1)."""

_log = logging.getLogger(__name__)
_TRIAL_NODES = 20_000
_LEAST_DEADLINE_SECONDS = 30.0
_GAMES_AHEAD = 500
_DEADLINE_MARGIN = 50.0  # a laptop on battery, with more engines than cores, is not hung
_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def exponential_back_off(failures: int) -> float:
    """0.5, 1, 2, … seconds, at most 30."""
    return min(30.0, 0.5 * 2.0 ** min(failures - 1, 10))


class EnginePool:
    """`workers` engine processes with one thread each; use as a context manager.

    Entering tries the engine on one position, which shows whether it works and how fast it
    is; what is wrong then is raised. `deadline_seconds` is per position; None derives a
    generous one from that speed. The evaluations are the same with any number of workers.
    `cores` is shared with others who compute there; None when there are none.
    """

    def __init__(
        self,
        engine_path: Path,
        *,
        workers: int,
        limit: SearchLimit,
        hash_mebibytes: int = USUAL_HASH_MEBIBYTES,
        options: EngineOptions = (),
        deadline_seconds: float | None = None,
        max_tries: int = 3,
        back_off: BackOff = exponential_back_off,
        cores: threading.Semaphore | None = None,
    ) -> None:
        if workers < 1 or max_tries < 1:
            raise ValueError("an engine pool needs at least one worker and one try")
        self._path = engine_path
        self._hash_mebibytes = hash_mebibytes
        self._options = tuple(options)
        self._deadline_seconds = deadline_seconds
        self._engine_id: EngineId | None = None
        self._crews: list[tuple[EngineCrew, Deliver]] = []
        self._cores = cores or threading.Semaphore(workers)
        self.workers = workers
        self.limit = limit
        self.max_tries = max_tries
        self.back_off = back_off

    def __enter__(self) -> EnginePool:
        self._try_engine()
        return self

    def __exit__(self, *_: object) -> None:
        for crew, deliver in self._crews:
            crew.stop()
            deliver(stopped())  # for a caller that goes on asking
        self._crews = []

    @property
    def engine_id(self) -> EngineId:
        """Which engine it is, known once the pool is entered."""
        if self._engine_id is None:
            raise RuntimeError("an engine pool is used in a with statement")
        return self._engine_id

    @property
    def deadline_seconds(self) -> float:
        """How long one position may take before its engine counts as hung."""
        return self._deadline_seconds or _LEAST_DEADLINE_SECONDS

    def crew(self, deliver: Deliver) -> EngineCrew:
        """Workers for games that come one by one; they are gone when the pool is left."""
        _log.info("evaluating with %d workers of %s", self.workers, self.engine_id.name)
        rules = CrewRules(
            new_engine=self._new_engine,
            engine_id=self.engine_id,
            limit=self.limit,
            deadline_seconds=self.deadline_seconds,
            workers=self.workers,
            max_tries=self.max_tries,
            back_off=self.back_off,
            cores=self._cores,
        )
        crew = EngineCrew(rules, deliver)
        self._crews.append((crew, deliver))
        return crew

    def evaluate(
        self, sequences: Iterable[PositionSequence]
    ) -> Iterator[GameEvals | EngineFailure]:
        """Evaluate games, longest first, and yield each as it is finished.

        A game that is itself at fault (an illegal move), or that `max_tries` engines died or
        hung on, is yielded as an `EngineFailure`. Raises the EngineError when an engine cannot
        be started any more. However the iteration ends, no engine is left running. What is no
        list is taken from as the work goes on, some games ahead.
        """
        finished: SimpleQueue[EvalOutcome] = SimpleQueue()
        games = _longest_first(sequences)
        with self.crew(finished.put) as crew:
            outcomes: Iterator[GameEvals | EngineFailure] = look_ahead(
                games, crew.submit, finished, at_most=_GAMES_AHEAD
            )
            yield from outcomes

    def _new_engine(self) -> Stockfish:
        return Stockfish(self._path, hash_mebibytes=self._hash_mebibytes, options=self._options)

    def _try_engine(self) -> None:
        trial = PositionSequence(game_id="trial search", start_fen=_START, moves_uci=())
        nodes = min(_TRIAL_NODES, self.limit.nodes_per_position)
        limit = replace(self.limit.with_all_nodes(), nodes_per_position=nodes)
        with self._new_engine() as engine:
            self._engine_id = engine.engine_id
            started_at = time.perf_counter()
            engine.evaluate(trial, limit, self.deadline_seconds)
            seconds = time.perf_counter() - started_at
        if self._deadline_seconds is None:
            expected_seconds = seconds * self.limit.nodes_per_position / nodes
            self._deadline_seconds = max(
                _LEAST_DEADLINE_SECONDS, _DEADLINE_MARGIN * expected_seconds
            )


def _longest_first(sequences: Iterable[PositionSequence]) -> Iterable[PositionSequence]:
    """So that at the end no engine works alone for long."""
    if isinstance(sequences, Sequence):
        return sorted(sequences, key=lambda game: len(game.moves_uci), reverse=True)
    return sequences
