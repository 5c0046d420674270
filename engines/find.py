"""Find a Stockfish on this machine, and make sure that a program is one."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from config.errors import EngineNotFound
from config.language import _, english, retold
from engines.evals import EngineId
from engines.stockfish import Stockfish

USUAL_FOLDERS = (Path("/usr/games"), Path("/usr/local/bin"), Path("/opt/homebrew/bin"))
"""Where packages put it: Debian's folder is not on the PATH of root or cron."""

_HINTS = {
    "Linux": "sudo apt install stockfish",
    "Darwin": "brew install stockfish",
    "Windows": "winget install --id Stockfish.Stockfish --exact",
}


def find_engine(
    explicit: Path | None,
    *,
    environment: Mapping[str, str],
    data_folder: Path,
    usual_folders: Sequence[Path] = USUAL_FOLDERS,
) -> Path:
    """The engine to use: `explicit`, else STOCKFISH_PATH, else the first one that is there.

    Looked for in movelo's own data folder, on PATH, in `usual_folders`. Raises EngineNotFound
    when there is none, or when the one asked for is not there: no other takes its place.
    """
    search_path = environment.get("PATH", "")
    if explicit is not None:
        return _asked_for(explicit, search_path, english("the engine setting"))
    if environment.get("STOCKFISH_PATH"):
        return _asked_for(Path(environment["STOCKFISH_PATH"]), search_path, "STOCKFISH_PATH")
    for candidate in _candidates(search_path, data_folder, usual_folders):
        if _is_program(candidate):
            return candidate
    raise EngineNotFound(
        _(
            "no Stockfish was found on this machine; {advice}, or set STOCKFISH_PATH to where it is"
        ).format(advice=install_hint(_system()))
    )


def probe_engine(path: Path, *, timeout_seconds: float = 30.0) -> EngineId:
    """Ask a program whether it is a UCI engine (`uci`, `isready`), and which one.

    Raises EngineNotFound, EngineDied or EngineHung when it is none.
    """
    with Stockfish(path, start_timeout_seconds=timeout_seconds) as engine:
        return engine.engine_id


def install_hint(system: str) -> str:
    """How to get Stockfish on a system that `platform.system()` calls `system`."""
    command = _HINTS.get(system)
    if command is None:
        return _("install it from https://stockfishchess.org/download")
    return _("install it with: {command}").format(command=command)


def installed_engine_path(data_folder: Path) -> Path:
    """Where movelo keeps the engine that it installs itself."""
    return data_folder / "engine" / program_name()


def program_name() -> str:
    """What Stockfish's executable is called on this system."""
    return "stockfish.exe" if sys.platform == "win32" else "stockfish"


def _asked_for(path: Path, search_path: str, who_asks: str) -> Path:
    path = path.expanduser()
    if _is_program(path):
        return path
    named = shutil.which(path, path=search_path) if path.parent == Path() else None
    if named is None:
        state = _("is not an executable file") if path.exists() else _("is not there")
        raise EngineNotFound(
            _(
                "{who_asks} says {path}, which {state}; correct it, or remove it to use any "
                "Stockfish that is found"
            ).format(who_asks=retold(who_asks), path=path, state=state)
        )
    return Path(named)


def _candidates(
    search_path: str, data_folder: Path, usual_folders: Sequence[Path]
) -> Iterator[Path]:
    yield installed_engine_path(data_folder)
    on_path = shutil.which(program_name(), path=search_path)
    if on_path is not None:
        yield Path(on_path)
    for folder in usual_folders:
        yield folder / program_name()


def _is_program(path: Path) -> bool:
    return path.is_file() and shutil.which(path.absolute()) is not None


def _system() -> str:
    return {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}.get(sys.platform, "")
