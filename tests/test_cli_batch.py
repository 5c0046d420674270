"""`movelo batch` and `movelo schedule` as a user meets them: real processes, a fake Lichess.

Where a batch is stopped or a schedule run they are started from nothing, otherwise with their
libraries loaded.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from fake_lichess import Cut, EndedInsideLine, FakeLichess, StallForEver, too_many_requests
from loaded_movelo import LoadedMovelo
from made_batch import player_games, report_processes_of

from pipeline.store import Store

pytest.importorskip("pyarrow")

ROOT = Path(__file__).parent.parent


class Movelo:
    """`movelo` in processes of its own, with a data folder and a Lichess of its own."""

    def __init__(self, folder: Path, lichess: FakeLichess, loaded: LoadedMovelo) -> None:
        self.folder = folder
        self.loaded = loaded
        self.lichess = lichess
        self.out = folder / "out"
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("MOVELO_", "LICHESS_"))},
            "MOVELO_DATA": str(folder / "data"),
            "MOVELO_CONFIG": str(folder / "movelo.toml"),
            "MOVELO_LICHESS__BASE_URL": lichess.base_url,
            "MOVELO_STRENGTH__HUMAN_MODEL": "false",
            "NO_PROXY": "127.0.0.1",
            "PYTHONWARNINGS": "error",
            "COLUMNS": "120",
            "TZ": "UTC",
        }

    def start(self, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "pipeline.cli", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env=self.environment | environment,
        )

    def from_nothing(self, *arguments: str) -> tuple[int, str, str]:
        process = self.start(*arguments)
        out, err = process.communicate(timeout=180)
        assert "Traceback" not in err
        return process.returncode, out, err

    def run(self, *arguments: str) -> tuple[int, str, str]:
        done = self.loaded(arguments, self.environment, self.folder)
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout, done.stderr

    def batch(self, *arguments: str) -> tuple[int, str, str]:
        return self.run("batch", *arguments, "--out", str(self.out))

    def players_done(self) -> int:
        """Whose outcome is kept: a report's file is there a moment before."""
        with (
            suppress(sqlite3.Error),
            closing(sqlite3.connect(self.folder / "data" / "movelo.sqlite")) as store,
        ):
            return int(store.execute("SELECT count(*) FROM batch_players").fetchone()[0])
        return 0

    def summary(self) -> dict[str, object]:
        found: dict[str, object] = json.loads((self.out / "summary.json").read_text())
        return found


@pytest.fixture
def movelo(tmp_path: Path, loaded: LoadedMovelo) -> Iterator[Movelo]:
    """Three players with evaluated games, a team and an arena of theirs."""
    with FakeLichess() as lichess:
        for name in ("Anna", "Bert", "Carl"):
            lichess.add_player(name, games=player_games(name, 4, analysed=True))
        lichess.teams["made-team"] = ["Anna", "Bert"]
        lichess.arenas["Arena123"] = ["Carl", "Anna"]
        yield Movelo(tmp_path, lichess, loaded)


def test_a_team_is_reported_on_and_a_second_run_does_nothing(movelo: Movelo) -> None:
    code, out, err = movelo.batch("--team", "https://lichess.org/team/made-team")
    assert code == 0, err
    assert "New reports" in out
    assert "2 players, 2 new reports, 0 unchanged." in out
    assert {f.name for f in (movelo.out / "reports").iterdir()} == {"Anna.html", "Bert.html"}
    code, out, err = movelo.batch("--team", "made-team")
    assert (code, out) == (0, "2 players, 0 new reports, 2 unchanged.\n")
    assert movelo.lichess.most_at_once == 1


def test_an_arena_and_a_list_make_one_batch_of_everybody_once(movelo: Movelo) -> None:
    names = movelo.folder / "names.txt"
    names.write_text("\ufeffbert  # our captain\n\n# guests\nCARL\n", encoding="utf-8")
    code, out, err = movelo.batch(str(names), "--arena", "Arena123", "--json")
    assert code == 0, err
    assert (json.loads(out)["players"], json.loads(out)["states"]) == (3, {"reported": 3})


def test_a_player_who_is_not_there_makes_it_partial(movelo: Movelo) -> None:
    movelo.lichess.teams["made-team"].append("Gone_away")
    code, out, _err = movelo.batch("--team", "made-team")
    assert code == 3
    assert "Gone_away: Lichess knows no player called Gone_away; check the spelling." in out
    assert "3 players, 2 new reports, 0 unchanged, 1 without a report." in out
    assert movelo.summary()["exit_code"] == 3


def test_faults_on_the_way_change_nothing(movelo: Movelo) -> None:
    faults = movelo.lichess.faults
    faults.roster += [EndedInsideLine(20), too_many_requests(retry_after="1")]
    faults.games += [Cut(after_bytes=900), too_many_requests(retry_after="1")]
    code, out, err = movelo.batch("--team", "made-team")
    assert code == 0, err
    assert "2 players, 2 new reports" in out
    assert "slow down (429)" in err


def test_stopped_and_started_again_it_goes_on(movelo: Movelo) -> None:
    movelo.lichess.add_player("Zoe", games=player_games("Zoe", 4, analysed=True))
    movelo.lichess.teams["made-team"].append("Zoe")
    movelo.lichess.faults.games += [EndedInsideLine(10**6)] * 2 + [StallForEver(after_bytes=100)]
    process = movelo.start("batch", "--team", "made-team", "--out", str(movelo.out))
    wait_for(lambda: movelo.players_done() == 2)
    process.send_signal(signal.SIGINT)
    _out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Stopped. What was fetched and evaluated is kept" in err
    code, out, _err = movelo.batch("--team", "made-team")
    assert (code, "3 players, 1 new report, 2 unchanged." in out) == (0, True)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is known after a minute")
def test_killed_it_goes_on_at_once(movelo: Movelo) -> None:
    movelo.lichess.faults.games += [StallForEver(after_bytes=100)]
    process = movelo.start("batch", "--team", "made-team", "--out", str(movelo.out))
    wait_for(lambda: any("games" in path for path in movelo.lichess.paths()))
    process.kill()
    process.communicate(timeout=30)
    code, out, err = movelo.batch("--team", "made-team")
    assert (code, "2 players, 2 new reports, 0 unchanged." in out) == (0, True), err


def test_two_at_once_in_one_folder_are_one_too_many(movelo: Movelo) -> None:
    movelo.lichess.faults.games += [StallForEver(after_bytes=100)]
    first = movelo.start("batch", "--team", "made-team", "--out", str(movelo.out))
    wait_for(lambda: any("games" in path for path in movelo.lichess.paths()))
    code, _out, err = movelo.batch("--team", "made-team")
    assert code == 1
    assert f"The batch in {movelo.out} is being made already" in err
    first.send_signal(signal.SIGTERM)
    first.communicate(timeout=30)
    code, _out, err = movelo.batch("--team", "made-team")
    assert code == 0, err


def test_a_dump_is_read_once_and_lichess_not_asked(movelo: Movelo) -> None:
    dump = movelo.folder / "games.ndjson"
    games = [*player_games("Anna", 3, analysed=True), *player_games("Bert", 2, analysed=True)]
    dump.write_text("".join(json.dumps(game) + "\n" for game in games), encoding="utf-8")
    code, out, err = movelo.batch("--dump", str(dump), "--min-games", "3")
    assert code == 0, err
    assert "2 players, 2 new reports" in out  # Anna, and Moorhenry, who played everybody
    assert (movelo.out / "reports" / "Moorhenry.html").exists()
    code, out, err = movelo.batch("--dump", str(dump), "--min-games", "3")
    assert (code, "Reading games.ndjson" in err) == (0, False)
    code, out, _err = movelo.batch("--dump", str(dump))
    assert "3 players, 1 new report, 2 unchanged." in out
    assert movelo.lichess.seen == []


def test_processes_that_are_killed_cost_nobody_a_report(movelo: Movelo) -> None:
    dump = movelo.folder / "games.ndjson"
    names = [f"Player{number}" for number in range(8)]
    games = [game for name in names for game in player_games(name, 15, analysed=True, plies=40)]
    for number, game in enumerate(games):
        game["id"] = f"{number:08d}"
    dump.write_text("".join(json.dumps(game) + "\n" for game in games), encoding="utf-8")
    arguments = ["batch", "--dump", str(dump), "--workers", "2", "--out", str(movelo.out)]
    process = movelo.start(*arguments)
    wait_for(lambda: report_processes_of(process.pid))
    for report_process in report_processes_of(process.pid):
        report_process.kill()
    out, err = process.communicate(timeout=60)
    assert (process.returncode, "9 players, 9 new reports, 0 unchanged." in out) == (0, True), err
    assert "Traceback" not in err
    listed = (movelo.out / "summary.ndjson").read_text().splitlines()
    assert {told["games"] for told in map(json.loads, listed)} == {15, 100}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "say whom"),
        (["--team", "no such team"], "is no team on Lichess"),
        (["--team", "unknown"], "Lichess has no team unknown"),
        (["--arena", "nope"], "is no arena on Lichess"),
        (["missing.txt"], "missing.txt cannot be read"),
        (["--dump", "missing.pgn.zst"], "there is no file missing.pgn.zst"),
        (["--team", "made-team", "--min-games", "3"], "give --dump, and no names"),
        (["--team", "made-team", "--format", "pdf"], "none of html, json, csv, none"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    movelo: Movelo, arguments: list[str], said: str
) -> None:
    code, _out, err = movelo.batch(*arguments)
    assert code in (1, 2)
    assert said in " ".join(err.replace("│", " ").split())


def test_a_schedule_that_was_missed_is_run_in_its_folder(movelo: Movelo) -> None:
    command = ["batch", "--team", "made-team", "--out", "club"]
    code, _out, err = movelo.run("schedule", "add", "--zone", "UTC", "club", "0 3 * * *", *command)
    assert code == 0, err
    assert "club runs next on" in err
    nights_ago(movelo, 3)
    code, _out, err = movelo.from_nothing("schedule", "run", "--once")
    assert code == 0, err
    assert (movelo.folder / "club" / "index.html").exists()
    _code, out, _err = movelo.run("schedule", "list", "--json")
    (schedule,) = json.loads(out)["schedules"]
    assert schedule["command"] == ["movelo", *command]
    assert (schedule["last_exit_code"], schedule["attempts"]) == (0, 1)
    assert schedule["next_due_at"].endswith("T03:00:00+00:00")


def nights_ago(movelo: Movelo, nights: int) -> None:
    """As if the schedule had been added then, and nothing had run since."""
    with Store(movelo.folder / "data" / "movelo.sqlite") as store:
        (schedule,) = store.schedules.all()
        store.schedules.remove(schedule.name)
        now_ms = schedule.handled_ms - nights * 24 * 3_600_000
        store.schedules.add(schedule.name, schedule.order, now_ms=now_ms)


def wait_for(is_there: object, seconds: float = 60) -> None:
    ends_at = time.monotonic() + seconds
    while not is_there():  # type: ignore[operator]
        assert time.monotonic() < ends_at, "it did not come"
        time.sleep(0.1)
