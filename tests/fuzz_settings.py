"""Whatever stands in movelo.toml or in MOVELO_… variables is a setting or a sentence.

    python tests/fuzz_settings.py --seconds 600

See `fuzz_driver` for what else it can be told.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from fuzz_driver import main

from config.errors import MoveloError
from config.language import LANGUAGES, retold, speaking
from config.settings import load_settings, store_place
from config.user_file import user_file
from pipeline.cli.language import chosen_language
from pipeline.store.place import place_of

SEPARATOR = b"\n====\n"
"""Between the file and the variables, one a line."""

VARIABLES = b"""\
MOVELO_ENGINE__WORKERS=2
MOVELO_GAMES__SPEEDS=["blitz"]
MOVELO_ENGINE__OPTIONS={"Contempt": 1}
MOVELO_REPORT__LANGUAGE=fr
MOVELO_STORE__URL=postgresql://me:S3cret-word@localhost:5432/movelo
MOVELO_WEB={"port": 8008}
MOVELO_LANG=pt_BR.UTF-8
"""
SECRET = "S3cret-word"


def seeds() -> tuple[bytes, ...]:
    """The shipped settings, whole and by section, without and with variables."""
    whole = resources.files("config").joinpath("defaults.toml").read_bytes()
    sections = [b"[" + part for part in whole.split(b"\n[")[1:]]
    return whole + SEPARATOR, SEPARATOR + VARIABLES, *(part + SEPARATOR for part in sections)


def check_settings(data: bytes) -> None:
    """Read them as every command does at its start."""
    toml, _separator, variables = data.partition(SEPARATOR)
    with tempfile.TemporaryDirectory() as folder, _environment(variables):
        file = Path(folder) / "movelo.toml"
        file.write_bytes(toml)
        os.environ["MOVELO_CONFIG"] = str(file)
        try:
            assert chosen_language([], os.environ, user_file()) in LANGUAGES
            settings = load_settings()
            settings.engine.uci_options()
            settings.engine.nodes()
            assert SECRET not in f"{settings.store!r}"
            shown = str(place_of(store_place(settings)))
        except MoveloError as error:
            shown = str(error)
            assert len(shown) < 5000, len(shown)
            with speaking("fr"):
                retold(shown)
        if f":{SECRET}@".encode() in data:  # still a password
            assert SECRET not in shown, shown


@contextmanager
def _environment(variables: bytes) -> Iterator[None]:
    """Only what an operating system would let through, and nothing of the real ones."""
    before = dict(os.environ)
    try:
        for name in [name for name in os.environ if name.startswith("MOVELO_")]:
            del os.environ[name]
        for line in map(os.fsdecode, variables.split(b"\n")):
            variable, equals, value = line.partition("=")
            if equals and variable.startswith("MOVELO_") and "\0" not in line:
                os.environ[variable] = value
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


if __name__ == "__main__":
    main(check_settings, seeds())
