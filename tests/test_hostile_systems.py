"""Other systems than the one that tests run on, as far as they can be simulated.

What stays untested: real Windows and macOS, their consoles, file locks and antivirus programs.
"""

import ast
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_uci_engine import write_fake_engine
from made_games import random_export_game

from config.errors import MoveloError
from engines import uci_process
from engines.bench import children_cpu_seconds, peak_mebibytes
from engines.install import STOCKFISH_19, asset_for
from engines.process import kill_group
from pipeline.cli.app import _write_anything
from pipeline.fetch.lichess_names import game_id_of
from pipeline.store.place import place_of

ROOT = Path(__file__).parent.parent
ROOMS = ("config", "engines", "pipeline", "reports")


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


# --- consoles ---


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("cp1252", "½ – ± ? ? Zoë ???"), ("ascii", "? ? ? ? ? Zo? ???"), ("utf-8", None)],
)
def test_what_a_console_has_no_letter_for_is_a_question_mark(
    encoding: str, shown: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "½ – ± ○ → Zoë אבג"
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
    _write_anything()
    print(text, end="", flush=True)
    assert written.getvalue().decode(encoding) == (shown or text)


def test_a_report_is_shown_on_a_console_of_western_europe(tmp_path: Path) -> None:
    record = random_export_game(1, black="Нина אבג")
    games = tmp_path / "games.ndjson"
    games.write_text(json.dumps(record), "utf-8")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("MOVELO_")},
        "MOVELO_DATA": str(tmp_path),
        "MOVELO_CONFIG": str(tmp_path / "movelo.toml"),
        "MOVELO_STRENGTH__HUMAN_MODEL": "false",
        "STOCKFISH_PATH": str(write_fake_engine(tmp_path)),
        "PYTHONIOENCODING": "cp1252",
        "MOVELO_LANG": "fr",
    }
    done = subprocess.run(
        [sys.executable, "-m", "pipeline.cli", "game", str(games)],
        capture_output=True,
        cwd=ROOT,
        env=environment,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode("cp1252")
    assert b"Traceback" not in done.stderr
    assert "???? ???" in done.stdout.decode("cp1252")


def calls() -> Iterator[tuple[str, ast.Call]]:
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call):
                    yield f"{file.relative_to(ROOT)}:{node.lineno}", node


def test_no_text_is_read_or_written_in_whatever_encoding_the_system_likes() -> None:
    assert not [place for place, call in calls() if _leaves_encoding_open(call)]


def _leaves_encoding_open(call: ast.Call) -> bool:
    named = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if named == "read_text" and not (call.args or call.keywords):
        return True
    if named == "write_text" and len(call.args) < 2:
        return not any(key.arg == "encoding" for key in call.keywords)
    is_open = named == "open" or (isinstance(call.func, ast.Name) and call.func.id == "open")
    modes = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
    is_text = is_open and any(mode in ("r", "w", "a", "x") for mode in modes)
    return is_text and not any(key.arg == "encoding" for key in call.keywords)


# --- processes ---


@pytest.mark.usefixtures("windows")
def test_an_engine_is_killed_without_process_groups_where_there_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    killed: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *asked: killed.append(asked))
    monkeypatch.delattr(os, "killpg")
    kill_group(4711)
    assert killed == [(4711, signal.SIGTERM)]


@pytest.mark.parametrize("error", [ProcessLookupError, PermissionError])
@pytest.mark.parametrize(("platform", "name"), [("win32", "kill"), ("darwin", "killpg")])
def test_an_engine_that_has_just_ended_needs_no_killing(
    platform: str, name: str, error: type[OSError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(os, name, refuse)
    kill_group(4711)


@pytest.mark.usefixtures("windows")
def test_an_engine_is_started_in_a_group_of_windows_own_kind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: dict[str, Any] = {}
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200, raising=False)
    monkeypatch.setattr(subprocess, "Popen", lambda _command, **how: started.update(how))
    uci_process._started(Path("stockfish.exe"))
    assert started["creationflags"] == 0x200
    assert "process_group" not in started


@pytest.mark.usefixtures("windows")
def test_what_windows_does_not_measure_is_not_told() -> None:
    assert (children_cpu_seconds(), peak_mebibytes()) == (None, None)


def test_signals_and_calls_that_windows_lacks_are_asked_for_behind_a_question() -> None:
    """`os.killpg`, SIGKILL and the like fail at their first use there."""
    lacking = {"killpg", "fork", "getuid", "setsid", "SIGKILL", "SIGHUP", "SIGALRM", "SIGUSR1"}
    for room in ROOMS:
        for file in (ROOT / room).rglob("*.py"):
            text = file.read_text("utf-8")
            used = {name for node in ast.walk(ast.parse(text)) for name in _of_the_system(node)}
            assert not used & lacking or "win32" in text, file


def _of_the_system(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Attribute(value=ast.Name(id="os" | "signal"), attr=name):
            yield name


# --- paths and programs ---


@pytest.mark.parametrize("system", ["Windows", "Darwin", "Linux"])
def test_every_system_has_its_engine(system: str) -> None:
    machine = "arm64" if system == "Darwin" else "AMD64"
    suffix = ".zip" if system == "Windows" else ".tar.gz"
    assert asset_for(STOCKFISH_19, system, machine).file_name.endswith(suffix)


@pytest.mark.parametrize("path", [r"C:\games\mine.pgn", r"C:12345678", r"\\server\share\x.pgn"])
def test_a_path_with_a_drive_is_no_game_s_address(path: str) -> None:
    assert game_id_of(path) is None


@pytest.mark.parametrize("path", [r"C:\data\movelo.sqlite", "/data/movelo.sqlite", "sqlite:///x"])
def test_a_path_where_a_database_s_address_is_asked_for_is_refused(path: str) -> None:
    with pytest.raises(MoveloError, match="not of the form"):
        place_of(path)
