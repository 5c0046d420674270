"""Which human-move model a command uses: the installed one, unless the settings do without."""

from __future__ import annotations

from pathlib import Path

from config.settings import Settings, data_folder
from engines.maia_install import find_model


def wanted_human_model(settings: Settings) -> Path | None:
    """Where it is; None when it is not wanted, or not installed."""
    return find_model(data_folder()) if settings.strength.human_model else None
