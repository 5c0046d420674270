"""What `movelo doctor` says of the human-move model, which nobody needs to have."""

import sys
from pathlib import Path

import pytest
from fake_uci_engine import write_fake_engine
from made_maia import write_made_model
from typer.testing import CliRunner

from engines.maia_install import installed_model_path
from pipeline.cli.app import app


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this process keeps its data; nothing but the human-move model is missing."""
    monkeypatch.setenv("MOVELO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("MOVELO_CONFIG", str(tmp_path / "movelo.toml"))
    monkeypatch.setenv("MOVELO_LICHESS__BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("STOCKFISH_PATH", str(write_fake_engine(tmp_path)))
    return tmp_path / "data"


def human_moves() -> tuple[str, str]:
    """The line of the human moves, and the advice under it."""
    done = CliRunner().invoke(app, ["doctor"], catch_exceptions=False)
    assert done.exit_code == 0, done.stdout
    lines = done.stdout.splitlines()
    (at,) = [n for n, line in enumerate(lines) if " human moves " in line]
    below = lines[at + 1].strip()
    return lines[at], below if below.startswith("->") else ""


def test_the_human_move_model_is_shown_where_it_is_installed(data: Path) -> None:
    pytest.importorskip("onnxruntime")
    path = installed_model_path(data)
    path.parent.mkdir(parents=True)
    write_made_model(path)
    line, advice = human_moves()
    assert line.startswith("ok ") and str(path) in line
    assert advice == ""


@pytest.mark.usefixtures("data")
def test_without_the_human_move_model_all_is_well_and_it_says_how_to_get_one() -> None:
    pytest.importorskip("onnxruntime")
    line, advice = human_moves()
    assert line.startswith("note ")
    assert "movelo works without, with wider ranges" in advice
    assert advice.endswith("movelo model install")


@pytest.mark.usefixtures("data")
def test_without_onnxruntime_all_is_well_and_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    line, advice = human_moves()
    assert line.startswith("note ")
    assert "movelo works without, with wider ranges" in advice
    assert advice.endswith("pip install onnxruntime")


def test_a_damaged_human_move_model_is_a_note_too(data: Path) -> None:
    pytest.importorskip("onnxruntime")
    path = installed_model_path(data)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no network")
    line, advice = human_moves()
    assert line.startswith("note ") and "not usable" in line
    assert advice.endswith("obtain it again with: movelo model install")
