"""Engines for what is left of a player's games when they are reported on: mostly nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from engines.evals import EngineFailure, EngineId, PositionSequence
from engines.late_crew import LateCrew
from pipeline.evaluation import Deliver, Evaluator
from pipeline.workshop import Workshop


class SecondTries:
    """What the first try, ahead of the reports, found out: which engine it is, and where it fails.

    A failure is told once instead of being sought again; whoever asks another time has the game
    tried anew.
    """

    def __init__(self) -> None:
        self._engine_id: EngineId | None = None
        self._failures: dict[str, EngineFailure] = {}

    def add(self, failure: EngineFailure) -> None:
        """To be told to the next one who asks for this game."""
        self._failures[failure.game_id] = failure

    def first_tried_in(self, workshop: Workshop) -> Workshop:
        """For who works ahead: notes which engine it is."""

        @contextmanager
        def opened(deliver: Deliver) -> Iterator[Evaluator]:
            with workshop.open_evaluator(deliver) as evaluator:
                self._engine_id = evaluator.engine_id
                yield evaluator

        return replace(workshop, open_evaluator=opened)

    def tried_in(self, workshop: Workshop) -> Workshop:
        """For who reports: engines are started for what nobody has tried."""

        @contextmanager
        def opened(deliver: Deliver) -> Iterator[Evaluator]:
            with self._late(workshop, deliver) as evaluator:
                yield _Telling(evaluator, self._failures, deliver)

        return replace(workshop, open_evaluator=opened)

    def _late(
        self, workshop: Workshop, deliver: Deliver
    ) -> AbstractContextManager[LateCrew | Evaluator]:
        if self._engine_id is None:
            return workshop.open_evaluator(deliver)
        return LateCrew(self._engine_id, lambda: workshop.open_evaluator(deliver))


class _Telling:
    def __init__(
        self, evaluator: Evaluator, failures: dict[str, EngineFailure], deliver: Deliver
    ) -> None:
        self._evaluator = evaluator
        self._failures = failures
        self._deliver = deliver

    @property
    def engine_id(self) -> EngineId:
        return self._evaluator.engine_id

    def submit(self, sequence: PositionSequence) -> None:
        failure = self._failures.pop(sequence.game_id, None)
        if failure is None:
            self._evaluator.submit(sequence)
        else:
            self._deliver(failure)
