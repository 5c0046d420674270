"""`movelo engine budgets`, from files to the table and to JSON."""

import json
from pathlib import Path

import pytest
from made_games import game_id, random_export_game
from typer.testing import CliRunner, Result

from config.errors import InputError, ModelError, NoGames, UnreadableFile
from pipeline.cli.app import app
from pipeline.strength.split import Part, part_of

GAMES, PLIES = 4, 30
NAMES = [f"Player{i}" for i in range(100) if part_of(f"Player{i}") is Part.CALIBRATION]


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOVELO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("MOVELO_CONFIG", str(tmp_path / "movelo.toml"))
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    records = [
        random_export_game(
            seed, white=NAMES[seed], black=NAMES[seed + 5], plies=PLIES, analysed=True
        )
        for seed in range(GAMES)
    ]
    file = tmp_path / "games.ndjson"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


def evals(folder: Path, nodes: int) -> Path:
    """Of all four games, each position a little better for whoever just moved."""
    line = {"ev": [["c", 30 * (at % 2)] for at in range(PLIES + 1)], "nodes": nodes}
    file = folder / f"evals.{nodes}.jsonl"
    lines = [json.dumps({"id": game_id(seed), **line}) for seed in range(GAMES)]
    file.write_text("".join(f"{text}\n" for text in lines), encoding="utf-8")
    return file


def movelo(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, ["engine", "budgets", *map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def table(*arguments: str | Path) -> list[str]:
    result = movelo(*arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout.splitlines()


def row(lines: list[str], name: str) -> list[str]:
    (found,) = [line for line in lines if line.strip().startswith(f"{name} ")]
    return found.split(name, 1)[1].split()


def test_the_table_has_a_row_for_each_file_and_says_what_its_columns_mean(
    games: Path, tmp_path: Path
) -> None:
    files = [evals(tmp_path, nodes) for nodes in (5_000, 10_000)]
    lines = table(games, "--evals", files[0], "--evals", files[1])
    assert "8 player-games of validation players" in lines[0]
    quick, deep = row(lines, "5,000"), row(lines, "10,000")
    assert (quick[0], deep[0]) == ("155", "310")
    # The same evaluations in both files, and both shallow: no difference. None is stated of
    # the last row, with which the others are compared.
    assert quick[2] == "+0.0±0.0"
    assert len(quick) == len(deep) + 1
    assert any("% to 10k" in line for line in lines)
    assert not any("CPU s" in line for line in lines)


def test_the_cost_is_in_seconds_where_the_speed_is_given(games: Path, tmp_path: Path) -> None:
    lines = table(games, "--evals", evals(tmp_path, 10_000), "--nodes-per-second", "1000000")
    assert row(lines, "10,000")[:2] == ["310", "0.31"]
    assert any("at 1,000,000 nodes a second" in line for line in lines)


def test_it_fits_a_narrow_terminal(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    given = [x for n in (2_000, 10_000) for x in ("--evals", evals(tmp_path, n))]
    lines = table(games, *given, "--nodes-per-second", "750000")
    assert all(len(line) <= 80 for line in lines)
    assert any(line.rstrip().endswith("win%  alike") for line in lines)
    assert row(lines, "10,000")[-1] == "%"


def test_staged_searches_follow_where_all_their_levels_are_given(
    games: Path, tmp_path: Path
) -> None:
    given = [x for n in (2_000, 5_000, 10_000, 20_000) for x in ("--evals", evals(tmp_path, n))]
    found = json.loads(movelo(games, *given, "--json").stdout)
    names = [row["name"] for row in found["speeds"][0]["rows"]]
    assert names[:4] == ["2,000", "5,000", "10,000", "20,000"]
    assert len(names) > 4
    assert [r["nodes_per_position"] for r in found["speeds"][0]["rows"][4:]] == [None] * (
        len(names) - 4
    )
    shown = " ".join(table(games, *given))
    assert all(name in shown for name in names)


def test_what_was_left_out_is_said(games: Path, tmp_path: Path) -> None:
    file = evals(tmp_path, 10_000)
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join(lines[1:]) + "\n", encoding="utf-8")
    assert "left out: 2 no evaluations" in table(games, "--evals", file)


def test_input_that_cannot_be_used_is_one_sentence(games: Path, tmp_path: Path) -> None:
    file = evals(tmp_path, 10_000)
    with pytest.raises(NoGames, match="No game of a held-out player can be compared"):
        movelo(games, "--evals", file, "--players", "held-out")
    with pytest.raises(InputError, match=r"No evaluations of blitz games have 7 nodes.*10,000"):
        movelo(games, "--evals", file, "--against", "7")
    with pytest.raises(UnreadableFile, match=r"nowhere.jsonl cannot be read"):
        movelo(games, "--evals", tmp_path / "nowhere.jsonl")
    with pytest.raises(ModelError, match=r"There is no folder .*nowhere; name the one"):
        movelo(games, "--evals", file, "--human", tmp_path / "nowhere")
    with pytest.raises(UnreadableFile):
        movelo(tmp_path / "nowhere.ndjson", "--evals", file)


def test_evaluations_must_be_given(games: Path) -> None:
    refused = movelo(games)
    assert refused.exit_code == 2
    assert "--evals" in refused.stderr


def test_help_shows_both_commands_in_their_order() -> None:
    text = movelo("--help").stdout
    assert 0 < text.index("movelo analyse games") < text.index("movelo engine budgets games")
