"""The engines of one Dask worker: kept open between games, one for each thread at work."""

from __future__ import annotations

import threading
from collections.abc import Callable

from config.errors import EngineError, EngineNotStarted, InputError
from engines.crew import stopped
from engines.evals import EngineFailure, GameEvals, PositionSequence, SearchLimit
from engines.pool import BackOff
from engines.stockfish import Stockfish

_KEPT_IDLE_SECONDS = 300.0


class EngineShelf:
    """Engines to be taken and put back, from any thread; gone after `stop`.

    Engines that nobody takes for `kept_idle_seconds` are closed: whoever ordered the work may
    have died without a word.
    """

    def __init__(
        self,
        new_engine: Callable[[], Stockfish],
        *,
        back_off: BackOff,
        kept_idle_seconds: float = _KEPT_IDLE_SECONDS,
    ) -> None:
        self._new_engine = new_engine
        self._back_off = back_off
        self._kept_idle_seconds = kept_idle_seconds
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._idle: list[Stockfish] = []
        self._taken: set[Stockfish] = set()
        self._failures_in_a_row = 0
        self._idle_timer: threading.Timer | None = None

    def evaluate(
        self, game: PositionSequence, limit: SearchLimit, deadline_seconds: float
    ) -> GameEvals | EngineFailure:
        """A game whose own fault it is comes back as an `EngineFailure`.

        Raises EngineDied or EngineHung, whose engine is then replaced, and `EngineNotStarted`.
        """
        engine = self._take()
        try:
            outcome = _outcome(engine, game, limit, deadline_seconds)
        except BaseException as error:
            self._failures_in_a_row += isinstance(error, EngineError)
            self._discard(engine)
            raise
        self._failures_in_a_row = 0
        self._put_back(engine)
        return outcome

    def stop(self) -> None:
        """End all engines, whatever they are doing; what is asked for afterwards fails."""
        self._stopping.set()
        with self._lock:
            taken = list(self._taken)
            self._stop_timer()
        for engine in taken:
            engine.kill()
        self._close_idle()

    def _take(self) -> Stockfish:
        """One that runs, after the wait that earlier failures ask for."""
        with self._lock:
            self._stop_timer()
            engine = self._idle.pop() if self._idle else None
            if engine is not None:
                self._taken.add(engine)
                return engine
        if self._failures_in_a_row:
            self._stopping.wait(self._back_off(self._failures_in_a_row))
        return self._start()

    def _start(self) -> Stockfish:
        engine = self._new_engine()
        with self._lock:
            self._taken.add(engine)
        try:
            if self._stopping.is_set():  # whoever stops may not have seen this engine
                raise stopped()
            engine.start()
        except EngineError as error:
            self._failures_in_a_row += 1
            self._discard(engine)
            raise EngineNotStarted(str(error)) from error
        return engine

    def _put_back(self, engine: Stockfish) -> None:
        with self._lock:
            self._taken.discard(engine)
            self._idle.append(engine)
            if not self._taken:
                self._stop_timer()
                self._idle_timer = threading.Timer(self._kept_idle_seconds, self._close_idle)
                self._idle_timer.daemon = True
                self._idle_timer.start()
        if self._stopping.is_set():
            self._close_idle()

    def _discard(self, engine: Stockfish) -> None:
        with self._lock:
            self._taken.discard(engine)
        engine.close()

    def _stop_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None

    def _close_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for engine in idle:
            engine.close()


def _outcome(
    engine: Stockfish, game: PositionSequence, limit: SearchLimit, deadline_seconds: float
) -> GameEvals | EngineFailure:
    try:
        return engine.evaluate(game, limit, deadline_seconds)
    except InputError as error:
        return EngineFailure(game_id=game.game_id, reason=str(error))
