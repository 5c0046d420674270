"""How all tests run: these machines are shared, so a slow example is no failure.

Whatever the machine speaks, movelo speaks English here; tests of languages say so themselves.
"""

import gc
import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings
from loaded_movelo import LoadedMovelo

settings.register_profile("movelo", deadline=None)
settings.load_profile("movelo")
os.environ["MOVELO_LANG"] = "en"

# The tests start movelo hundreds of times, and each start would compile it anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_finish() -> None:
    """What was loaded stays: the collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def loaded() -> Iterator[LoadedMovelo]:
    with LoadedMovelo() as loaded:
        yield loaded
