"""Engines for what is left of a player's games when they are reported on: mostly nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace

from engines.evals import EngineFailure, EngineId, PositionSequence
from engines.late_crew import LateCrew
from pipeline.evaluation import Deliver, Evaluator
from pipeline.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTries:
    """What was found out: which engine it is, None where nobody knows yet; the failures by game."""

    engine_id: EngineId | None = None
    failures: Mapping[str, EngineFailure] = field(default_factory=dict)


class SecondTries:
    """What the first try, ahead of the reports, found out.

    A failure is told once instead of being sought again; whoever asks another time has the game
    tried anew.
    """

    def __init__(self, first: FirstTries | None = None) -> None:
        first = first or FirstTries()
        self._engine_id = first.engine_id
        self._failures = dict(first.failures)

    @property
    def first(self) -> FirstTries:
        """What has been found out by now, and not been told."""
        return FirstTries(engine_id=self._engine_id, failures=dict(self._failures))

    def add(self, failure: EngineFailure) -> None:
        """To be told to the next one who asks for this game."""
        self._failures[failure.game_id] = failure

    def forget(self, told: Iterable[str]) -> None:
        """These games' failures have been told elsewhere."""
        for game_id in told:
            self._failures.pop(game_id, None)

    def first_tried_in(self, workshop: Workshop) -> Workshop:
        """For who works ahead: notes which engine it is."""

        @contextmanager
        def opened(deliver: Deliver) -> Iterator[Evaluator]:
            with workshop.open_evaluator(deliver) as evaluator:
                self._engine_id = evaluator.engine_id
                yield evaluator

        return replace(workshop, open_evaluator=opened)

    def tried_in(self, workshop: Workshop) -> Workshop:
        """For who reports: engines are started for what nobody has tried, and it is noted, too."""

        @contextmanager
        def opened(deliver: Deliver) -> Iterator[Evaluator]:
            with self._late(workshop, deliver) as evaluator:
                self._engine_id = evaluator.engine_id
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
