"""Empty stores: copies of one, for making the first takes ten times as long as opening it."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.store import Store


def made_store(file: Path) -> Path:
    """`file`, now a new store's."""
    file.write_bytes(_empty())
    return file


@cache
def _empty() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "store.sqlite"
        with Store(file):
            pass
        return file.read_bytes()
