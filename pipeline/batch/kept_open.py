"""Engines and the human-move model, started for the first player that needs them, not for each."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace

from engines.evals import EngineFailure, EngineId, GameEvals, PositionSequence
from pipeline.evaluation import Deliver, Evaluator, OpenEvaluator
from pipeline.human_moves import Deliver as DeliverReading
from pipeline.human_moves import HumanMoveCrew, HumanMoveReader, OpenHumanModel
from pipeline.workshop import Workshop


class KeptOpen:
    """A context manager, at whose end they stop. One player's report at a time."""

    def __init__(self, workshop: Workshop) -> None:
        self._engines = _KeptEngines(workshop.open_evaluator)
        self._humans = (
            None
            if workshop.open_human_model is None
            else _KeptHumanModel(workshop.open_human_model)
        )
        self.workshop = replace(
            workshop,
            open_evaluator=self._engines.opened,
            open_human_model=None if self._humans is None else self._humans.opened,
        )

    def __enter__(self) -> KeptOpen:
        return self

    def __exit__(self, *_: object) -> None:
        self._engines.close()
        if self._humans is not None:
            self._humans.close()


class _KeptEngines:
    """Whoever evaluates, for one listener after the other."""

    def __init__(self, open_evaluator: OpenEvaluator) -> None:
        self._open = open_evaluator
        self._stack = ExitStack()
        self._evaluator: Evaluator | None = None
        self._listener: _Listener | None = None
        self._is_broken = False

    @contextmanager
    def opened(self, deliver: Deliver) -> Iterator[Evaluator]:
        """What is still being evaluated when a listener goes is given up, with the engines."""
        if self._is_broken:
            self.close()
        if self._evaluator is None:
            self._evaluator = self._stack.enter_context(self._open(self._delivered))
        listener = self._listener = _Listener(self._evaluator, deliver)
        try:
            yield listener
        finally:
            self._listener = None
            if listener.is_waiting:
                self.close()

    def close(self) -> None:
        """The next one that is needed is a new one."""
        self._evaluator = None
        self._stack.close()
        self._is_broken = False

    def _delivered(self, outcome: GameEvals | EngineFailure | BaseException) -> None:
        self._is_broken |= isinstance(outcome, BaseException)
        if (listener := self._listener) is not None:
            listener.delivered(outcome)


class _Listener:
    """The games of one player, and how many of them are still out."""

    def __init__(self, evaluator: Evaluator, deliver: Deliver) -> None:
        self._evaluator = evaluator
        self._deliver = deliver
        self._lock = threading.Lock()
        self._out = 0

    @property
    def engine_id(self) -> EngineId:
        """Who evaluates."""
        return self._evaluator.engine_id

    @property
    def is_waiting(self) -> bool:
        """Whether something is to come yet."""
        return self._out > 0

    def submit(self, sequence: PositionSequence) -> None:
        """Have a game evaluated."""
        with self._lock:
            self._out += 1
        self._evaluator.submit(sequence)

    def delivered(self, outcome: GameEvals | EngineFailure | BaseException) -> None:
        """From whichever thread."""
        with self._lock:
            self._out -= 1
        self._deliver(outcome)


class _KeptHumanModel:
    """A reader that is entered once; its crews, threads that begin at once, are each player's."""

    def __init__(self, open_model: OpenHumanModel) -> None:
        self._open = open_model
        self._stack = ExitStack()
        self._reader: HumanMoveReader | None = None
        self._is_entered = False

    def opened(self) -> HumanMoveReader | None:
        """None as long as it is not installed."""
        if self._reader is None:
            self._reader = self._open()
        return None if self._reader is None else self

    @property
    def network(self) -> str:
        """Which network reads."""
        return self._known.network

    def __enter__(self) -> HumanMoveReader:
        if not self._is_entered:
            self._stack.enter_context(self._known)
            self._is_entered = True
        return self

    def __exit__(self, *_: object) -> None:
        """It stays, for the next player."""

    def crew(self, deliver: DeliverReading) -> AbstractContextManager[HumanMoveCrew]:
        """Who reads games that come one by one."""
        return self._known.crew(deliver)

    def close(self) -> None:
        """Nobody reads any more."""
        self._stack.close()
        self._reader, self._is_entered = None, False

    @property
    def _known(self) -> HumanMoveReader:
        if self._reader is None:
            raise RuntimeError("nobody knows which network reads")
        return self._reader
