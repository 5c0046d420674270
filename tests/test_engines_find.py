import os
from pathlib import Path

import pytest
from fake_uci_engine import processes_of, write_fake_engine

from config.errors import EngineDied, EngineHung, EngineNotFound
from engines.evals import EngineId
from engines.find import find_engine, install_hint, installed_engine_path, probe_engine


class Machine:
    """A machine with an engine in every place where one may be."""

    def __init__(self, root: Path) -> None:
        self.option = self.add(root / "option" / "my-engine")
        self.named_by_environment = self.add(root / "environment" / "engine")
        self.data_folder = root / "data"
        self.installed = self.add(installed_engine_path(self.data_folder))
        self.on_path = self.add(root / "bin" / "stockfish")
        self.usual = self.add(root / "games" / "stockfish")
        self.environment = {
            "STOCKFISH_PATH": str(self.named_by_environment),
            "PATH": os.pathsep.join([str(root / "nothing"), str(root / "bin")]),
        }

    def add(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        return write_fake_engine(path.parent, name=path.name)

    def find(self, explicit: Path | None = None) -> Path:
        return find_engine(
            explicit,
            environment=self.environment,
            data_folder=self.data_folder,
            usual_folders=[self.usual.parent],
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_engines_are_looked_for_in_order(machine: Machine) -> None:
    assert machine.find(machine.option) == machine.option
    assert machine.find() == machine.named_by_environment
    del machine.environment["STOCKFISH_PATH"]
    assert machine.find() == machine.installed
    machine.installed.unlink()
    assert machine.find() == machine.on_path
    machine.on_path.unlink()
    assert machine.find() == machine.usual
    machine.usual.unlink()
    with pytest.raises(EngineNotFound, match=r"no Stockfish was found.*STOCKFISH_PATH"):
        machine.find()


def test_a_file_that_is_not_executable_is_passed_over(machine: Machine) -> None:
    del machine.environment["STOCKFISH_PATH"]
    machine.installed.chmod(0o644)
    assert machine.find() == machine.on_path


def test_an_option_may_name_a_program_on_the_path(machine: Machine) -> None:
    assert machine.find(Path("stockfish")) == machine.on_path


@pytest.mark.parametrize("missing", [Path("/nowhere/engine"), Path("no-such-engine")])
def test_no_other_engine_takes_the_place_of_the_one_asked_for(
    machine: Machine, missing: Path
) -> None:
    with pytest.raises(EngineNotFound, match=f"{missing}, which is not there"):
        machine.find(missing)


def test_a_wrong_stockfish_path_is_named(machine: Machine) -> None:
    machine.named_by_environment.chmod(0o644)
    with pytest.raises(EngineNotFound, match=r"STOCKFISH_PATH says .* not an executable file"):
        machine.find()


def test_an_empty_stockfish_path_is_none(machine: Machine) -> None:
    machine.environment["STOCKFISH_PATH"] = ""
    assert machine.find() == machine.installed


def test_a_folder_is_no_engine(machine: Machine) -> None:
    with pytest.raises(EngineNotFound):
        machine.find(machine.data_folder)


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("Linux", "apt install stockfish"),
        ("Darwin", "brew install stockfish"),
        ("Windows", "winget install"),
        ("Plan9", "https://stockfishchess.org/download"),
    ],
)
def test_every_system_has_its_advice(system: str, words: str) -> None:
    assert words in install_hint(system)
    assert "\n" not in install_hint(system)


def test_a_probe_tells_who_the_engine_is(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path)
    assert probe_engine(engine) == EngineId(name="Fake 1.0", network="nn-fake.nnue")
    assert processes_of(engine) == []


def test_a_probe_of_another_program_fails_within_its_time(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path, "--no-readyok")
    with pytest.raises(EngineHung):
        probe_engine(engine, timeout_seconds=0.5)
    with pytest.raises(EngineDied):
        probe_engine(Path("/bin/true"))
    assert processes_of(engine) == []
