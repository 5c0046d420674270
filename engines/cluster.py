"""The engine pool's face, and the human-move model's, on the workers of a Dask cluster."""

from __future__ import annotations

import logging
import pickle
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from config.language import _
from config.version import version
from engines import cluster_tasks
from engines.cluster_check import checked_facts
from engines.cluster_client import Connection, connected
from engines.cluster_crew import ClusterCrew
from engines.cluster_orders import EngineOrder, Facts, HumanOrder, Order
from engines.cluster_rules import ClusterRules, Failure
from engines.cluster_workers import scheduler_address
from engines.crew import Deliver as DeliverEvals
from engines.evals import EngineFailure, EngineId, SearchLimit
from engines.maia_pool import Deliver as DeliverReading
from engines.maia_pool import HumanMoveFailure
from engines.uci_options import OptionValue

_log = logging.getLogger(__name__)
_EVALUATE, _READ = "evaluate", "read-human"
_END_SECONDS = 10.0
_MAX_TRIES = 3

_Order = TypeVar("_Order", EngineOrder, HumanOrder)


class Cluster:
    """A Dask cluster at `address`, or LOCAL; use as a context manager.

    Nothing is connected before somebody evaluates or reads; at the end nothing of this run goes
    on there. `workers` are for LOCAL. `wait_seconds`: how long a cluster may be without a
    worker. `say` tells a person what was found.
    """

    def __init__(
        self,
        address: str,
        *,
        workers: int,
        wait_seconds: float,
        say: Callable[[str], None],
        max_tries: int = _MAX_TRIES,
    ) -> None:
        self._address = address
        self._workers = workers
        self._wait_seconds = wait_seconds
        self._say = say
        self._max_tries = max_tries
        self._run_id = uuid.uuid4().hex[:8]
        self._stack = ExitStack()
        self._client: Connection | None = None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._client is not None:
                self._end_run(self._client)
        finally:
            self._client = None
            self._stack.close()

    @contextmanager
    def evaluator(
        self,
        deliver: DeliverEvals,
        *,
        engine: Path | None,
        limit: SearchLimit,
        hash_mebibytes: int,
        options: tuple[tuple[str, OptionValue], ...],
    ) -> Iterator[ClusterEvaluator]:
        """As `EngineCrew`: evaluates games that come one by one, on all workers.

        `engine` None lets each worker find its own Stockfish. EngineError when no scheduler or
        worker is there, or names the workers whose engines differ.
        """
        order = EngineOrder(
            run_id=self._run_id,
            engine=engine,
            limit=limit,
            hash_mebibytes=hash_mebibytes,
            options=options,
        )
        checked = self.checked(order)
        rules = self._rules(_EVALUATE, checked, EngineFailure)
        with ClusterEvaluator(self._connected(), rules, deliver) as crew:
            yield crew

    def human_model(self, provider: str, *, network: str | None) -> ClusterHumanModel | None:
        """As `MaiaPool`: all workers' human-move model; None when none of them has one.

        `network` is the one that is installed here, which they must have then; None when none
        is, and they must agree. EngineError as for `evaluator`.
        """
        order = HumanOrder(run_id=self._run_id, provider=provider)
        if network is not None:
            return ClusterHumanModel(self, order, network)
        found = dict(self.checked(order).expected or ())["human-move model"]
        return ClusterHumanModel(self, order, found) if found else None

    def reader(self, order: HumanOrder, deliver: DeliverReading) -> ClusterCrew:
        """Reads games that come one by one; `order` was checked."""
        rules = self._rules(_READ, order, HumanMoveFailure)
        return ClusterCrew(self._connected(), rules, deliver)

    def checked(self, order: _Order, known: Facts = ()) -> _Order:
        """The order with what all workers agree on, `known` among it; EngineError if they don't."""
        known = (("movelo", version()), *known)
        facts = checked_facts(
            self._connected(), order, known=known, wait_seconds=self._wait_seconds
        )
        return replace(order, expected=facts)

    def _connected(self) -> Connection:
        if self._client is None:
            connection = connected(
                self._address, workers=self._workers, name=f"movelo-{self._run_id}"
            )
            self._client = self._stack.enter_context(connection)
            self._tell(self._client)
        return self._client

    def _tell(self, client: Connection) -> None:
        self._say(
            _("On the Dask cluster at {address}; its dashboard is {dashboard}").format(
                address=scheduler_address(client), dashboard=client.dashboard_link
            )
        )

    def _rules(self, stage: str, order: Order, failure: Failure) -> ClusterRules:
        return ClusterRules(
            stage=stage,
            run_id=self._run_id,
            order=pickle.dumps(order),
            expected=order.expected or (),
            failure=failure,
            max_tries=self._max_tries,
            without_workers_seconds=self._wait_seconds,
        )

    def _end_run(self, client: Connection) -> None:
        """In a thread, for a worker or scheduler that does not answer must not hold up the end."""
        if client.status != "running":
            return
        ending = threading.Thread(target=self._end_on_workers, args=(client,), daemon=True)
        ending.start()
        ending.join(_END_SECONDS)

    def _end_on_workers(self, client: Connection) -> None:
        try:
            client.run(cluster_tasks.end_run, self._run_id, on_error="ignore")
        except Exception as error:  # the workers' own, or a scheduler that is gone
            _log.debug("the run was not ended everywhere", exc_info=error)


class ClusterEvaluator(ClusterCrew):
    """A `ClusterCrew` that evaluates."""

    @property
    def engine_id(self) -> EngineId:
        """Which engine all workers have."""
        facts = dict(self.expected)
        return EngineId(name=facts["engine"], network=facts["network"] or None)


@dataclass(slots=True)
class ClusterHumanModel:
    """The human-move model of all workers; use as a context manager, whose beginning checks it."""

    _cluster: Cluster
    _order: HumanOrder
    network: str

    def __enter__(self) -> ClusterHumanModel:
        self._order = self._cluster.checked(self._order, (("human-move model", self.network),))
        return self

    def __exit__(self, *_: object) -> None:
        """The cluster goes on."""

    def crew(self, deliver: DeliverReading) -> ClusterCrew:
        """Has games read that come one by one."""
        return self._cluster.reader(self._order, deliver)
