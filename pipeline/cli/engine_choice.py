"""Which engine a command uses: the one named, else the settings', else the first one found."""

from __future__ import annotations

import os
from pathlib import Path

from config.settings import EngineSettings, data_folder
from engines.find import find_engine


def chosen_engine(settings: EngineSettings, named: Path | None = None) -> Path:
    """Where it is; EngineNotFound says how to get one."""
    return find_engine(
        named or (Path(settings.path) if settings.path else None),
        environment=os.environ,
        data_folder=data_folder(),
    )
