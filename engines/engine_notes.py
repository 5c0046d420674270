"""What an engine called itself when it was last started: it need not be started to be named."""

from __future__ import annotations

import json
import logging
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

from engines.evals import EngineId
from engines.stockfish import EngineOptions

_log = logging.getLogger(__name__)

_FILE = "engines.json"
_MOST_NOTES = 20
_SCRIPT = b"#!"
"""A script starts a program that may change while it does not."""


class EngineNotes:
    """Notes in a folder, by the engine's file (where it is, its size, its time) and options."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / _FILE

    def engine_id(self, path: Path, options: EngineOptions) -> EngineId | None:
        """What the engine in `path` is; None where that is not known, or not sure."""
        noted = self._read().get(_key(path, options) or "")
        try:
            return None if noted is None else EngineId(name=noted["name"], network=noted["network"])
        except (TypeError, KeyError):
            return None

    def note(self, path: Path, options: EngineOptions, engine_id: EngineId) -> None:
        """Remember it; where it cannot be written down, it is asked again."""
        key = _key(path, options)
        notes = self._read()
        entry = {"name": engine_id.name, "network": engine_id.network}
        if key is None or notes.get(key) == entry:
            return
        notes.pop(key, None)
        newest = dict([*notes.items(), (key, entry)][-_MOST_NOTES:])
        unfinished = self._file.with_name(f"{_FILE}.{os.getpid()}.part")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(json.dumps(newest, indent=1), encoding="utf-8")
            unfinished.replace(self._file)
        except OSError as error:
            _log.info("the engine's name is not noted: %s", error)

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def _key(path: Path, options: EngineOptions) -> str | None:
    """Another file at the same place has another one; None for one that may not be told apart."""
    try:
        program = path.resolve(strict=True)
        with program.open("rb") as file:
            is_script = file.read(len(_SCRIPT)) == _SCRIPT
        state = program.stat()
    except OSError:
        return None
    told = [str(program), state.st_size, state.st_mtime_ns, sorted(map(list, options), key=repr)]
    return None if is_script else sha256(json.dumps(told).encode()).hexdigest()[:32]
