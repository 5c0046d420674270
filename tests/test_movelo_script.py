"""The script at the top, with stand-ins for Python, pip and uv: what it does, in which order."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

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


class Machine:
    """A folder with movelo in it and a PATH with nothing but what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "bin"
        self.programs.mkdir()
        self.calls = folder / "calls"
        for name in ("movelo", "pyproject.toml"):
            shutil.copy(ROOT / name, folder / name)
        for name in ("sh", "dirname", "readlink", "cat", "uname", "id", "mkdir", "chmod", "env"):
            (self.programs / name).symlink_to(shutil.which(name) or f"/bin/{name}")

    def has(self, name: str, script: str) -> None:
        program = self.programs / name
        program.write_text(script)
        program.chmod(0o755)

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(self.folder / "movelo"), *arguments],
            capture_output=True,
            text=True,
            timeout=30,
            env={
                "PATH": str(self.programs),
                "HOME": str(self.folder),
                "CALLS": str(self.calls),
                "STOCKFISH_PATH": "/somewhere/stockfish",
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
