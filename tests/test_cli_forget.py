"""`movelo forget` asks, deletes, and says what was deleted; `movelo doctor` shows no password."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pipeline.cli.app import app
from pipeline.spans import Span
from pipeline.store import Store, StoredGame

pytest_plugins = ["postgresql_server"]


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store_url: Path | str) -> None:
    monkeypatch.setenv("MOVELO_CONFIG", str(tmp_path / "movelo.toml"))
    monkeypatch.setenv("MOVELO_DATA", str(tmp_path))
    monkeypatch.delenv("MOVELO_DATABASE_URL", raising=False)
    if isinstance(store_url, str):
        monkeypatch.setenv("MOVELO_DATABASE_URL", store_url)


@pytest.fixture
def place(tmp_path: Path, store_url: Path | str) -> Path | str:
    """Where the command finds it, with two games of Ann's, one of them against Bob."""
    where = store_url if isinstance(store_url, str) else tmp_path / "movelo.sqlite"
    with Store(where) as store:
        store.add_games([game("g1", "ann", "bob"), game("g2", "cat", "ann")])
        store.set_fetched_spans("ann", [Span(1, 2)])
        store.set_fetched_spans("bob", [Span(1, 2)])
    return where


def game(id: str, white: str, black: str) -> StoredGame:
    return StoredGame(
        id=id, created_at_ms=1, white_id=white, black_id=black, record_json=json.dumps({"id": id})
    )


def movelo(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, arguments, input=stdin, catch_exceptions=False)


def games_of(place: Path | str, player: str) -> int:
    with Store(place) as store:
        return store.count_games_of(player)


def test_it_deletes_without_asking_where_told_so_and_says_what(place: Path | str) -> None:
    done = movelo("forget", "Ann", "--yes")
    assert done.exit_code == 0
    told, shared = done.stdout.splitlines()
    assert told == "Ann: 2 games, 1 note of what was fetched deleted."
    assert shared.startswith("1 game of these was bob's too")
    assert games_of(place, "ann") == games_of(place, "bob") == 0
    assert movelo("forget", "ann", "--yes").stdout == "Nothing is kept of ann.\n"


def test_it_asks_first_and_a_no_leaves_everything(place: Path | str) -> None:
    done = movelo("forget", "Ann", stdin="n\n")
    assert done.exit_code == 1 and "deleted" not in done.stdout
    assert "keeps of Ann (2 games)?" in done.stderr
    assert games_of(place, "ann") == 2


def test_nobody_there_to_answer_is_a_no(place: Path | str) -> None:
    assert movelo("forget", "Ann").exit_code == 1
    assert games_of(place, "ann") == 2


def test_a_yes_deletes(place: Path | str) -> None:
    assert movelo("forget", "Ann", stdin="y\n").exit_code == 0
    assert games_of(place, "ann") == 0


@pytest.mark.usefixtures("place")
def test_doctor_says_where_the_store_is_and_shows_no_password(store_url: Path | str) -> None:
    told = movelo("doctor").stdout
    (line,) = [line for line in told.splitlines() if "  store  " in line]
    assert line.startswith("ok ")
    assert "S3cret" not in told
    if isinstance(store_url, str):
        assert "postgresql://movelo@127.0.0.1" in line
    else:
        assert "movelo.sqlite" in line


def test_doctor_says_what_is_wrong_with_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOVELO_DATABASE_URL", "postgresql://ann:Pa55@127.0.0.1:9/games")
    done = movelo("doctor")
    assert done.exit_code == 1 and "Pa55" not in done.stdout
    assert "The store postgresql://ann@127.0.0.1:9/games cannot be used" in done.stdout


def test_the_setting_names_a_database_and_the_environment_goes_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "movelo.toml").write_text('[store]\nurl = "postgresql://a:Pa55@127.0.0.1:9/one"\n')
    monkeypatch.delenv("MOVELO_DATABASE_URL", raising=False)
    assert "postgresql://a@127.0.0.1:9/one cannot be used" in movelo("doctor").stdout
    monkeypatch.setenv("MOVELO_DATABASE_URL", "postgresql://a:Pa55@127.0.0.1:9/two")
    assert "postgresql://a@127.0.0.1:9/two cannot be used" in movelo("doctor").stdout
