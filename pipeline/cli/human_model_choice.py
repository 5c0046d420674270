"""Which human-move model a command uses: the installed one, unless the settings do without."""

from __future__ import annotations

from pathlib import Path

from config.settings import Settings, data_folder
from engines.maia_install import find_model


def wanted_human_model(settings: Settings) -> Path | None:
    """Where it is; None when it is not wanted, or not installed.

    A GPU reads the float32 network, if that is installed.
    """
    if not settings.strength.human_model:
        return None
    on_cpu = settings.strength.human_model_provider == "cpu"
    float32 = None if on_cpu else find_model(data_folder(), float32=True)
    return float32 or find_model(data_folder())
