"""An engine is named by a note of its last start, as long as its file is the same."""

import os
import shutil
import time
from pathlib import Path

import pytest
from fake_uci_engine import processes_of, write_fake_engine
from test_engines_stockfish import game

from config.errors import EngineError
from engines.crew import EngineCrew, EvalOutcome
from engines.engine_notes import EngineNotes
from engines.evals import EngineId, SearchLimit
from engines.late_crew import LateCrew
from engines.pool import EnginePool

STOCKFISH = EngineId(name="Stockfish 17", network="nn-17.nnue")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    program = tmp_path / "engine"
    program.write_bytes(b"\x7fELF some program")
    return program


def test_what_was_noted_is_known_from_then_on(tmp_path: Path, program: Path) -> None:
    assert EngineNotes(tmp_path).engine_id(program, ()) is None
    EngineNotes(tmp_path).note(program, (), STOCKFISH)
    assert EngineNotes(tmp_path).engine_id(program, ()) == STOCKFISH


def test_another_file_at_the_same_place_is_not_known(tmp_path: Path, program: Path) -> None:
    notes = EngineNotes(tmp_path)
    notes.note(program, (), STOCKFISH)
    os.utime(program, ns=(1, 1))
    assert notes.engine_id(program, ()) is None
    program.unlink()
    assert notes.engine_id(program, ()) is None


def test_a_link_to_another_program_is_another_engine(tmp_path: Path, program: Path) -> None:
    link, other = tmp_path / "link", tmp_path / "other"
    shutil.copy2(program, other)
    link.symlink_to(program)
    notes = EngineNotes(tmp_path)
    notes.note(link, (), STOCKFISH)
    assert notes.engine_id(program, ()) == STOCKFISH
    link.unlink()
    link.symlink_to(other)
    assert notes.engine_id(link, ()) is None


def test_other_options_may_be_another_network(tmp_path: Path, program: Path) -> None:
    notes = EngineNotes(tmp_path)
    notes.note(program, [("Contempt", 3), ("EvalFile", "a.nnue")], STOCKFISH)
    assert notes.engine_id(program, [("EvalFile", "a.nnue"), ("Contempt", 3)]) == STOCKFISH
    assert notes.engine_id(program, [("EvalFile", "b.nnue")]) is None


def test_what_a_script_starts_is_asked_each_time(tmp_path: Path) -> None:
    script = write_fake_engine(tmp_path)
    notes = EngineNotes(tmp_path)
    notes.note(script, (), STOCKFISH)
    assert notes.engine_id(script, ()) is None


@pytest.mark.parametrize("damage", ["", "[]", "no JSON", '{"x": 1}'])
def test_notes_that_cannot_be_read_are_none(tmp_path: Path, program: Path, damage: str) -> None:
    notes = EngineNotes(tmp_path)
    notes.note(program, (), STOCKFISH)
    (tmp_path / "engines.json").write_text(damage)
    assert notes.engine_id(program, ()) is None
    notes.note(program, (), STOCKFISH)
    assert notes.engine_id(program, ()) == STOCKFISH


def test_where_nothing_can_be_written_nothing_is_known(tmp_path: Path, program: Path) -> None:
    notes = EngineNotes(program)  # a file, and no folder
    notes.note(program, (), STOCKFISH)
    assert notes.engine_id(program, ()) is None


# --- engines that are started late -----------------------------------------------------------


class OpenFake:
    """Opens a pool of the fake engine, and keeps what it delivers."""

    def __init__(self, folder: Path) -> None:
        self.engine = write_fake_engine(folder)
        self.delivered: list[EvalOutcome] = []
        self.pool = EnginePool(
            self.engine, workers=1, limit=SearchLimit(nodes_per_position=100), deadline_seconds=20
        )

    def __call__(self) -> "OpenFake":
        return self

    def __enter__(self) -> EngineCrew:
        self.pool.__enter__()
        return self.pool.crew(self.delivered.append)

    def __exit__(self, *_: object) -> None:
        self.pool.__exit__()


def test_without_a_game_no_engine_is_started(tmp_path: Path) -> None:
    fake = OpenFake(tmp_path)
    with LateCrew(EngineId(name="Fake 1.0"), fake) as crew:
        assert crew.engine_id.name == "Fake 1.0"
    assert not list(tmp_path.glob("*.searches"))


def test_a_game_starts_the_engine_which_is_gone_at_the_end(tmp_path: Path) -> None:
    fake = OpenFake(tmp_path)
    known = EngineId(name="Fake 1.0", network="nn-fake.nnue")
    with LateCrew(known, fake) as crew:
        crew.submit(game("e2e4"))
        while not fake.delivered:
            time.sleep(0.01)
        assert processes_of(fake.engine)
    assert processes_of(fake.engine) == []


def test_an_engine_that_is_not_what_it_was_is_said(tmp_path: Path) -> None:
    fake = OpenFake(tmp_path)
    with (
        LateCrew(STOCKFISH, fake) as crew,
        pytest.raises(
            EngineError, match=r"itself Fake 1\.0 \(nn-fake\.nnue\), and called itself Stockfish 17"
        ),
    ):
        crew.submit(game("e2e4"))
    assert processes_of(fake.engine) == []
