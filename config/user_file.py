"""The user's own settings: where they are."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def user_file() -> Path:
    """The user's own settings, whether or not the file exists (`MOVELO_CONFIG` moves it)."""
    named = os.environ.get("MOVELO_CONFIG")
    return Path(named) if named else Path(platformdirs.user_config_dir("movelo")) / "movelo.toml"
