"""`movelo simulate` as a researcher meets it: real processes, a tiny made model."""

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
import typer
from made_maia import write_made_model

from pipeline.cli.simulate import clock_of
from pipeline.fetch.files import read_games
from pipeline.records import Clock, Game

pytest.importorskip("onnxruntime")

ROOT = Path(__file__).parent.parent


class Simulate:
    """Runs the command with a data folder of its own; 1+0 is soon over."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "games.ndjson"
        self.data = folder / "data"

    def __call__(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        usual = ("--rating", "1500", "--games", "2", "--clock", "1+0", "--out", str(self.file))
        done = subprocess.run(
            [sys.executable, "-m", "pipeline.cli", "simulate", *usual, *arguments],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=os.environ | {"MOVELO_DATA": str(self.data), "PYTHONWARNINGS": "error"},
            timeout=300,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def games(self) -> list[Game]:
        found = list(read_games(self.file, stdin=BytesIO()))
        assert all(isinstance(game, Game) for game in found)
        return [game for game in found if isinstance(game, Game)]


@pytest.fixture
def simulate(tmp_path: Path) -> Simulate:
    command = Simulate(tmp_path)
    (command.data / "models").mkdir(parents=True)
    write_made_model(command.data / "models" / "maia3-5m.onnx")
    return command


def test_games_come_at_the_ratings_asked_for_in_a_form_that_movelo_reads(
    simulate: Simulate,
) -> None:
    done = simulate("--rating", "1100", "--games-a-player", "1")
    assert done.returncode == 0, done.stderr
    assert "4 games simulated" in done.stdout
    games = simulate.games()
    assert sorted(game.white.rating or 0 for game in games) == [1100, 1100, 1500, 1500]
    assert all(game.white.rating == game.black.rating for game in games)
    assert len({player.name for game in games for player in (game.white, game.black)}) == 8
    assert all(game.speed == "bullet" and game.clocks_centiseconds for game in games)


def test_what_was_stopped_continues_and_gives_the_same_games(simulate: Simulate) -> None:
    assert simulate().returncode == 0
    whole = simulate.file.read_bytes()
    simulate.file.write_bytes(whole[:-40])
    assert simulate().returncode == 0
    assert simulate.file.read_bytes() == whole


@pytest.mark.parametrize("content", ["my notes", '{"id": "a game of mine"}\n'])
def test_a_file_of_something_else_is_left_as_it_is(simulate: Simulate, content: str) -> None:
    simulate.file.write_text(content, encoding="utf-8")
    done = simulate()
    assert done.returncode == 1
    assert "games.ndjson is there and holds something else" in done.stderr
    assert simulate.file.read_text(encoding="utf-8") == content


def test_without_the_model_it_says_how_to_get_it(simulate: Simulate) -> None:
    (simulate.data / "models" / "maia3-5m.onnx").unlink()
    done = simulate()
    assert done.returncode == 1
    assert "movelo model install" in done.stderr
    assert not simulate.file.exists()


def test_a_time_control_is_read_as_people_write_it() -> None:
    assert clock_of("5+3") == Clock(initial_seconds=300, increment_seconds=3)
    assert clock_of("0.5+0") == Clock(initial_seconds=30, increment_seconds=0)


@pytest.mark.parametrize("text", ["fast", "0+0", "5", "5+", "-1+3", "5+3 "])
def test_a_time_control_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter, match=r"write it as 5\+3"):
        clock_of(text)
