"""`movelo sync` as a user meets it: real processes, HTTP to a fake Lichess, real waits.

Where it is stopped it is started from nothing, otherwise with its libraries loaded.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from fake_lichess import (
    Changed,
    Cut,
    FakeLichess,
    Stall,
    StallForEver,
    bad_gateway,
    too_many_requests,
)
from loaded_movelo import LoadedMovelo
from made_games import export_games, random_export_game
from rich.console import Console

from pipeline.cli.sync_progress import SyncProgress
from pipeline.store import Store

ROOT = Path(__file__).parent.parent
PLAYER = "Quillfeather"


class Movelo:
    """`movelo` in processes of its own, with a data folder and a Lichess of its own."""

    def __init__(self, folder: Path, lichess: FakeLichess, loaded: LoadedMovelo) -> None:
        self.loaded = loaded
        self.store_file = folder / "data" / "movelo.sqlite"
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("MOVELO_", "LICHESS_"))},
            "MOVELO_DATA": str(folder / "data"),
            "MOVELO_CONFIG": str(folder / "movelo.toml"),
            "MOVELO_LICHESS__BASE_URL": lichess.base_url,
            "NO_PROXY": "127.0.0.1",
            "PYTHONWARNINGS": "error",
            "COLUMNS": "140",
            "TZ": "UTC",
        }

    def start(self, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "pipeline.cli", "sync", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=self.environment | environment,
        )

    def __call__(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        done = self.loaded(("sync", *arguments), self.environment | environment, ROOT)
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def told(self, *arguments: str, **environment: str) -> dict[str, Any]:
        """What --json says of the one player."""
        done = self(*arguments, "--json", **environment)
        assert done.returncode == 0, done.stderr
        (one,) = json.loads(done.stdout)["players"]
        assert one["wanted"] + sum(one["left_out"].values()) == one["new"] + one["came_again"]
        found: dict[str, Any] = one
        return found

    def stored_ids(self, player: str = PLAYER) -> set[str]:
        with Store(self.store_file) as store:
            ids = [json.loads(record)["id"] for record in store.games_of(player.casefold())]
        assert len(ids) == len(set(ids))
        return set(ids)


@pytest.fixture
def lichess() -> Iterator[FakeLichess]:
    with FakeLichess() as lichess:
        yield lichess


@pytest.fixture
def movelo(tmp_path: Path, lichess: FakeLichess, loaded: LoadedMovelo) -> Movelo:
    return Movelo(tmp_path, lichess, loaded)


def mixed_games() -> list[dict[str, Any]]:
    """Blitz 12 (one provisional, one against a bot), casual 5, bullet 4, others."""
    games = export_games(24, player=PLAYER)
    for game in games[:5]:
        game["rated"] = False
    for game in games[5:9]:
        game |= {"speed": "bullet", "perf": "bullet"}
    games[9] |= {"variant": "atomic", "perf": "atomic"}
    games[10] |= {"moves": "", "clocks": []}
    games[11] |= {"variant": "chess960", "perf": "chess960"}
    games[12]["players"]["white"]["provisional"] = True
    for player in games[13]["players"].values():
        if player["user"]["name"] != PLAYER:
            player["user"]["title"] = "BOT"
    return games


def recent_games(count: int) -> list[dict[str, Any]]:
    """All in the first window that is asked for."""
    newest_ms = round(time.time() * 1000) - 3 * 24 * 3600 * 1000
    return [
        game | {"createdAt": newest_ms - 600_000 * age}
        for age, game in enumerate(export_games(count))
    ]


def ids_of(games: list[dict[str, Any]]) -> set[str]:
    return {game["id"] for game in games}


def test_the_second_time_only_what_is_new_comes(movelo: Movelo, lichess: FakeLichess) -> None:
    lichess.add_player(PLAYER, export_games(30))
    first = movelo.told(PLAYER)
    assert (first["new"], first["known_before"], first["error"]) == (30, 0, None)
    second = movelo.told(PLAYER)
    assert (second["new"], second["known_before"], second["came_again"]) == (0, 30, 0)
    newer = random_export_game(99, created_at_ms=round((time.time() - 60) * 1000))
    lichess.add_player(PLAYER, [newer, *export_games(30)])
    third = movelo.told(PLAYER)
    assert (third["new"], third["known_before"]) == (1, 30)
    assert movelo.stored_ids() == ids_of([newer, *export_games(30)])


def test_all_is_kept_and_what_a_report_leaves_out_is_counted_by_reason(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, mixed_games())
    told = movelo.told(PLAYER, "--speed", "blitz")
    assert {reason: count for reason, count in told["left_out"].items() if count} == {
        "casual": 5,
        "speed": 4,
        "variant": 1,
        "too_short": 1,
    }
    assert (told["wanted"], told["provisional"], told["against_bots"]) == (13, 1, 1)
    assert told["lichess_counts"] == lichess.accounts[PLAYER.lower()]["perfs"]["blitz"]["games"]
    assert movelo.stored_ids() == ids_of(mixed_games())


def test_all_speeds_and_casual_games_count_where_they_are_asked_for(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, mixed_games())
    told = movelo.told(PLAYER, "--all-speeds", "--casual")
    assert told["wanted"] == 22
    assert movelo("--speed", "blitz", "--all-speeds", PLAYER).returncode == 2


def test_the_newest_n_games_and_no_more(movelo: Movelo, lichess: FakeLichess) -> None:
    lichess.add_player(PLAYER, export_games(60))
    assert movelo.told(PLAYER, "--last", "10")["wanted"] == 10
    assert movelo.stored_ids() == ids_of(export_games(60)[:10])
    movelo.told(PLAYER)
    assert movelo.stored_ids() == ids_of(export_games(60))


def test_days_that_are_asked_for(movelo: Movelo, lichess: FakeLichess) -> None:
    day_ms = 24 * 3600 * 1000
    games = [
        random_export_game(seed, created_at_ms=1_700_000_000_000 + seed * day_ms)
        for seed in range(10)
    ]
    lichess.add_player(PLAYER, games)
    assert movelo.told(PLAYER, "--since", "2023-11-16", "--until", "2023-11-18")["new"] == 3
    assert movelo.stored_ids() == ids_of(games[2:5])


def test_one_table_tells_of_every_player_and_who_failed_decides_the_exit_code(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, mixed_games())
    lichess.add_player("Shutterby", closed=True)
    lichess.add_player("Tobermolly", export_games(3, player="Tobermolly"))
    done = movelo(PLAYER, "Nobody_here", "Shutterby", "tobermolly", "TOBERMOLLY", "--speed=blitz")
    assert done.returncode == 1
    for words in ("5 casual", "4 other speed", "1 provisional", "1 against bots", "rated"):
        assert words in done.stdout
    assert "Nobody_here: Lichess knows no player" in done.stdout
    assert "Shutterby: the Lichess account Shutterby is closed" in done.stdout
    assert done.stdout.count("Tobermolly") == 1
    assert f"{PLAYER}: 0 games in the store, 24 at Lichess" in done.stderr
    shared = [g for g in mixed_games() if "Tobermolly" in json.dumps(g["players"])]
    assert movelo.stored_ids("Tobermolly") == ids_of([*shared, *export_games(3)])
    assert lichess.most_at_once == 1


def test_a_cut_and_a_stall_of_five_seconds_are_got_over(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, recent_games(40))
    lichess.faults.games += [Cut(17_000), Stall(5.0, 3_000)]
    told = movelo.told(PLAYER)
    assert (told["new"], told["waits"]) == (40, 1)
    assert movelo.stored_ids() == ids_of(export_games(40))


def test_silence_is_given_up_after_as_long_as_the_settings_say(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, recent_games(40))
    lichess.faults.games += [StallForEver(9_000)]
    told = movelo.told(PLAYER, MOVELO_LICHESS__READ_TIMEOUT_SECONDS="0.3")
    assert told["new"] == 40


def test_a_start_after_one_that_was_killed_waits_as_lichess_asked_that_one(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, recent_games(40))
    lichess.faults.games += [Cut(17_000), too_many_requests(retry_after="5")]
    first = movelo.start(PLAYER)
    assert first.stderr is not None
    for line in first.stderr:
        if "going on in 5 seconds" in line:
            break
    throttled_at, seen = time.monotonic(), len(lichess.seen)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    second = movelo(PLAYER)
    assert second.returncode == 0
    assert time.monotonic() - throttled_at >= 4.5
    assert "Lichess asked this machine to wait (429); going on in" in second.stderr
    assert len(lichess.seen) > seen
    assert movelo.stored_ids() == ids_of(export_games(40))


def test_ctrl_c_keeps_what_came_and_the_next_start_continues(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, recent_games(40))
    lichess.faults.games += [StallForEver(30_000)]
    first = movelo.start(PLAYER)
    for _ in range(400):
        if any("games" in path for path in lichess.paths()):
            break
        time.sleep(0.02)
    time.sleep(1.5)
    first.send_signal(signal.SIGINT)
    _, err = first.communicate(timeout=20)
    assert first.returncode == 130
    assert "Traceback" not in err and "continues there" in err
    kept = len(movelo.stored_ids())
    assert 0 < kept < 40
    assert movelo.told(PLAYER)["new"] == 40 - kept


def test_lichess_down_for_long_is_one_sentence_in_the_data_too(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, export_games(3))
    lichess.add_player("Tobermolly", export_games(3, player="Tobermolly"))
    again = {"MOVELO_LICHESS__BASE_URL": "http://127.0.0.1:9"}
    done = movelo(PLAYER, "Tobermolly", "--json", **again)
    assert done.returncode == 1
    for one in json.loads(done.stdout)["players"]:
        assert "cannot be reached" in one["error"] and "\n" not in one["error"]
    lichess.faults.user += [bad_gateway()]
    assert movelo.told(PLAYER)["new"] == 3


def test_a_record_without_an_id_is_said_and_counted(movelo: Movelo, lichess: FakeLichess) -> None:
    def nameless(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{k: v for k, v in games[0].items() if k != "id"}, *games[1:]] if games else []

    lichess.add_player(PLAYER, export_games(5))
    lichess.faults.games += [Changed(nameless)] * 9
    done = movelo(PLAYER)
    assert done.returncode == 0
    assert "no id or no time" in done.stderr
    assert "1 without id or time (not kept)" in done.stdout
    assert len(movelo.stored_ids()) == 4


def test_a_terminal_shows_games_of_how_many_the_rate_and_a_countdown() -> None:
    screen = StringIO()
    with SyncProgress(Console(file=screen, force_terminal=True, width=140)) as progress:
        progress.start(PLAYER, games=1000, total=5000)
        for games in range(1100, 1600, 100):
            progress.reach(games)
            time.sleep(0.05)
        progress.sleep(2.1)
        progress.say("Lichess asks to slow down.")
        progress.finish()
    shown = screen.getvalue()
    assert PLAYER in shown and "Lichess asks to slow down." in shown
    assert "1,500 of 5,000 games, " in shown and " games/s" in shown
    assert "going on in 3 s" in shown and "going on in 1 s" in shown
    assert (progress.waits, progress.waited_seconds) == (1, 2.1)
