"""movelo's own version, as the installed package or the checkout states it."""

from __future__ import annotations

from importlib import metadata


def version() -> str:
    """Such as `0.1.0`; `0+unknown` when movelo runs without having been installed."""
    try:
        return metadata.version("movelo")
    except metadata.PackageNotFoundError:
        return "0+unknown"
