"""Engines that are started when a game comes, and not to be asked for their name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Protocol, TypeAlias

from config.errors import EngineError
from config.language import _
from engines.evals import EngineId, PositionSequence


class Crew(Protocol):
    """What is used of an `EngineCrew`."""

    @property
    def engine_id(self) -> EngineId:
        """Which engine it is."""
        ...

    def submit(self, sequence: PositionSequence) -> None:
        """Have a game evaluated."""
        ...


OpenCrew: TypeAlias = Callable[[], AbstractContextManager[Crew]]


class LateCrew:
    """A crew of engines that begins with its first game; use as a context manager.

    `engine_id` is what the engine called itself before.
    """

    def __init__(self, engine_id: EngineId, open_crew: OpenCrew) -> None:
        self.engine_id = engine_id
        self._open_crew = open_crew
        self._crew: Crew | None = None
        self._stack = ExitStack()

    def __enter__(self) -> LateCrew:
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

    def submit(self, sequence: PositionSequence) -> None:
        """Have a game evaluated. EngineError when the engine is not the one it was."""
        if self._crew is None:
            self._crew = self._stack.enter_context(self._open_crew())
        if self._crew.engine_id != self.engine_id:
            raise EngineError(
                _("the engine calls itself {now}, and called itself {before}; start again").format(
                    now=_described(self._crew.engine_id), before=_described(self.engine_id)
                )
            )
        self._crew.submit(sequence)


def _described(engine: EngineId) -> str:
    return engine.name if engine.network is None else f"{engine.name} ({engine.network})"
