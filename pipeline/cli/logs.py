"""What a server and its workers have to say, where their keeper looks."""

from __future__ import annotations

import logging


def log_to_stderr() -> None:
    """From warnings on, one a line, with the time."""
    logging.basicConfig(
        level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
