"""`movelo import` takes games of files into the store, once, and says what it left out.

Where it is stopped or reads standard input it is started from nothing, otherwise with its
libraries loaded.
"""

import gzip
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import zstandard
from fake_lichess import FakeLichess
from fake_uci_engine import write_fake_engine
from loaded_movelo import LoadedMovelo
from made_dump import made_games
from made_games import export_games

from pipeline.store import Store

ROOT = Path(__file__).parent.parent

DUMP = list(made_games(200, different=20))
IDS = {game.split("lichess.org/")[1][:8] for game in DUMP}


class Movelo:
    """`movelo` in processes of its own, with a data folder of its own."""

    def __init__(self, folder: Path, loaded: LoadedMovelo) -> None:
        self.folder = folder
        self.loaded = loaded
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("MOVELO_", "LICHESS_"))},
            "MOVELO_DATA": str(folder / "data"),
            "MOVELO_CONFIG": str(folder / "movelo.toml"),
            "PYTHONWARNINGS": "error",
            "COLUMNS": "100",
            "TZ": "UTC",
        }

    def start(self, *arguments: str, **environment: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-m", "pipeline.cli", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=self.environment | environment,
        )

    def __call__(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        done = self.loaded(arguments, self.environment | environment, ROOT)
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def from_nothing(self, *arguments: str, stdin: bytes) -> "subprocess.CompletedProcess[str]":
        process = self.start(*arguments)
        out, err = process.communicate(stdin, timeout=120)
        assert b"Traceback" not in err, err.decode()
        return subprocess.CompletedProcess(
            arguments, process.returncode, out.decode(), err.decode()
        )

    def imported(self, *arguments: str, stdin: bytes = b"") -> dict[str, Any]:
        command = ("import", *arguments, "--json")
        done = self.from_nothing(*command, stdin=stdin) if stdin else self(*command)
        assert done.returncode == 0, done.stderr
        told: dict[str, Any] = json.loads(done.stdout)
        assert told["games"] == (
            told["new"] + told["completed"] + told["kept_already"] + told["unreadable"]
            + sum(told["left_out"].values())
        )  # fmt: skip
        return told

    def stored_ids(self, *players: str) -> set[str]:
        names = players or {name.casefold() for game in DUMP for name in names_in(game)}
        with Store(self.folder / "data" / "movelo.sqlite") as store:
            return {json.loads(record)["id"] for name in names for record in store.games_of(name)}


def names_in(game: str) -> tuple[str, str]:
    white, black = (game.split(f'[{side} "')[1].split('"')[0] for side in ("White", "Black"))
    return white, black


@pytest.fixture
def movelo(tmp_path: Path, loaded: LoadedMovelo) -> Movelo:
    return Movelo(tmp_path, loaded)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "lichess_db_standard_rated_2026-10.pgn.zst"
    frames = ["".join(DUMP[start : start + 50]) for start in range(0, len(DUMP), 50)]
    path.write_bytes(b"".join(zstandard.compress(frame.encode()) for frame in frames))
    return path


def test_a_whole_dump_is_taken_once_however_often_it_is_given(movelo: Movelo, dump: Path) -> None:
    assert movelo.imported(str(dump))["new"] == len(DUMP)
    assert movelo.stored_ids() == IDS
    again = movelo.imported(str(dump), str(dump))
    assert (again["new"], again["kept_already"]) == (0, 2 * len(DUMP))


def test_every_kind_of_file_is_taken_and_standard_input_too(movelo: Movelo, tmp_path: Path) -> None:
    ndjson = "".join(json.dumps(game) + "\n" for game in export_games(6)).encode()
    pgn = "".join(DUMP[:5]).encode()
    packed, plain = tmp_path / "games.gz", tmp_path / "games"
    packed.write_bytes(gzip.compress(ndjson))
    plain.write_bytes(pgn)
    told = movelo.imported(str(packed), str(plain), "-", stdin=zstandard.compress(pgn))
    assert (told["new"], told["kept_already"]) == (11, 5)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--speed", "blitz,rapid"], "speed"),
        (["--min-rating", "1600"], "weaker"),
        (["--max-rating", "1600"], "stronger"),
        (["--sample", "20%"], "sample"),
        (["--with-evals"], "evals"),
        (["--since", "2026-10-15"], "earlier"),
        (["--until", "2026-10-14"], "later"),
    ],
)
def test_what_is_left_out_is_counted_by_its_reason(
    options: list[str], reason: str, movelo: Movelo, dump: Path
) -> None:
    told = movelo.imported(str(dump), *options)
    assert told["left_out"][reason] == len(DUMP) - told["new"]
    assert 10 < told["new"] < 190
    assert len(movelo.stored_ids()) == told["new"]


def test_players_are_named_in_a_file_in_any_case(
    movelo: Movelo, dump: Path, tmp_path: Path
) -> None:
    names = tmp_path / "players.txt"
    white, black = names_in(DUMP[0])
    names.write_text(f"\ufeff{white.upper()}\r\n\r\n  {black.lower()} \r\n", encoding="utf-8")
    told = movelo.imported(str(dump), "--players", str(names))
    wanted = {
        game.split("lichess.org/")[1][:8] for game in DUMP if {white, black} & set(names_in(game))
    }
    assert movelo.stored_ids() == wanted
    assert told["left_out"]["players"] == len(DUMP) - len(wanted)


def test_the_same_sample_is_drawn_of_every_kind_of_file(movelo: Movelo, tmp_path: Path) -> None:
    records = export_games(300, plies=4)
    ndjson, pgn = tmp_path / "games.ndjson", tmp_path / "games.pgn"
    ndjson.write_text("".join(json.dumps(game) + "\n" for game in records))
    pgn.write_text(
        "".join(
            f'[Event "Rated Blitz game"]\n[Site "https://lichess.org/{game["id"]}"]\n'
            f'[White "A"]\n[Black "B"]\n\n{game["moves"]} *\n\n'
            for game in records
        )
    )
    drawn = movelo.imported(str(ndjson), "--sample", "10%")["new"]
    assert 10 < drawn < 60
    other = Movelo(tmp_path / "other", movelo.loaded)
    other.imported(str(pgn), "--sample", "10%")
    assert movelo.stored_ids("quillfeather") == other.stored_ids("a")


def test_one_table_says_what_became_of_the_games(movelo: Movelo, dump: Path) -> None:
    dump.write_bytes(dump.read_bytes()[:-300])
    done = movelo("import", str(dump), "--speed", "blitz", "--min-rating", "1500")
    assert done.returncode == 0
    for words in (
        "new in the store",
        "left out: of other speeds",
        "left out: with a rating below",
        "left out: cannot be read",
        "in all",
        "games a second",
    ):
        assert words in done.stdout
    assert "left out: " in done.stderr
    assert "the compressed file is cut or damaged here" in done.stderr


def test_a_cut_dump_is_taken_as_far_as_it_goes(movelo: Movelo, dump: Path) -> None:
    dump.write_bytes(dump.read_bytes()[:-300])
    told = movelo.imported(str(dump))
    assert 150 <= told["new"] < len(DUMP)
    assert told["first_unreadable"][-1]["where"].startswith(f"{dump}, after line ")
    assert movelo.stored_ids() <= IDS


def test_it_may_be_stopped_at_any_moment_and_started_again(movelo: Movelo) -> None:
    games = [game.encode() for game in made_games(2000)]
    for stop, given in ((signal.SIGKILL, 1000), (signal.SIGINT, 2000)):
        process = movelo.start("import", "-")
        assert process.stdin is not None
        process.stdin.write(b"".join(games[:given]))
        process.stdin.flush()
        kept = wait_for_games(movelo, given // 2)
        process.send_signal(stop)
        _, err = process.communicate(timeout=60)
        assert process.returncode == (-stop if stop == signal.SIGKILL else 128 + stop)
        assert b"Traceback" not in err
    told = movelo.imported("-", stdin=b"".join(games))
    assert told["kept_already"] >= kept
    assert told["new"] + told["kept_already"] == 2000
    assert count_games(movelo) == 2000


def wait_for_games(movelo: Movelo, least: int) -> int:
    """How many are kept, once there are so many; standard input stays open, so none is the last."""
    ends_at = time.monotonic() + 60
    while time.monotonic() < ends_at:
        if (count := count_games(movelo)) >= least:
            return count
        time.sleep(0.02)
    raise AssertionError("nothing was kept within a minute")


def count_games(movelo: Movelo) -> int:
    file = movelo.folder / "data" / "movelo.sqlite"
    if not file.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            (count,) = connection.execute("select count(*) from games").fetchone()
    except sqlite3.OperationalError:  # it is being made
        return 0
    return int(count)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--sample", "1"], "no percentage"),
        (["--sample", "0%"], "no percentage"),
        (["--sample", "101%"], "no percentage"),
        (["--speed", "slow"], "'slow' is none of"),
        (["--since", "yesterday"], "is no date"),
        (["--players", "missing.txt"], "missing.txt cannot be read"),
        (["--players", os.devnull], "names no player"),
    ],
)
def test_an_option_that_means_nothing_is_said(
    options: list[str], words: str, movelo: Movelo, dump: Path
) -> None:
    done = movelo("import", str(dump), *options)
    assert done.returncode != 0
    assert words in " ".join(done.stderr.replace("│", " ").split())


def test_a_file_that_is_not_there_is_one_sentence(movelo: Movelo) -> None:
    done = movelo("import", "missing.pgn.zst")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "movelo: there is no file missing.pgn.zst; check the path."
    )


@pytest.fixture
def lichess() -> Iterator[FakeLichess]:
    with FakeLichess() as lichess:
        yield lichess


def test_a_report_finds_what_was_imported_and_still_asks_for_what_was_not(
    movelo: Movelo, lichess: FakeLichess, tmp_path: Path
) -> None:
    records = export_games(8, plies=40)
    lichess.add_player("Quillfeather", games=records[:4])
    older = tmp_path / "older.ndjson"
    older.write_text("".join(json.dumps(game) + "\n" for game in records[3:]))
    assert movelo.imported(str(older))["new"] == 5
    done = movelo(
        "report",
        "quillfeather",
        "--json",
        MOVELO_LICHESS__BASE_URL=lichess.base_url,
        STOCKFISH_PATH=str(write_fake_engine(tmp_path)),
    )
    assert done.returncode == 0, done.stderr
    reported = [game["id"] for game in json.loads(done.stdout)["games"]]
    assert reported == [record["id"] for record in records]
