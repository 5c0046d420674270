"""A folder for one attempt at installing something: gone afterwards, whatever happened."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PREFIX = ".installing-"
_ABANDONED_AFTER_SECONDS = 3600.0


@contextmanager
def attempt_folder(parent: Path) -> Iterator[Path]:
    """A new folder in `parent`, beside the target so that the last step is one rename.

    What a killed movelo left there is removed too. OSError where `parent` can't be written.
    """
    parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(parent)
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=parent) as folder:
        yield Path(folder)


def _remove_abandoned(parent: Path) -> None:
    """A recent folder may belong to a movelo that is at work."""
    oldest = time.time() - _ABANDONED_AFTER_SECONDS
    for folder in parent.glob(f"{_PREFIX}*"):
        if folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)
