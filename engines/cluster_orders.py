"""What is sent to Dask workers and comes back from them. Nothing here knows Dask."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from engines.evals import EngineFailure, GameEvals, SearchLimit
from engines.human_likelihoods import HumanLikelihoods
from engines.maia_pool import HumanMoveFailure
from engines.uci_options import OptionValue

Facts: TypeAlias = tuple[tuple[str, str], ...]
"""What a worker works with, as (name, value): workers with the same facts find the same numbers.

Names are those of `cluster_facts`; a fact that is not there is no tuple.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOrder:
    """How games are to be evaluated in one run (`run_id`), everywhere.

    `engine` None lets each worker find its own. `expected` are the facts that all workers agree
    on; None while that is not known.
    """

    run_id: str
    engine: Path | None
    limit: SearchLimit
    hash_mebibytes: int
    options: tuple[tuple[str, OptionValue], ...]
    expected: Facts | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanOrder:
    """How games are to be read by the human-move model in one run; `provider` as for `MaiaModel`.

    The rest as for an `EngineOrder`.
    """

    run_id: str
    provider: str
    expected: Facts | None = None


Order: TypeAlias = EngineOrder | HumanOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Why a worker could not finish a game that another might; `reason` is for a person.

    "failed": its engine died or hung. "not started": its engine could not even be started.
    "unfit": it can't work, or (`facts`) works with something else than the others do.
    """

    kind: Literal["failed", "not started", "unfit"]
    reason: str
    worker: str
    facts: Facts | None = None


EngineOutcome: TypeAlias = GameEvals | EngineFailure
HumanOutcome: TypeAlias = HumanLikelihoods | HumanMoveFailure
Answer: TypeAlias = EngineOutcome | HumanOutcome | Trouble
