"""`movelo evaluate` and `movelo train` with the human-move model: asked, kept, left out."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from made_games import random_export_game
from made_maia import write_made_model
from typer.testing import CliRunner, Result

from config.errors import ModelError, NoGames, StoreError
from engines.maia_install import installed_model_path
from pipeline.cli.app import app

GAMES = 8


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOVELO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("MOVELO_CONFIG", str(tmp_path / "movelo.toml"))


@pytest.fixture
def games(tmp_path: Path) -> Path:
    records = [random_export_game(seed, plies=30, analysed=True) for seed in range(GAMES)]
    file = tmp_path / "games.ndjson"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    path = installed_model_path(tmp_path / "data")
    path.parent.mkdir(parents=True)
    return write_made_model(path)


def movelo(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def evaluated(*arguments: str | Path) -> dict[str, object]:
    result = movelo("evaluate", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, object] = json.loads(result.stdout)
    return found


def kept(folder: Path) -> list[tuple[Path, bytes]]:
    return [(path, path.read_bytes()) for path in sorted(folder.rglob("*.npz"))]


def test_without_the_human_move_model_all_games_are_measured(games: Path) -> None:
    found = evaluated(games)
    assert found["player_games"] == 2 * GAMES
    assert found["speeds_with_human_model"] == []


@pytest.mark.usefixtures("installed")
def test_where_it_is_installed_it_takes_part_and_is_asked_once(games: Path, tmp_path: Path) -> None:
    found = evaluated(games)
    assert found["player_games"] == 2 * GAMES
    assert found["speeds_with_human_model"] == ["blitz"]
    files = kept(tmp_path / "data" / "human_likelihoods")
    assert len(files) == 1
    assert evaluated(games) == found
    assert kept(tmp_path / "data" / "human_likelihoods") == files


@pytest.mark.usefixtures("installed")
def test_it_can_be_left_out(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert evaluated(games, "--without-human-model")["speeds_with_human_model"] == []
    monkeypatch.setenv("MOVELO_STRENGTH__HUMAN_MODEL", "false")
    assert evaluated(games)["speeds_with_human_model"] == []


@pytest.mark.usefixtures("installed")
def test_no_more_games_are_asked_about_than_was_said_and_the_rest_is_counted(
    games: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "likelihoods"
    found = evaluated(games, "--human", folder, "--human-games", "3")
    assert found["player_games"] == 6
    left_out = found["left_out"]
    assert isinstance(left_out, dict)
    assert left_out["no human likelihoods"] == 2 * (GAMES - 3)
    assert evaluated(games, "--human", folder) == found
    more = evaluated(games, "--human", folder, "--human-games", "5")
    assert more["player_games"] == 10
    assert len(kept(folder)) == 2


def test_likelihoods_in_a_folder_need_no_installed_model(
    games: Path, tmp_path: Path, installed: Path
) -> None:
    folder = tmp_path / "likelihoods"
    found = evaluated(games, "--human", folder, "--human-games", "3")
    installed.unlink()
    assert evaluated(games, "--human", folder) == found


def test_asking_a_model_that_is_not_there_says_how_to_get_it(games: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="not installed; install it with 'movelo model install'"):
        movelo("evaluate", games, "--human", tmp_path, "--human-games", "3")


def test_a_folder_that_is_not_there_is_one_sentence(games: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"There is no folder .*nowhere; name the one"):
        movelo("evaluate", games, "--human", tmp_path / "nowhere")


def test_with_and_without_at_once_is_refused(games: Path, tmp_path: Path) -> None:
    refused = movelo("evaluate", games, "--human", tmp_path, "--without-human-model")
    assert refused.exit_code == 2
    assert "--without-human-model" in refused.stderr


def test_a_sample_is_of_so_many_games(games: Path) -> None:
    assert evaluated(games, "--sample", "3")["player_games"] == 6


def test_the_plot_is_an_svg_file(games: Path, tmp_path: Path) -> None:
    done = movelo("evaluate", games, "--plot", tmp_path / "plot.svg")
    assert "plot.svg" in done.stderr
    chart = ET.parse(tmp_path / "plot.svg").getroot()
    assert chart.tag.endswith("svg")
    with pytest.raises(StoreError, match=r"plot cannot be written to .*; name another file"):
        movelo("evaluate", games, "--plot", games / "plot.svg")


@pytest.mark.usefixtures("installed")
def test_fitting_asks_about_so_many_games_and_keeps_what_was_said(
    games: Path, tmp_path: Path
) -> None:
    out, folder = tmp_path / "model.npz", tmp_path / "likelihoods"
    with pytest.raises(NoGames, match="No speed has 3000 rated player-games"):
        movelo("train", games, "--out", out, "--human", folder, "--human-games", "4")
    assert len(kept(folder)) == 1
    measured = evaluated(games, "--human", folder)
    assert measured["player_games"] == 8
