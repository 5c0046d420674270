"""`movelo model`: what it says, and, in real processes, what it installs from a CDN of our own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from file_server import FileServer
from made_maia import MadePackage, made_package, write_made_model
from typer.testing import CliRunner

from engines.maia_install import find_model, installed_model_path
from engines.maia_sources import MAIA3_5M
from pipeline.cli.app import app
from pipeline.strength.estimate import StrengthModel

ROOT = Path(__file__).parent.parent
NETWORK, WEIGHTS = "/made-maia@1.0.0/models/made.onnx", "/made-maia@1.0.0/models/made.onnx.data"

# movelo, but for the place where the model is published.
WITH_MADE_MODEL = """
import sys
import engines.maia_sources
from made_maia import made_package
engines.maia_sources.MAIA3_5M = made_package(sys.argv.pop()).model
"""
WITHOUT_ONNXRUNTIME = "import sys; sys.modules['onnxruntime'] = None\n"
MAIN = "from pipeline.cli import main\nmain()\n"


class Movelo:
    """Runs `movelo` in a process, with data of its own, and neither npm nor a way outside."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        programs = folder / "programs"
        programs.mkdir()
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")},
            "MOVELO_DATA": str(self.data),
            "MOVELO_CONFIG": str(folder / "movelo.toml"),
            "PATH": str(programs),
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests"))),
            "PYTHONWARNINGS": "error",
            "HTTPS_PROXY": "http://127.0.0.1:9",
        }

    def __call__(
        self, *arguments: str, before: str = "", **environment: str
    ) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, "-c", before + MAIN, *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            env=self.environment | environment,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done


@pytest.fixture
def movelo(tmp_path: Path) -> Movelo:
    return Movelo(tmp_path)


@pytest.fixture
def cdn() -> Iterator[FileServer]:
    cdn = FileServer()
    yield cdn
    cdn.close()


@pytest.fixture
def made(cdn: FileServer) -> MadePackage:
    """A package whose files the CDN has."""
    made = made_package(cdn.url)
    cdn.files = {NETWORK: made.network, WEIGHTS: made.weights}
    return made


def one_sentence(text: str) -> str:
    """The only line on standard error that a failed command leaves, besides what it began."""
    (sentence,) = [line for line in text.splitlines() if line.startswith("movelo: ")]
    return sentence


# --- info ------------------------------------------------------------------------------------


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this process keeps its data."""
    monkeypatch.setenv("MOVELO_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def shown_info() -> str:
    done = CliRunner().invoke(app, ["model", "info"], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def put_model(data: Path, *, float32: bool = False) -> Path:
    path = installed_model_path(data, float32=float32)
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_made_model(path, quantised=not float32)


@pytest.mark.usefixtures("data")
def test_info_says_which_model_makes_the_ranges_and_what_it_was_fitted_on() -> None:
    model = StrengthModel.load()
    training = model.fitted.training
    shown = shown_info()
    for fact in (model.name, f"{training.player_games:,}", f"{training.players:,}", *model.speeds):
        assert fact in shown


@pytest.mark.usefixtures("data")
def test_info_says_at_which_speeds_the_human_move_model_counts() -> None:
    model = StrengthModel.load()
    (line,) = [text for text in shown_info().splitlines() if text.startswith("human moves:")]
    for speed in model.speeds:
        assert (speed in line) == model.reads_human_likelihoods(speed)


@pytest.mark.usefixtures("data")
def test_info_says_where_the_human_move_model_comes_from() -> None:
    shown = shown_info()
    for fact in (MAIA3_5M.origin, MAIA3_5M.license, MAIA3_5M.citation):
        assert fact in shown


@pytest.mark.usefixtures("data")
def test_info_without_the_human_move_model_says_how_to_get_it() -> None:
    pytest.importorskip("onnxruntime")
    shown = shown_info()
    for words in ("not installed", "works without", "movelo model install (22 MB)"):
        assert words in shown


def test_info_with_the_human_move_model_says_where_it_is(data: Path) -> None:
    pytest.importorskip("onnxruntime")
    path = put_model(data)
    shown = shown_info()
    assert f"installed: {path}" in shown
    assert "movelo model install" not in shown


def test_info_names_the_float32_network_where_it_is_installed(data: Path) -> None:
    pytest.importorskip("onnxruntime")
    put_model(data)
    assert "float32 network" not in shown_info()
    path = put_model(data, float32=True)
    (line,) = [text for text in shown_info().splitlines() if text.startswith("float32 network:")]
    assert line.endswith(f"installed: {path}")
    path.write_bytes(path.read_bytes()[:1000])
    (line,) = [text for text in shown_info().splitlines() if text.startswith("float32 network:")]
    assert line.endswith("not usable")


def test_info_tells_a_damaged_human_move_model_from_a_good_one(data: Path) -> None:
    pytest.importorskip("onnxruntime")
    path = put_model(data)
    path.write_bytes(path.read_bytes()[:1000])
    shown = shown_info()
    assert "not usable" in shown
    assert "obtain it again with: movelo model install" in shown


def test_info_without_onnxruntime_says_what_to_install(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_model(data)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    shown = shown_info()
    assert "not usable" in shown
    assert "pip install onnxruntime" in shown


def test_an_onnxruntime_that_does_not_load_is_as_good_as_none(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_model(data)
    (tmp_path / "onnxruntime.py").write_text("raise ImportError('wrong C library')")
    monkeypatch.delitem(sys.modules, "onnxruntime", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    shown = shown_info()
    assert "not usable" in shown
    assert "wrong C library" in shown


# --- install ---------------------------------------------------------------------------------


def test_install_obtains_the_model_and_says_where_it_is(movelo: Movelo, made: MadePackage) -> None:
    pytest.importorskip("onnxruntime")
    done = movelo("model", "install", made.model.base_url, before=WITH_MADE_MODEL)
    assert done.returncode == 0, done.stderr
    path = installed_model_path(movelo.data)
    assert done.stdout == f"The human-move model is installed: {path}\n"
    assert "Downloading the human-move model Maia-3" in done.stderr
    assert path == find_model(movelo.data)


def test_install_keeps_the_float32_network_as_well_where_it_is_wanted(
    movelo: Movelo, made: MadePackage
) -> None:
    pytest.importorskip("onnxruntime")
    arguments = ("model", "install", "--float32", made.model.base_url)
    done = movelo(*arguments, before=WITH_MADE_MODEL)
    assert done.returncode == 0, done.stderr
    exact = find_model(movelo.data, float32=True)
    assert f"Its float32 network is installed: {exact}\n" in done.stdout
    assert find_model(movelo.data) is not None


def test_install_refuses_what_was_not_published(
    movelo: Movelo, cdn: FileServer, made: MadePackage
) -> None:
    pytest.importorskip("onnxruntime")
    cdn.files[WEIGHTS] = made.weights[:-1] + b"!"
    done = movelo("model", "install", made.model.base_url, before=WITH_MADE_MODEL)
    assert done.returncode == 1
    assert "is not the file that was published" in one_sentence(done.stderr)
    assert find_model(movelo.data) is None


def test_install_without_a_connection_fails_with_one_sentence(movelo: Movelo) -> None:
    pytest.importorskip("onnxruntime")
    done = movelo("model", "install")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "there was no connection" in one_sentence(done.stderr)
    assert find_model(movelo.data) is None


def test_install_without_onnxruntime_fetches_nothing(
    movelo: Movelo, cdn: FileServer, made: MadePackage
) -> None:
    before = WITHOUT_ONNXRUNTIME + WITH_MADE_MODEL
    done = movelo("model", "install", made.model.base_url, before=before)
    assert done.returncode == 1
    assert "pip install onnxruntime" in one_sentence(done.stderr)
    assert cdn.requested == []


@pytest.mark.parametrize("command", [[], ["info"], ["install"]])
def test_every_command_about_the_model_explains_itself(command: list[str]) -> None:
    assert "Usage" in CliRunner().invoke(app, ["model", *command, "--help"]).stdout
