"""What the commands work with: the store, the model, an engine, Lichess. Nothing starts early."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from config.settings import EngineSettings, LichessSettings, Settings, data_folder
from config.version import version
from engines.cores import usable_cores
from engines.evals import SearchLimit, policy_with
from engines.maia_pool import MaiaPool
from engines.pool import EnginePool
from pipeline.cli.engine_choice import chosen_engine
from pipeline.cli.human_model_choice import wanted_human_model
from pipeline.cli.progress import TerminalProgress
from pipeline.fetch.lichess import Lichess
from pipeline.fetch.session import lichess_session
from pipeline.human_moves import OpenHumanModel
from pipeline.progress import Progress
from pipeline.run import Workshop
from pipeline.store import Store
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.pairing_estimate import check_pairing


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
    progress = TerminalProgress(Console(stderr=True))
    with Store(store_file()) as store, progress:
        yield Workshop(
            store=store,
            estimator=model,
            pairing_speeds=pairing_speeds,
            limit=limit,
            open_evaluator=lambda: engine_pool(settings.engine, limit, workers, engine),
            open_human_model=_open_human_model(settings, workers),
            progress=progress,
            now=datetime.now(UTC),
        )


def _pairing_speeds(model: StrengthModel, settings: Settings) -> tuple[str, ...]:
    return check_pairing(model, with_human_model=wanted_human_model(settings) is not None)


def _open_human_model(settings: Settings, workers: int | None) -> OpenHumanModel | None:
    if not settings.strength.human_model:
        return None

    def opened() -> MaiaPool | None:
        path = wanted_human_model(settings)
        threads = workers or settings.engine.workers or usable_cores()
        return None if path is None else MaiaPool(path, workers=threads)

    return opened


def engine_pool(
    settings: EngineSettings, limit: SearchLimit, workers: int | None, engine: Path | None
) -> EnginePool:
    """Not yet started; EngineNotFound says how to get one."""
    return EnginePool(
        chosen_engine(settings, engine),
        workers=workers or settings.workers or usable_cores(),
        limit=limit,
        hash_mebibytes=settings.hash_mebibytes,
        options=settings.uci_options(),
    )


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
