"""`movelo export`: what pandas and chess programs read of what movelo found."""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess.pgn
import pandas as pd
import pytest
from fake_uci_engine import processes_of, searches_of, write_fake_engine
from made_games import export_games, random_export_game
from typer.testing import CliRunner, Result

from config.errors import NoGames, StoreError
from pipeline.cli.app import app
from pipeline.cli.whole_file import whole_file
from pipeline.fetch.export import game_from_export
from pipeline.fetch.files import read_games
from pipeline.records import Game
from pipeline.replay import replay
from pipeline.store import Store, StoredGame
from pipeline.tables import GAME_COLUMNS, MOVE_COLUMNS

PLAYER = "Quillfeather"
FEW = ("--nodes", "100", "--workers", "1")


@pytest.fixture(autouse=True)
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    engine = write_fake_engine(tmp_path)
    for variable, value in {
        "MOVELO_CONFIG": tmp_path / "movelo.toml",
        "MOVELO_DATA": tmp_path / "data",
        "MOVELO_REPORT__FOLDER": tmp_path / "reports",
        "STOCKFISH_PATH": engine,
    }.items():
        monkeypatch.setenv(variable, str(value))
    monkeypatch.delenv("MOVELO_DATABASE_URL", raising=False)
    return engine


def movelo(*arguments: str | Path, stdin: str = "") -> Result:
    done = CliRunner().invoke(app, list(map(str, arguments)), input=stdin, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def kept(tmp_path: Path, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """These games, in the store that the command uses."""
    (tmp_path / "data").mkdir(exist_ok=True)
    with Store(tmp_path / "data" / "movelo.sqlite") as store:
        store.add_games(
            StoredGame(
                id=record["id"],
                created_at_ms=record["createdAt"],
                white_id=record["players"]["white"]["user"]["id"],
                black_id=record["players"]["black"]["user"]["id"],
                record_json=json.dumps(record),
            )
            for record in records
        )
    return records


@pytest.fixture
def records(tmp_path: Path) -> list[dict[str, Any]]:
    """Six games with evaluations and one without, newest first."""
    analysed = export_games(6, player=PLAYER, plies=50, analysed=True)
    return kept(tmp_path, [random_export_game(6, white=PLAYER, plies=30), *analysed])


READERS: dict[str, Callable[[Path], pd.DataFrame]] = {
    "csv": pd.read_csv,
    "ndjson": lambda file: pd.read_json(file, lines=True),
    "parquet": pd.read_parquet,
}
formats = pytest.mark.parametrize("format_name", READERS)


def exported(tmp_path: Path, format_name: str, *options: str) -> pd.DataFrame:
    file = tmp_path / f"out.{format_name}"
    movelo("export", PLAYER, "--format", format_name, "--out", file, *FEW, *options)
    return READERS[format_name](file)


@formats
def test_pandas_reads_the_games_with_their_types(
    tmp_path: Path, records: list[dict[str, Any]], format_name: str
) -> None:
    games = exported(tmp_path, format_name)
    assert list(games.columns) == list(GAME_COLUMNS)
    assert list(games["game_id"]) == [record["id"] for record in records]
    for column in ("plies", "own_rating", "own_rating_diff", "initial_seconds", "own_moves"):
        assert pd.api.types.is_integer_dtype(games[column]), column
    for column in ("score", "expected_score", "own_accuracy_percent"):
        assert pd.api.types.is_float_dtype(games[column]), column
    assert pd.api.types.is_bool_dtype(games["rated"]) and games["rated"].all()
    when = pd.to_datetime(games["created_at"])
    assert list(when) == [pd.Timestamp(r["createdAt"], unit="ms", tz="UTC") for r in records]
    assert pd.api.types.is_datetime64_any_dtype(games["created_at"]) or format_name == "csv"


@formats
def test_pandas_reads_the_moves_with_their_types(
    tmp_path: Path, records: list[dict[str, Any]], format_name: str
) -> None:
    moves = exported(tmp_path, format_name, "--what", "moves")
    assert list(moves.columns) == list(MOVE_COLUMNS)
    assert len(moves) == sum(len(record["moves"].split()) for record in records)
    for column in ("ply", "centipawn_loss", "legal_move_count"):
        assert pd.api.types.is_integer_dtype(moves[column]), column
    for column in ("win_percent_before", "win_percent_after", "seconds_left", "seconds_spent"):
        assert pd.api.types.is_float_dtype(moves[column]), column
    for column in ("is_own", "gives_check", "captures"):
        assert pd.api.types.is_bool_dtype(moves[column]), column
    first = moves[moves["game_id"] == records[1]["id"]]
    assert " ".join(first["san"]) == records[1]["moves"]
    assert list(first["seconds_left"]) == [c / 100 for c in records[1]["clocks"]]
    assert set(moves["judgement"].dropna()) <= {"inaccuracy", "mistake", "blunder"}
    own = moves["color"] == moves["game_id"].map(own_colors(records))
    assert (moves["is_own"] == own).all() and 0 < own.sum() < len(own)


def own_colors(records: list[dict[str, Any]]) -> dict[str, str]:
    return {
        record["id"]: "white" if record["players"]["white"]["user"]["name"] == PLAYER else "black"
        for record in records
    }


@pytest.mark.usefixtures("records")
def test_the_three_formats_say_the_same(tmp_path: Path) -> None:
    for what in ("games", "moves"):
        csv, ndjson, parquet = (exported(tmp_path, name, "--what", what) for name in READERS)
        for other in (csv, ndjson):
            for column in parquet:
                left, right = parquet[column], other[column]
                if column == "created_at":  # CSV and NDJSON have whole seconds
                    right = pd.to_datetime(right)
                assert (left.isna() == right.isna()).all(), column
                left, right = list(left.dropna()), list(right.dropna())
                # read_json is content with the last digit but one
                are_real = GAME_COLUMNS.get(column, MOVE_COLUMNS.get(column)) == "real"
                assert right == (pytest.approx(left, rel=1e-12) if are_real else left), column


def test_the_numbers_are_the_report_s(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    file = tmp_path / "games.ndjson"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    report = json.loads(movelo("report", PLAYER, "--from", file, "--json", *FEW).stdout)
    rows = exported(tmp_path, "ndjson")
    assert len(report["games"]) == len(rows) == 7
    ranges = 0
    for game, (_, row) in zip(report["games"], rows.iterrows(), strict=True):
        own, other = ("white", "black") if game["color"] == "white" else ("black", "white")
        for prefix, side in (("own", game[own]), ("opponent", game[other])):
            for name, value in side["strength"].items():
                column = {"reason": "strength_absent_reason"}.get(name, f"strength_{name}")
                if f"{prefix}_{column}" in row:
                    assert row[f"{prefix}_{column}"] == approx(value)
                    ranges += name == "low"
            for name, value in side["summary"].items():
                assert row[f"{prefix}_{name}"] == approx(value)
        assert row["expected_score"] == pytest.approx(game[own]["expected_score"])
        assert (row["engine"], row["plies"]) == (game["engine"]["name"], game["plies"])
    assert ranges > 6


def approx(value: object) -> object:
    return pytest.approx(value) if isinstance(value, float) else value


def test_a_pgn_is_read_by_movelo_and_by_python_chess(
    tmp_path: Path, records: list[dict[str, Any]]
) -> None:
    file = tmp_path / "games.pgn"
    movelo("export", PLAYER, "--format", "pgn", "--out", file, *FEW)
    games = [game for game in read_games(file, stdin=io.BytesIO()) if isinstance(game, Game)]
    assert len(games) == 7
    with file.open(encoding="utf-8") as stream:
        for game, record in zip(games, records, strict=True):
            before = game_from_export(record, where="a test")
            other = chess.pgn.read_game(stream)
            assert other is not None and not other.errors
            moves = replay(before).moves_uci
            assert replay(game).moves_uci == moves
            assert tuple(node.move.uci() for node in other.mainline()) == moves
            assert game.clocks_centiseconds == before.clocks_centiseconds
            assert game.white == replace(before.white, lichess_summary=None)
            assert game.black == replace(before.black, lichess_summary=None)
            if before.source_evals:
                assert game.source_evals == before.source_evals
            else:  # the engine's, from the store
                assert len(game.source_evals) == len(moves)
                assert other.headers["EvaluatedBy"].startswith("Fake")
        assert chess.pgn.read_game(stream) is None


@pytest.mark.usefixtures("records")
def test_speed_last_and_dates_choose_the_games(tmp_path: Path) -> None:
    everything = exported(tmp_path, "csv")
    assert len(exported(tmp_path, "csv", "--last", "2")) == 2
    since = str(everything["created_at"][3])
    assert len(exported(tmp_path, "csv", "--since", since)) == 4
    assert len(exported(tmp_path, "csv", "--until", since)) == 4
    with pytest.raises(NoGames, match="No rapid games of Quillfeather"):
        exported(tmp_path, "csv", "--speed", "rapid")


def test_no_engine_leaves_what_is_not_evaluated_and_says_how_many(
    tmp_path: Path, records: list[dict[str, Any]], engine: Path
) -> None:
    file = tmp_path / "out.csv"
    no_engine = ("export", PLAYER, "--format", "csv", "--no-engine", "--out", file, *FEW)
    said = movelo(*no_engine).stderr
    assert "1 game (not in the move-based view: it came without evaluations" in said
    games = pd.read_csv(file)
    assert list(games["own_accuracy_percent"].isna()) == [True] + [False] * 6
    assert "no engine was asked" in games["own_strength_absent_reason"][0]
    assert len(games) == len(records)
    trial_searches = searches_of(engine)  # one tells who the engine is
    assert trial_searches <= 1
    exported(tmp_path, "csv")
    asked = searches_of(engine)
    assert asked >= 30
    said = movelo(*no_engine).stderr  # what the engine said is kept, and taken
    assert not pd.read_csv(file)["own_accuracy_percent"].isna().any()
    assert "move-based" not in said and searches_of(engine) <= asked + trial_searches
    assert processes_of(engine) == []


def test_no_engine_needs_none(
    tmp_path: Path, records: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "movelo.toml").write_text(f'[engine]\npath = "{tmp_path / "nowhere"}"\n')
    monkeypatch.delenv("STOCKFISH_PATH")
    assert len(exported(tmp_path, "ndjson", "--no-engine")) == len(records)


def test_games_of_a_file_go_to_standard_output(records: list[dict[str, Any]]) -> None:
    lines = "".join(json.dumps(record) + "\n" for record in records)
    command = ("export", PLAYER, "--from", "-", "--out", "-", "--no-engine")
    for format_name in ("csv", "ndjson", "pgn"):
        done = movelo(*command, "--format", format_name, stdin=lines)
        assert "7 games written to standard output." in done.stderr
        if format_name == "csv":
            assert len(pd.read_csv(io.StringIO(done.stdout))) == 7
        elif format_name == "ndjson":
            assert len([json.loads(line) for line in done.stdout.splitlines()]) == 7
        else:
            assert done.stdout.count("[Event ") == 7


@pytest.mark.usefixtures("records")
def test_without_out_it_goes_to_the_reports_folder(tmp_path: Path) -> None:
    movelo("export", PLAYER, "--format", "ndjson", "--what", "moves", "--no-engine")
    assert (tmp_path / "reports" / "Quillfeather-moves.ndjson").exists()


def test_names_that_act_do_not_act(tmp_path: Path) -> None:
    formula = '=HYPERLINK("http://evil.example")'
    for name in (formula, "../../etc/passwd", "Ñandú, 王"):
        record = random_export_game(1, white=name, black="+cmd|' /C calc'!A0", analysed=True)
        lines = json.dumps(record) + "\n"
        command = ("export", name, "--from", "-", "--format")
        csv = movelo(*command, "csv", "--out", "-", stdin=lines).stdout
        row = pd.read_csv(io.StringIO(csv)).iloc[0]
        assert row["own_name"] == (f"'{name}" if name == formula else name)
        assert row["opponent_name"].startswith("'+")
        movelo(*command, "parquet", stdin=lines)  # in the folder, whatever the name
        (file,) = (tmp_path / "reports").iterdir()
        assert pd.read_parquet(file)["own_name"][0] == name
        file.unlink()


@pytest.mark.parametrize("format_name", [*READERS, "pgn"])
def test_an_empty_selection_is_one_sentence_and_writes_nothing(
    tmp_path: Path, records: list[dict[str, Any]], format_name: str
) -> None:
    file = tmp_path / "old"
    file.write_text("what was here")
    for words in ((PLAYER, "--since", "2090-01-01"), ("Nobody",)):
        with pytest.raises(NoGames) as caught:
            movelo("export", *words, "--format", format_name, "--out", file)
        sentence = str(caught.value)
        assert words[0] in sentence and "\n" not in sentence
        assert file.read_text() == "what was here"
    done = CliRunner().invoke(app, ["export", "Nobody", "--format", "csv", "--out", "-"])
    assert isinstance(done.exception, NoGames) and done.stdout == ""
    assert "--from" in str(done.exception) and len(records) == 7


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--format", "parquet", "--out", "-"), "name a file"),
        (("--format", "pgn", "--what", "moves"), "a PGN is of games"),
        (("--format", "xlsx"), "xlsx"),
    ],
)
def test_what_cannot_be_is_said_first_and_exits_with_2(
    options: tuple[str, ...], words: str
) -> None:
    done = CliRunner().invoke(app, ["export", PLAYER, *options])
    assert done.exit_code == 2 and words in " ".join(done.output.split())


@pytest.mark.usefixtures("records")
def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a_file").write_text("")
    for place in (tmp_path, tmp_path / "a_file" / "out.csv", Path("/dev/full")):
        with pytest.raises(StoreError, match=r"Cannot write .*--out"):
            movelo("export", PLAYER, "--format", "csv", "--no-engine", "--out", place)


def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "out.csv"
    with whole_file(file) as to:
        to.write(b"all of it")
        assert not file.exists()
    assert file.read_bytes() == b"all of it"
    with pytest.raises(KeyboardInterrupt), whole_file(file) as to:
        to.write(b"half of")
        raise KeyboardInterrupt
    assert file.read_bytes() == b"all of it" and list(file.parent.iterdir()) == [file]
    link = tmp_path / "link"
    link.symlink_to(file)
    with whole_file(link) as to:
        to.write(b"new")
    assert link.is_symlink() and file.read_bytes() == b"new"


def test_a_game_that_cannot_be_used_is_counted(tmp_path: Path) -> None:
    records = export_games(2, player=PLAYER, analysed=True)
    kept(tmp_path, [records[0], records[1] | {"variant": "atomic"}])
    file = tmp_path / "out.pgn"
    done = movelo("export", PLAYER, "--format", "pgn", "--out", file)
    assert "1 game written to" in done.stderr
    assert "Left out: 1 game (atomic: movelo reads standard chess" in done.stderr
