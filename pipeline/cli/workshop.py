"""What the commands work with: the store, the model, an engine, Lichess. Nothing starts early."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from config.settings import EngineSettings, LichessSettings, Settings, data_folder
from config.version import version
from engines.cores import usable_cores
from engines.crew import Deliver, EngineCrew
from engines.evals import SearchLimit, policy_with
from engines.maia_pool import MaiaPool
from engines.pool import EnginePool
from pipeline.cli.engine_choice import chosen_engine
from pipeline.cli.human_model_choice import wanted_human_model
from pipeline.cli.progress import TerminalProgress
from pipeline.fetch.lichess import Lichess
from pipeline.fetch.session import lichess_session
from pipeline.progress import Progress
from pipeline.store import Store
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
) -> Iterator[Workshop]:
    """Everything a report needs; progress goes to standard error.

    ModelError when the pairing is wanted and can't be had.
    """
    model = StrengthModel.load()
    pairing_speeds = _pairing_speeds(model, settings) if with_pairing else ()
    limit = search_limit(settings.engine, nodes)
    room = _MachineRoom(settings, limit, workers or settings.engine.workers or usable_cores())
    progress = TerminalProgress(Console(stderr=True))
    with Store(store_file()) as store, progress:
        yield Workshop(
            store=store,
            estimator=model,
            pairing_speeds=pairing_speeds,
            limit=limit,
            open_evaluator=lambda deliver: room.engines(engine, deliver),
            open_human_model=room.human_model if settings.strength.human_model else None,
            progress=progress,
            now=datetime.now(UTC),
        )


class _MachineRoom:
    """Engines and the human-move model, which share `workers` cores."""

    def __init__(self, settings: Settings, limit: SearchLimit, workers: int) -> None:
        self._settings = settings
        self._limit = limit
        self._workers = workers
        self._cores = threading.Semaphore(workers)

    @contextmanager
    def engines(self, path: Path | None, deliver: Deliver) -> Iterator[EngineCrew]:
        """EngineNotFound says how to get one."""
        settings = self._settings.engine
        with (
            EnginePool(
                chosen_engine(settings, path),
                workers=self._workers,
                limit=self._limit,
                hash_mebibytes=settings.hash_mebibytes,
                options=settings.uci_options(),
                cores=self._cores,
            ) as pool,
            pool.crew(deliver) as crew,
        ):
            yield crew

    def human_model(self) -> MaiaPool | None:
        """None when it is not installed."""
        path = wanted_human_model(self._settings)
        if path is None:
            return None
        return MaiaPool(path, workers=self._workers, cores=self._cores)


def _pairing_speeds(model: StrengthModel, settings: Settings) -> tuple[str, ...]:
    return check_pairing(model, with_human_model=wanted_human_model(settings) is not None)


def search_limit(settings: EngineSettings, nodes: int) -> SearchLimit:
    """How evaluations are made, in words that tell apart whatever gives other numbers."""
    policy = policy_with(settings.uci_options(), hash_mebibytes=settings.hash_mebibytes)
    return SearchLimit(nodes_per_position=nodes, policy=policy)


def lichess(settings: LichessSettings, progress: Progress) -> Lichess:
    """The client, with the token of LICHESS_TOKEN if there is one."""
    session = lichess_session(
        token=os.environ.get("LICHESS_TOKEN") or None,
        user_agent=user_agent(settings),
        connect_timeout_seconds=settings.connect_timeout_seconds,
        read_timeout_seconds=settings.read_timeout_seconds,
    )
    return Lichess(session, base_url=settings.base_url, sleep=time.sleep, on_notice=progress.say)


def user_agent(settings: LichessSettings) -> str:
    """Who asks, as Lichess wants to know it."""
    return settings.user_agent.format(version=version(), contact=settings.contact)


def store_file() -> Path:
    """Where games and evaluations are kept."""
    return data_folder() / "movelo.sqlite"
