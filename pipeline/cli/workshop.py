"""What the commands work with: the store, the model, an engine. Nothing starts early."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from config.errors import EngineError
from config.settings import EngineSettings, Settings, data_folder
from engines.cores import usable_cores
from engines.crew import Deliver, EngineCrew
from engines.engine_notes import EngineNotes
from engines.evals import EngineId, SearchLimit, policy_with
from engines.late_crew import LateCrew
from engines.maia_pool import MaiaPool
from engines.pool import EnginePool
from pipeline.cli.cluster_choice import ClusterRoom, cluster_room
from pipeline.cli.engine_choice import chosen_engine
from pipeline.cli.human_model_choice import wanted_human_model
from pipeline.cli.others import others_names, who_else_is_asked
from pipeline.cli.output import local_zone
from pipeline.cli.progress import TerminalProgress
from pipeline.cli.storage import open_store
from pipeline.progress import Progress
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.pairing_estimate import check_pairing
from pipeline.workshop import Workshop


@contextmanager
def workshop(
    settings: Settings,
    *,
    nodes: int,
    workers: int | None,
    engine: Path | None,
    with_pairing: bool = False,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Iterator[Workshop]:
    """Everything a report needs; progress goes to standard error unless `progress` is given.

    `cluster` is a Dask scheduler's address or `local`; None leaves it to the settings, where ""
    is this machine alone. ModelError when the pairing is wanted and can't be had.
    """
    model = StrengthModel.load()
    pairing_speeds = _pairing_speeds(model, settings) if with_pairing else ()
    limit = search_limit(settings.engine, nodes)
    terminal = TerminalProgress(Console(stderr=True))
    progress = progress or terminal
    opened = _room(settings, limit, workers, cluster, progress)
    with open_store(settings) as store, terminal, opened as room:
        yield Workshop(
            store=store,
            estimator=model,
            pairing_speeds=pairing_speeds,
            limit=limit,
            open_evaluator=lambda deliver: room.engines(engine, deliver),
            open_human_model=room.human_model if settings.strength.human_model else None,
            progress=progress,
            now=datetime.now(UTC),
            zone=local_zone(),
            ask_others=who_else_is_asked(settings, progress),
            others_names=others_names(settings.engine),
            noted_engine=lambda: room.noted_engine(engine),
        )


def _room(
    settings: Settings,
    limit: SearchLimit,
    workers: int | None,
    cluster: str | None,
    progress: Progress,
) -> AbstractContextManager[_MachineRoom | ClusterRoom]:
    at_once = cores_to_use(settings.engine, workers)
    address = settings.cluster.address if cluster is None else cluster
    if not address:
        return nullcontext(_MachineRoom(settings, limit, at_once))
    return cluster_room(address, settings, limit, workers=at_once, say=progress.say)


class _MachineRoom:
    """Engines and the human-move model, which share `workers` cores."""

    def __init__(self, settings: Settings, limit: SearchLimit, workers: int) -> None:
        self._settings = settings
        self._limit = limit
        self._workers = workers
        self._cores = threading.Semaphore(workers)
        self._notes = EngineNotes(data_folder())

    @contextmanager
    def engines(self, path: Path | None, deliver: Deliver) -> Iterator[EngineCrew | LateCrew]:
        """None is started to be asked for its name. EngineNotFound says how to get one."""
        chosen = chosen_engine(self._settings.engine, path)
        known = self._notes.engine_id(chosen, self._settings.engine.uci_options())
        if known is None:
            with self._started(chosen, deliver) as crew:
                yield crew
        else:
            with LateCrew(known, lambda: self._started(chosen, deliver)) as late:
                yield late

    def noted_engine(self, path: Path | None) -> EngineId | None:
        """None where it is not known, or where there is none."""
        try:
            chosen = chosen_engine(self._settings.engine, path)
        except EngineError:
            return None
        return self._notes.engine_id(chosen, self._settings.engine.uci_options())

    @contextmanager
    def _started(self, path: Path, deliver: Deliver) -> Iterator[EngineCrew]:
        settings = self._settings.engine
        options = settings.uci_options()
        with (
            EnginePool(
                path,
                workers=self._workers,
                limit=self._limit,
                hash_mebibytes=settings.hash_mebibytes,
                options=options,
                cores=self._cores,
            ) as pool,
            pool.crew(deliver) as crew,
        ):
            self._notes.note(path, options, pool.engine_id)
            yield crew

    def human_model(self) -> MaiaPool | None:
        """None when it is not installed."""
        path = wanted_human_model(self._settings)
        if path is None:
            return None
        return MaiaPool(
            path,
            workers=self._workers,
            cores=self._cores,
            provider=self._settings.strength.human_model_provider,
        )


def _pairing_speeds(model: StrengthModel, settings: Settings) -> tuple[str, ...]:
    return check_pairing(model, with_human_model=wanted_human_model(settings) is not None)


def cores_to_use(settings: EngineSettings, workers: int | None) -> int:
    """So many things that compute at once: what the command says, the settings, or all cores."""
    return workers or settings.workers or usable_cores()


def search_limit(settings: EngineSettings, nodes: int) -> SearchLimit:
    """How evaluations are made, in words that tell apart whatever gives other numbers."""
    others = ((f"asks {name}", True) for name in others_names(settings))
    policy = policy_with([*settings.uci_options(), *others], hash_mebibytes=settings.hash_mebibytes)
    return SearchLimit(nodes_per_position=nodes, policy=policy)
