"""The script at the top, with stand-ins for Python, pip and uv: what it does, in which order."""

import os
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from config.settings import data_folder
from engines.maia_install import installed_model_path

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a POSIX shell script")

# Makes a "virtual environment" whose programs only say what they were called with.
FAKE_PYTHON = """#!/bin/sh
case "$1 $2" in
    "-c import sys; sys.exit(sys.version_info < (3, 11))") exit 0 ;;
    "-c "*) echo "a version" ;;
    "-m venv")
        for folder; do :; done
        mkdir -p "$folder/bin"
        for program in python movelo; do
            printf '#!/bin/sh\\necho "%s $*" >>"$CALLS"\\n' "$program" >"$folder/bin/$program"
            chmod +x "$folder/bin/$program"
        done
        echo "venv made" >>"$CALLS" ;;
esac
"""


_PROGRAMS = (
    "sh",
    "dirname",
    "readlink",
    "cat",
    "uname",
    "id",
    "mkdir",
    "chmod",
    "env",
    "find",
    "tr",
)


class Machine:
    """A folder with movelo in it and a PATH with nothing but what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "bin"
        self.programs.mkdir()
        self.calls = folder / "calls"
        for name in ("movelo", "pyproject.toml"):
            shutil.copy(ROOT / name, folder / name)
        for name in _PROGRAMS:
            (self.programs / name).symlink_to(shutil.which(name) or f"/bin/{name}")
        self.data = folder / "data"
        self.model = installed_model_path(self.data)
        self.model.parent.mkdir(parents=True)
        self.model.touch()

    def has(self, name: str, script: str) -> None:
        program = self.programs / name
        program.write_text(script)
        program.chmod(0o755)

    def lacks_the_model(self, installing: str) -> None:
        """Set up, and with a movelo that runs `installing` when asked to install the model."""
        self.run("doctor")
        self.calls.unlink()
        self.model.unlink()
        program = self.folder / ".venv" / "bin" / "movelo"
        program.write_text(
            '#!/bin/sh\necho "movelo $*" >>"$CALLS"\n'
            f'if [ "$*" = "model install" ]; then {installing}; else cat; fi\n'
        )

    def run(
        self, *arguments: str, stdin: str = "", **environment: str
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(self.folder / "movelo"), *arguments],
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=30,
            env={
                "PATH": str(self.programs),
                "HOME": str(self.folder),
                "MOVELO_DATA": str(self.data),
                "CALLS": str(self.calls),
                "STOCKFISH_PATH": "/somewhere/stockfish",
                **environment,
            },
        )

    def called(self) -> list[str]:
        return self.calls.read_text().splitlines() if self.calls.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_without_python_it_says_what_to_install(machine: Machine) -> None:
    machine.has("python3", "#!/bin/sh\nexit 1\n")
    done = machine.run("report", "somebody")
    assert done.returncode == 1
    assert done.stderr == (
        "movelo: Python 3.11 or newer is needed: install it, or name it in MOVELO_PYTHON.\n"
    )


def test_it_sets_up_once_and_then_only_runs(machine: Machine) -> None:
    machine.has("python3", FAKE_PYTHON)
    first = machine.run("report", "somebody", "--last", "5")
    assert first.returncode == 0, first.stderr
    assert "setting up" in first.stderr
    made, installed, ran = machine.called()
    assert made == "venv made"
    assert installed.startswith("python -m pip install") and installed.endswith(f"{machine.folder}")
    assert ran == "movelo report somebody --last 5"
    second = machine.run("report", "somebody")
    assert second.stderr == ""
    assert machine.called()[3:] == ["movelo report somebody"]


def test_a_changed_project_file_is_set_up_again(machine: Machine) -> None:
    machine.has("python3", FAKE_PYTHON)
    machine.run("doctor")
    with (machine.folder / "pyproject.toml").open("a") as file:
        file.write("# a new dependency\n")
    assert "setting up" in machine.run("doctor").stderr


def test_where_uv_is_there_uv_is_used(machine: Machine) -> None:
    machine.has("python3", FAKE_PYTHON)
    machine.has(
        "uv",
        '#!/bin/sh\necho "uv $1 $2" >>"$CALLS"\n'
        'if [ "$1" = venv ]; then for f; do :; done; exec python3 -m venv "$f"; fi\n',
    )
    assert machine.run("doctor").returncode == 0
    assert machine.called() == ["uv venv --quiet", "venv made", "uv pip install", "movelo doctor"]


def test_a_failed_installation_says_so_and_is_tried_again(machine: Machine) -> None:
    machine.has("python3", FAKE_PYTHON.replace('>>"$CALLS"\\n', '>>"$CALLS"\\nexit 1\\n', 1))
    done = machine.run("doctor")
    assert done.returncode == 1
    assert "packages could not be installed" in done.stderr
    assert "setting up" in machine.run("doctor").stderr


# Fails whenever all packages are asked for; notes which ones a list asks for.
FAKE_UV = """#!/bin/sh
case "$*" in
    *--requirement*) for list; do :; done; cat "$list" >"$CALLS" ;;
    *--no-deps*) printf '#!/bin/sh\\n' >.venv/bin/movelo; chmod +x .venv/bin/movelo ;;
    *) echo "no onnxruntime for this system" >&2; exit 1 ;;
esac
"""


def test_where_there_is_no_onnxruntime_the_other_packages_are_installed(machine: Machine) -> None:
    machine.has("python3", FAKE_PYTHON)
    machine.has("uv", FAKE_UV)
    python = machine.folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    done = machine.run("doctor")
    assert done.returncode == 0, done.stderr
    assert "without onnxruntime" in done.stderr
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    others = [name for name in declared["dependencies"] if not name.startswith("onnxruntime")]
    assert len(others) == len(declared["dependencies"]) - 1
    assert machine.called() == others
    assert machine.run("doctor").stderr == ""


# --- the human-move model --------------------------------------------------------------------

OBTAINS = 'mkdir -p "$MOVELO_DATA/models"; echo >"$MOVELO_DATA/models/maia3-5m.onnx"'


@pytest.fixture
def ready(machine: Machine) -> Machine:
    """A machine that is set up once a test says how it lacks the model."""
    machine.has("python3", FAKE_PYTHON)
    return machine


@pytest.mark.parametrize("command", ["report", "game", "demo"])
def test_the_first_report_obtains_the_human_move_model(ready: Machine, command: str) -> None:
    ready.lacks_the_model(OBTAINS)
    assert ready.run(command, "x").stderr == ""
    ready.run(command, "y")
    assert ready.called() == ["movelo model install", f"movelo {command} x", f"movelo {command} y"]


@pytest.mark.parametrize("command", ["doctor", "elo", "engine"])
def test_what_needs_no_human_move_model_does_not_wait_for_it(ready: Machine, command: str) -> None:
    ready.lacks_the_model(OBTAINS)
    ready.run(command)
    assert ready.called() == [f"movelo {command}"]


def test_obtaining_leaves_standard_input_and_output_to_the_report(ready: Machine) -> None:
    ready.lacks_the_model(f"cat; echo It is installed; {OBTAINS}")
    done = ready.run("report", "x", "--from", "-", "--json", stdin="1. e4 e5 *")
    assert done.stdout == "1. e4 e5 *"
    assert "It is installed" in done.stderr


def test_without_the_model_it_goes_on_and_tries_again_after_a_day(ready: Machine) -> None:
    ready.lacks_the_model("exit 1")
    first = ready.run("report", "x")
    assert first.returncode == 0
    (sentence,) = first.stderr.splitlines()
    assert "going on without the human-move model" in sentence
    assert "./movelo model install" in sentence
    assert ready.run("report", "x").stderr == ""
    assert ready.called() == ["movelo model install", "movelo report x", "movelo report x"]
    marks = [path for path in ready.data.iterdir() if path.is_file()]
    yesterday = time.time() - 25 * 3600
    for mark in marks:
        os.utime(mark, (yesterday, yesterday))
    assert ready.run("report", "x").stderr == first.stderr
    assert ready.called()[3:] == ["movelo model install", "movelo report x"]


def test_asked_for_the_model_it_tries_whenever_it_last_failed(ready: Machine) -> None:
    ready.lacks_the_model("exit 1")
    ready.run("report", "x")
    assert ready.run("model", "install").returncode == 1
    assert ready.called()[-1] == "movelo model install"


def test_a_data_folder_that_cannot_be_written_stops_no_report(ready: Machine) -> None:
    ready.lacks_the_model("exit 1")
    done = ready.run("report", "x", MOVELO_DATA="/dev/null/nowhere")
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 1


def test_who_stops_it_while_it_obtains_the_model_stops_it_altogether(ready: Machine) -> None:
    ready.lacks_the_model("exit 130")
    assert ready.run("report", "x").returncode == 130
    assert ready.called() == ["movelo model install"]


@pytest.mark.parametrize("named", [{}, {"XDG_DATA_HOME": "share"}, {"MOVELO_DATA": "mine"}])
def test_it_looks_where_movelo_keeps_its_data(
    ready: Machine, monkeypatch: pytest.MonkeyPatch, named: dict[str, str]
) -> None:
    ready.lacks_the_model("exit 1")
    places = {name: str(ready.folder / folder) for name, folder in named.items()}
    variables = {"HOME": str(ready.folder), "XDG_DATA_HOME": "", "MOVELO_DATA": "", **places}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    model = installed_model_path(data_folder())
    model.parent.mkdir(parents=True)
    model.touch()
    assert ready.run("report", "x", **variables).stderr == ""
    assert ready.called() == ["movelo report x"]


@pytest.mark.parametrize(
    ("arguments", "environment", "extras"),
    [
        (("serve",), {}, "web"),
        (("report", "somebody", "--cluster", "local"), {}, "cluster"),
        (("report", "somebody", "--cluster=local"), {}, "cluster"),
        (("export", "somebody", "--format", "parquet"), {}, "parquet"),
        (("doctor",), {"MOVELO_DATABASE_URL": "postgresql://u@h/d"}, "postgresql"),
        (("serve",), {"MOVELO_DATABASE_URL": "postgresql://u@h/d"}, "postgresql,web"),
    ],
)
def test_what_a_command_needs_beyond_the_usual_is_installed_with_it_once(
    machine: Machine, arguments: tuple[str, ...], environment: dict[str, str], extras: str
) -> None:
    machine.has("python3", FAKE_PYTHON)
    assert f"setting up for {extras} " in machine.run(*arguments, **environment).stderr
    assert machine.called()[1].endswith(f"{machine.folder}[{extras}]")
    assert machine.run(*arguments, **environment).stderr == ""
    assert machine.run("doctor").stderr == ""
