"""Who else is asked for evaluations, if the settings want it: Lichess's cloud, its tablebase."""

from __future__ import annotations

import time
from collections.abc import Mapping

from config.language import english
from config.settings import EngineSettings, Settings
from engines.evals import KnownEval, PositionSequence
from pipeline.cli.lichess_client import session
from pipeline.evaluation import AskOthers
from pipeline.fetch.cloud_evals import CloudEvals
from pipeline.fetch.tablebase import Tablebase
from pipeline.known_positions import known_positions
from pipeline.progress import Progress

_TOGETHER = english("Lichess's cloud and its tablebase")  # as a report's note joins them


def others_names(settings: EngineSettings) -> tuple[str, ...]:
    """Those that are asked, as a report calls them."""
    asked = {
        english("Lichess's cloud"): settings.lichess_cloud,
        english("its tablebase"): settings.lichess_tablebase,
    }
    return tuple(name for name, is_asked in asked.items() if is_asked)


def who_else_is_asked(settings: Settings, progress: Progress) -> AskOthers | None:
    """None when the settings leave it all to the engine."""
    if not others_names(settings.engine):
        return None
    cloud = _cloud(settings, progress) if settings.engine.lichess_cloud else None
    tablebase = _tablebase(settings, progress) if settings.engine.lichess_tablebase else None

    def ask(positions: PositionSequence) -> Mapping[int, KnownEval]:
        return known_positions(positions, cloud=cloud, tablebase=tablebase)

    return ask


def _cloud(settings: Settings, progress: Progress) -> CloudEvals:
    return CloudEvals(
        session(settings.lichess),
        base_url=settings.lichess.base_url,
        sleep=time.sleep,
        on_notice=progress.say,
    )


def _tablebase(settings: Settings, progress: Progress) -> Tablebase:
    """Another host: it gets no token."""
    return Tablebase(
        session(settings.lichess, with_token=False),
        base_url=settings.lichess.tablebase_url,
        sleep=time.sleep,
        on_notice=progress.say,
    )
