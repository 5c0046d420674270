"""How a crew works on a cluster, and what it works on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from engines.cluster_orders import Facts
from engines.evals import PositionSequence

Deliver: TypeAlias = Callable[[Any], None]
"""Called in the crew's thread with each game's outcome, once; the caller's raises exceptions."""


class Failure(Protocol):
    """Makes the record of a game that is set aside."""

    def __call__(self, *, game_id: str, reason: str) -> Any:
        """With `reason` for a person."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterRules:
    """How a crew works. `stage` is what Dask's dashboard calls its tasks."""

    stage: str
    run_id: str
    order: bytes
    expected: Facts
    failure: Failure
    max_tries: int
    without_workers_seconds: float


@dataclass(frozen=True, slots=True, order=True)
class Attempt:
    """A game to be worked on; `tried` are the workers that failed on it.

    Sorted by `engines.crew.urgency`, then by order of arrival.
    """

    urgency: tuple[int, int]
    arrival: int
    sequence: PositionSequence = field(compare=False)
    tried: tuple[str, ...] = field(compare=False, default=())
