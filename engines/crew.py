"""Engine workers that take games as they come: restarts, back-off, a few tries for each game."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from queue import PriorityQueue
from typing import TypeAlias

from config.errors import EngineDied, EngineError, InputError
from config.language import _, english
from engines.evals import EngineFailure, EngineId, GameEvals, PositionSequence, SearchLimit
from engines.stockfish import Stockfish

EvalOutcome: TypeAlias = GameEvals | EngineFailure | BaseException
Deliver: TypeAlias = Callable[[EvalOutcome], None]
"""Called in a worker's thread with each game's outcome, once.

An exception means that the crew can do no more: the caller's own thread should raise it.
"""

GAMES_IN_TURN = 100
"""Of so many that come one after another the longest is begun first, so that engines end together;
whatever comes after them waits, so that no short game is put off for ever."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrewRules:
    """How a crew works. `cores` is shared with whoever else computes on them.

    `back_off` gives the seconds to wait after so many failures in a row (from 1).
    """

    new_engine: Callable[[], Stockfish]
    engine_id: EngineId
    limit: SearchLimit
    deadline_seconds: float
    workers: int
    max_tries: int
    back_off: Callable[[int], float]
    cores: threading.Semaphore


class EngineCrew:
    """Worker threads with an engine each, started as games come; use as a context manager.

    Of the games that wait, the longest is begun first, `GAMES_IN_TURN` at a time. At the end of
    the `with` block all workers and engines are gone, and what was not finished is given up.
    """

    def __init__(self, rules: CrewRules, deliver: Deliver) -> None:
        self.rules = rules
        self.deliver = deliver
        self.stopping = threading.Event()
        self._todo: PriorityQueue[_Try] = PriorityQueue()
        self._numbers = itertools.count(1)
        self._workers: list[_Worker] = []

    def __enter__(self) -> EngineCrew:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def engine_id(self) -> EngineId:
        """Which engine it is."""
        return self.rules.engine_id

    def submit(self, sequence: PositionSequence) -> None:
        """Have a game evaluated; its outcome is delivered when it is there."""
        number = next(self._numbers)
        self.put(_Try(urgency(sequence, number), number, sequence, 1))
        if len(self._workers) < self.rules.workers and not self.stopping.is_set():
            worker = _Worker(self)
            self._workers.append(worker)
            worker.start()

    def stop(self) -> None:
        """End all workers and their engines, whatever they are doing."""
        self.stopping.set()
        for worker in self._workers:
            self.put(_NOTHING_MORE)
            worker.kill_engine()
        for worker in self._workers:
            worker.join()
        self._workers = []

    def put(self, attempt: _Try) -> None:
        """For whichever worker is free next."""
        self._todo.put(attempt)

    def next_try(self) -> _Try | None:
        """Waits until there is one; None when the crew is to stop."""
        attempt = self._todo.get()
        return None if self.stopping.is_set() else attempt


def urgency(sequence: PositionSequence, arrival: int) -> tuple[int, int]:
    """The smaller, the sooner it is begun; `arrival` counts the games from 1."""
    return (arrival - 1) // GAMES_IN_TURN, -len(sequence.moves_uci)


@dataclass(frozen=True, slots=True, order=True)
class _Try:
    """Sorted by urgency, then by order of arrival."""

    urgency: tuple[int, int]
    arrival: int
    sequence: PositionSequence = field(compare=False)
    number: int = field(compare=False)


_NOTHING_MORE = _Try((-1, 0), 0, PositionSequence(game_id="", start_fen="", moves_uci=()), 0)


class _Worker(threading.Thread):
    """Takes games from its crew, one after another, with an engine of its own."""

    def __init__(self, crew: EngineCrew) -> None:
        super().__init__(name="movelo engine worker", daemon=True)
        self._crew = crew
        self._rules = crew.rules
        self._engine: Stockfish | None = None
        self._failures_in_a_row = 0

    def run(self) -> None:
        try:
            while attempt := self._crew.next_try():
                self._work_on(attempt)
        except BaseException as error:  # the caller's thread raises it
            self._crew.deliver(error)
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
            with self._rules.cores:
                evals = engine.evaluate(game, self._rules.limit, self._rules.deadline_seconds)
            self._failures_in_a_row = 0
            self._crew.deliver(evals)
        except InputError as error:
            self._crew.deliver(EngineFailure(game_id=game.game_id, reason=str(error)))
        except EngineError as error:
            self._give_back(attempt, error)

    def _give_back(self, attempt: _Try, error: EngineError) -> None:
        """Leave the game to whichever engine is free next, or to nobody after the last try."""
        self._discard_engine()
        self._failures_in_a_row += 1
        if self._crew.stopping.is_set():
            return
        if attempt.number < self._rules.max_tries:
            _log.warning("%s (try %d of %d)", error, attempt.number, self._rules.max_tries)
            self._crew.put(replace(attempt, number=attempt.number + 1))
        else:
            reason = english("{error} (tried {number} times)").format(
                error=error, number=attempt.number
            )
            failure = EngineFailure(game_id=attempt.sequence.game_id, reason=reason)
            self._crew.deliver(failure)

    def _start_engine(self) -> Stockfish:
        """A running engine, after the wait that earlier failures ask for."""
        for tries_left in reversed(range(self._rules.max_tries)):
            if self._failures_in_a_row:
                self._crew.stopping.wait(self._rules.back_off(self._failures_in_a_row))
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
        self._engine = self._rules.new_engine()
        if self._crew.stopping.is_set():  # whoever stops the crew may not have seen this engine
            raise stopped()
        self._engine.start()
        return self._engine

    def _discard_engine(self) -> None:
        if self._engine is not None:
            self._engine.close()
        self._engine = None


def stopped() -> EngineDied:
    """What whoever still waits is told once the work was stopped."""
    return EngineDied(_("the evaluation was stopped before its end; start it again"))
