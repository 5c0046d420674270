"""How all tests run: these machines are shared, so a slow example is no failure.

Whatever the machine speaks, movelo speaks English here; tests of languages say so themselves.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings
from loaded_movelo import LoadedMovelo

settings.register_profile("movelo", deadline=None)
settings.load_profile("movelo")
os.environ["MOVELO_LANG"] = "en"


@pytest.fixture(scope="session")
def loaded() -> Iterator[LoadedMovelo]:
    with LoadedMovelo() as loaded:
        yield loaded
