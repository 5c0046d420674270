"""Many engine processes at work on many games: deadlines, restarts, back-off."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import TypeAlias

from config.errors import EngineDied, EngineError, InputError
from engines.evals import EngineId, GameEvals, PositionSequence, SearchLimit
from engines.stockfish import EngineOptions, Stockfish

BackOff: TypeAlias = Callable[[int], float]
"""Seconds to wait before a restart, given the number of failures in a row (from 1)."""

_log = logging.getLogger(__name__)
_TRIAL_NODES = 20_000
_LEAST_DEADLINE_SECONDS = 30.0
_DEADLINE_MARGIN = 50.0  # a laptop on battery, with more engines than cores, is not hung
_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineFailure:
    """A game without evaluations, and why: one sentence for a person."""

    game_id: str
    reason: str


def exponential_back_off(failures: int) -> float:
    """0.5, 1, 2, … seconds, at most 30."""
    return min(30.0, 0.5 * 2.0 ** min(failures - 1, 10))


class EnginePool:
    """`workers` engine processes with one thread each; use as a context manager.

    Entering tries the engine on one position, which shows whether it works and how fast it
    is; what is wrong then is raised. `deadline_seconds` is per position; None derives a
    generous one from that speed. The evaluations are the same with any number of workers.
    """

    def __init__(
        self,
        engine_path: Path,
        *,
        workers: int,
        limit: SearchLimit,
        hash_mebibytes: int = 64,
        options: EngineOptions = (),
        deadline_seconds: float | None = None,
        max_tries: int = 3,
        back_off: BackOff = exponential_back_off,
    ) -> None:
        if workers < 1 or max_tries < 1:
            raise ValueError("an engine pool needs at least one worker and one try")
        self._path = engine_path
        self._hash_mebibytes = hash_mebibytes
        self._options = tuple(options)
        self._deadline_seconds = deadline_seconds
        self._engine_id: EngineId | None = None
        self._crews: list[_Crew] = []
        self.workers = workers
        self.limit = limit
        self.max_tries = max_tries
        self.back_off = back_off

    def __enter__(self) -> EnginePool:
        self._try_engine()
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for crew in self._crews:  # those whose caller went away in the middle
            crew.stop()

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

    def new_engine(self) -> Stockfish:
        """Another engine like all others of this pool, not started yet."""
        return Stockfish(self._path, hash_mebibytes=self._hash_mebibytes, options=self._options)

    def evaluate(
        self, sequences: Iterable[PositionSequence]
    ) -> Iterator[GameEvals | EngineFailure]:
        """Evaluate games, longest first, and yield each as it is finished.

        A game that is itself at fault (an illegal move), or that `max_tries` engines died or
        hung on, is yielded as an `EngineFailure`. Raises the EngineError when an engine cannot
        be started any more. However the iteration ends, no engine is left running.
        """
        _log.info("evaluating with %d workers of %s", self.workers, self.engine_id.name)
        crew = _Crew(self, sequences)
        self._crews.append(crew)
        try:
            yield from crew.outcomes()
        finally:
            crew.stop()
            self._crews.remove(crew)

    def _try_engine(self) -> None:
        trial = PositionSequence(game_id="trial search", start_fen=_START, moves_uci=())
        nodes = min(_TRIAL_NODES, self.limit.nodes_per_position)
        with self.new_engine() as engine:
            self._engine_id = engine.engine_id
            started_at = time.perf_counter()
            engine.evaluate(
                trial, replace(self.limit, nodes_per_position=nodes), self.deadline_seconds
            )
            seconds = time.perf_counter() - started_at
        if self._deadline_seconds is None:
            expected_seconds = seconds * self.limit.nodes_per_position / nodes
            self._deadline_seconds = max(
                _LEAST_DEADLINE_SECONDS, _DEADLINE_MARGIN * expected_seconds
            )


@dataclass(frozen=True, slots=True)
class _Try:
    sequence: PositionSequence
    number: int


class _Crew:
    """The worker threads of one evaluation, and the queues between them and its caller."""

    def __init__(self, pool: EnginePool, sequences: Iterable[PositionSequence]) -> None:
        games = sorted(sequences, key=lambda game: len(game.moves_uci), reverse=True)
        self.todo: SimpleQueue[_Try | None] = SimpleQueue()
        self.done: SimpleQueue[GameEvals | EngineFailure | BaseException] = SimpleQueue()
        self.stopping = threading.Event()
        self._games = len(games)
        for game in games:
            self.todo.put(_Try(game, 1))
        self._workers = [_Worker(pool, self) for _ in range(min(pool.workers, len(games)))]

    def outcomes(self) -> Iterator[GameEvals | EngineFailure]:
        for worker in self._workers:
            worker.start()
        for _ in range(self._games):
            outcome = self.done.get()
            if isinstance(outcome, BaseException):
                raise outcome
            yield outcome

    def stop(self) -> None:
        """End all workers and their engines, whatever they are doing."""
        self.stopping.set()
        for worker in self._workers:
            self.todo.put(None)
            worker.kill_engine()
        for worker in self._workers:
            if worker.ident is not None:
                worker.join()
        self.done.put(_stopped())  # for a caller that goes on asking


class _Worker(threading.Thread):
    """Takes games from the crew's queue, one after another, with an engine of its own."""

    def __init__(self, pool: EnginePool, crew: _Crew) -> None:
        super().__init__(name="movelo engine worker", daemon=True)
        self._pool = pool
        self._crew = crew
        self._engine: Stockfish | None = None
        self._failures_in_a_row = 0

    def run(self) -> None:
        try:
            while (attempt := self._crew.todo.get()) and not self._crew.stopping.is_set():
                self._work_on(attempt)
        except BaseException as error:  # the caller's thread raises it
            self._crew.done.put(error)
        finally:
            self._discard_engine()

    def kill_engine(self) -> None:
        """Kill the engine, if any, from another thread."""
        engine = self._engine
        if engine is not None:
            engine.kill()

    def _work_on(self, attempt: _Try) -> None:
        engine = self._engine or self._start_engine()
        game = attempt.sequence
        try:
            self._crew.done.put(
                engine.evaluate(game, self._pool.limit, self._pool.deadline_seconds)
            )
            self._failures_in_a_row = 0
        except InputError as error:
            self._crew.done.put(EngineFailure(game_id=game.game_id, reason=str(error)))
        except EngineError as error:
            self._give_back(attempt, error)

    def _give_back(self, attempt: _Try, error: EngineError) -> None:
        """Leave the game to whichever engine is free next, or to nobody after the last try."""
        self._discard_engine()
        self._failures_in_a_row += 1
        if self._crew.stopping.is_set():
            return
        if attempt.number < self._pool.max_tries:
            _log.warning("%s (try %d of %d)", error, attempt.number, self._pool.max_tries)
            self._crew.todo.put(replace(attempt, number=attempt.number + 1))
        else:
            reason = f"{error} (tried {attempt.number} times)"
            self._crew.done.put(EngineFailure(game_id=attempt.sequence.game_id, reason=reason))

    def _start_engine(self) -> Stockfish:
        """A running engine, after the wait that earlier failures ask for."""
        for tries_left in reversed(range(self._pool.max_tries)):
            if self._failures_in_a_row:
                self._crew.stopping.wait(self._pool.back_off(self._failures_in_a_row))
            try:
                return self._start_engine_once()
            except EngineError as error:
                self._discard_engine()
                self._failures_in_a_row += 1
                if tries_left == 0 or self._crew.stopping.is_set():
                    raise
                _log.warning("%s; starting it again", error)
        raise AssertionError("the last try returns or raises")

    def _start_engine_once(self) -> Stockfish:
        self._engine = self._pool.new_engine()
        if self._crew.stopping.is_set():  # whoever stops the crew may not have seen this engine
            raise _stopped()
        self._engine.start()
        return self._engine

    def _discard_engine(self) -> None:
        if self._engine is not None:
            self._engine.close()
        self._engine = None


def _stopped() -> EngineDied:
    return EngineDied("the evaluation was stopped before its end; start it again")
