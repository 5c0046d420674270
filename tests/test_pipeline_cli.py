"""The commands as a user meets them: real processes, HTTP to a fake Lichess, a fake engine.

Each command is started from nothing at least once, and otherwise with its libraries loaded.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from fake_lichess import Cut, FakeLichess, not_found
from fake_uci_engine import processes_of, searches_of, write_fake_engine
from loaded_movelo import LoadedMovelo
from made_games import random_export_game
from made_maia import write_made_model

from engines.evals import Centipawns
from pipeline.formulas.win_percent import win_percent

ROOT = Path(__file__).parent.parent
PLAYER = "Quillfeather"


class Movelo:
    """Runs `movelo` with a data folder, an engine and a Lichess of its own."""

    def __init__(self, folder: Path, lichess: FakeLichess, loaded: LoadedMovelo) -> None:
        self.folder = folder
        self.lichess = lichess
        self.loaded = loaded
        self.engine = write_fake_engine(folder)
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("MOVELO_", "LICHESS_"))},
            "MOVELO_DATA": str(folder / "data"),
            "MOVELO_CONFIG": str(folder / "movelo.toml"),
            "MOVELO_LICHESS__BASE_URL": lichess.base_url,
            "STOCKFISH_PATH": str(self.engine),
            "PYTHONWARNINGS": "error",
            "COLUMNS": "100",
            "TZ": "UTC",
        }

    def start(self, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "pipeline.cli", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=self.environment | environment,
            start_new_session=True,
        )

    def __call__(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        done = self.loaded(arguments, self.environment | environment, ROOT)
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def from_nothing(
        self, *arguments: str, stdin: str = "", **environment: str
    ) -> "subprocess.CompletedProcess[str]":
        process = self.start(*arguments, **environment)
        out, err = process.communicate(stdin, timeout=120)
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def report(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        out = ("--out", str(self.folder / "reports"))
        return self("report", PLAYER, *out, *arguments, **environment)


@pytest.fixture
def lichess() -> Iterator[FakeLichess]:
    with FakeLichess() as lichess:
        yield lichess


@pytest.fixture
def movelo(tmp_path: Path, lichess: FakeLichess, loaded: LoadedMovelo) -> Movelo:
    return Movelo(tmp_path, lichess, loaded)


def export_games(count: int, **fields: object) -> list[dict[str, object]]:
    return [random_export_game(seed, plies=60, **fields) for seed in range(count)]  # type: ignore[arg-type]


def ndjson(records: list[dict[str, object]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def one_sentence(text: str) -> str:
    """The last line on standard error: what a user reads when it went wrong."""
    (sentence,) = [line for line in text.splitlines() if line.startswith("movelo: ")]
    return sentence


# --- report ----------------------------------------------------------------------------------


def test_from_a_username_to_a_report(movelo: Movelo, lichess: FakeLichess) -> None:
    lichess.add_player(PLAYER, games=export_games(6))
    out = ("--out", str(movelo.folder / "reports"))
    done = movelo.from_nothing("report", PLAYER, *out, "--format", "terminal,html,json,csv")
    assert done.returncode == 0, done.stderr
    assert PLAYER in done.stdout
    for suffix in ("html", "json", "csv"):
        file = movelo.folder / "reports" / f"{PLAYER}.{suffix}"
        assert file.read_text(encoding="utf-8")
        assert f"{suffix.upper()} report: {file}" in done.stderr
    assert processes_of(movelo.engine) == []


def test_offline_the_store_is_reported_on_and_lichess_is_not_asked(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    games = movelo.folder / "games.ndjson"
    games.write_text(ndjson(export_games(4)))
    assert movelo.from_nothing("import", str(games)).returncode == 0
    done = movelo.report("--offline", "--json")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["games"]) == 4
    assert lichess.paths() == []
    nobody = movelo("report", "Nobody", "--offline")
    assert nobody.returncode != 0
    assert "No blitz or rapid games of Nobody" in one_sentence(nobody.stderr)


def test_lichess_s_cloud_and_tablebase_are_asked_only_where_the_settings_say_so(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, games=export_games(2))
    lichess.positions.add_cloud_eval(chess.STARTING_FEN, "e2e4 e7e5", cp=-123)
    plain = movelo.report("--json")
    assert not [path for path in lichess.paths() if "cloud" in path]
    asking = {
        "MOVELO_ENGINE__LICHESS_CLOUD": "true",
        "MOVELO_ENGINE__LICHESS_TABLEBASE": "true",
        "MOVELO_LICHESS__TABLEBASE_URL": lichess.base_url,
    }
    searches = searches_of(movelo.engine)
    asked = movelo.report("--json", **asking)
    assert asked.returncode == plain.returncode == 0
    reports = [json.loads(done.stdout) for done in (plain, asked)]
    chances = [
        [game["moves"][0]["win_percent_before"] for game in report["games"]] for report in reports
    ]
    assert chances[1] == [pytest.approx(win_percent(Centipawns(-123)), abs=0.01)] * 2
    assert chances[0] != chances[1]
    # Evaluations of the first run are kept, and not taken for those of the second.
    assert searches_of(movelo.engine) - searches > 2 * 50
    assert any("Lichess's cloud" in note for note in reports[1]["notes"])
    assert not any("Lichess's cloud" in note for note in reports[0]["notes"])


def test_the_human_move_model_takes_part_once_it_is_installed(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, games=export_games(3))
    assert "movelo model install" in unwrapped(movelo.report("--format", "terminal").stdout)
    write_made_model(model_place(movelo))
    report = json.loads(movelo.report("--json").stdout)
    assert [s["strength"]["games_with_human_model"] for s in report["speeds"]] == [3]
    unwanted = movelo.report("--format", "terminal", MOVELO_STRENGTH__HUMAN_MODEL="false")
    assert "from Stockfish's view alone" in unwrapped(unwanted.stdout)
    assert "movelo model install" not in unwrapped(unwanted.stdout)


def test_a_broken_human_move_model_is_said_once_and_the_report_is_made(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, games=export_games(3))
    model_place(movelo).write_bytes(b"half a network")
    done = movelo.report("--format", "terminal")
    assert done.returncode == 0
    assert done.stderr.count("Going on without the human-move model") == 1
    assert "movelo model install" in unwrapped(done.stdout)


def unwrapped(text: str) -> str:
    """Whatever the width of the terminal."""
    return " ".join(text.split())


def model_place(movelo: Movelo) -> Path:
    """Where the human-move model is looked for."""
    file = movelo.folder / "data" / "models" / "maia3-5m.onnx"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def test_the_second_time_nothing_is_fetched_or_computed_again(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, games=export_games(4))
    first = movelo.report("--json")
    searches = searches_of(movelo.engine)
    second = movelo.report("--json")
    assert searches_of(movelo.engine) - searches <= 2  # a trial of the engine, no game
    one, other = json.loads(first.stdout), json.loads(second.stdout)
    assert one["games"] == other["games"]
    assert int(lichess.seen[-1].query["since"]) >= max(
        int(str(game["createdAt"])) for game in export_games(4)
    )


def test_json_goes_to_standard_output_and_nothing_else(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, games=export_games(3))
    done = movelo.report("--json")
    report = json.loads(done.stdout)
    assert report["player"] == PLAYER
    assert not (movelo.folder / "reports").exists()
    for game in report["games"]:
        for color in ("white", "black"):
            strength = game[color]["strength"]
            ranged = {"scale", "low", "median", "high", "coverage", "games", "moves"}
            ranged |= {"games_with_human_model", "with_pairing"}
            assert set(strength) in (ranged, {"reason"})


def test_lichess_is_told_who_asks_and_asked_once_at_a_time(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, games=export_games(2))
    movelo.report("--json", LICHESS_TOKEN="lip_secret")
    agents = {request.headers["user-agent"] for request in lichess.seen}
    assert all(agent.startswith("movelo/") for agent in agents)
    assert {r.headers["authorization"] for r in lichess.seen} == {"Bearer lip_secret"}
    assert lichess.most_at_once == 1


def test_speed_last_and_dates_choose_the_games(movelo: Movelo, lichess: FakeLichess) -> None:
    day = 86_400_000
    start = 1_767_225_600_000  # 2026-01-01T00:00Z
    games = [
        random_export_game(
            n, plies=30, created_at_ms=start + n * day, speed="rapid" if n % 2 else "blitz"
        )
        for n in range(10)
    ]
    lichess.add_player(PLAYER, games=games)
    chosen = movelo.report("--json", "--speed", "rapid", "--since", "2026-01-03", "--last", "2")
    report = json.loads(chosen.stdout)
    assert [game["speed"] for game in report["games"]] == ["rapid", "rapid"]
    until = json.loads(movelo.report("--json", "--until", "2026-01-02").stdout)
    assert {game["id"] for game in until["games"]} == {games[0]["id"], games[1]["id"]}


def test_a_cut_stream_is_taken_up_again(movelo: Movelo, lichess: FakeLichess) -> None:
    lichess.add_player(PLAYER, games=export_games(8, analysed=True))
    lichess.faults.games += [Cut(after_bytes=4_000)]
    done = movelo.report("--json")
    assert len(json.loads(done.stdout)["games"]) == 8


@pytest.mark.parametrize(
    ("account", "sentence"),
    [
        (None, "Lichess knows no player called Quillfeather"),
        ({"closed": True}, "is closed"),
        ({"marked": True}, "terms of service"),
        ({}, "refuses this program"),
    ],
)
def test_a_404_has_four_meanings(
    movelo: Movelo, lichess: FakeLichess, account: dict[str, bool] | None, sentence: str
) -> None:
    if account is not None:
        lichess.add_player(PLAYER, games=export_games(1), **account)
        lichess.faults.games += [not_found()]
    done = movelo.report()
    assert done.returncode == 1
    assert sentence in one_sentence(done.stderr)


def test_no_network_is_one_sentence(movelo: Movelo) -> None:
    done = movelo.report(MOVELO_LICHESS__BASE_URL="http://127.0.0.1:9")
    assert done.returncode == 1
    assert "127.0.0.1:9" in one_sentence(done.stderr)


def test_no_games_says_what_there_was(movelo: Movelo, lichess: FakeLichess) -> None:
    lichess.add_player(PLAYER, games=export_games(3, speed="bullet"))
    done = movelo.report()
    assert done.returncode == 1
    assert "No blitz or rapid games of Quillfeather" in one_sentence(done.stderr)
    assert "3 bullet" in done.stderr


def test_no_engine_is_one_sentence_and_not_needed_for_analysed_games(
    movelo: Movelo, lichess: FakeLichess, tmp_path: Path
) -> None:
    lichess.add_player(PLAYER, games=export_games(2))
    done = movelo.report(STOCKFISH_PATH="/nowhere/stockfish")
    assert done.returncode == 1
    assert "/nowhere/stockfish" in one_sentence(done.stderr)
    lichess.add_player(PLAYER, games=export_games(2, analysed=True))
    own_folder = {"MOVELO_DATA": "", "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    assert movelo.report(STOCKFISH_PATH="/nowhere/stockfish", **own_folder).returncode == 0


def test_an_engine_that_dies_in_one_game_costs_that_game_only(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    games = export_games(3)
    lichess.add_player(PLAYER, games=games)
    written = write_fake_engine(movelo.folder, "--crash-on", "a2a4", name="crashing")
    done = movelo.report("--json", "--workers", "1", STOCKFISH_PATH=str(written))
    report = json.loads(done.stdout)
    assert len(report["games"]) == 3
    doomed = [g["id"] for g in games if "a4" in str(g["moves"]).split()[::2]]
    assert 0 < len(doomed) < 3
    set_aside = " ".join(str(left) for left in report["set_aside"])
    assert all(str(game_id) in set_aside for game_id in doomed)
    assert processes_of(written) == []


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_keeps_what_was_done_and_the_next_run_continues(
    movelo: Movelo, lichess: FakeLichess, stop: signal.Signals
) -> None:
    lichess.add_player(PLAYER, games=export_games(4))
    slow = write_fake_engine(movelo.folder, "--late", "0.02", name="slow")
    process = movelo.start("report", PLAYER, "--json", "--workers", "1", STOCKFISH_PATH=str(slow))
    deadline = time.monotonic() + 60
    while searches_of(slow) < 100 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(stop)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 128 + stop, err
    assert out == "" and "Stopped. What was fetched and evaluated is kept" in err
    assert processes_of(slow) == []
    done_before = searches_of(slow)
    done = movelo.report("--json", "--workers", "1", STOCKFISH_PATH=str(slow))
    assert len(json.loads(done.stdout)["games"]) == 4
    positions = sum(len(str(game["moves"]).split()) + 1 for game in export_games(4))
    assert searches_of(slow) - done_before < positions - 50


def test_a_report_that_cannot_be_written_is_one_sentence(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, games=export_games(1, analysed=True))
    (movelo.folder / "reports").write_text("in the way")
    done = movelo.report()
    assert done.returncode == 1
    assert "Cannot write" in one_sentence(done.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
def test_a_full_disk_under_standard_output_is_one_sentence(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, games=export_games(1, analysed=True))
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pipeline.cli", "report", PLAYER, "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=movelo.environment,
            timeout=60,
        )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "No space left on device" in one_sentence(done.stderr)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--speed", "blitz,fast"), "'fast' is none of"),
        (("--since", "yesterday"), "'yesterday' is no date"),
        (("--format", "docx"), "'docx' is none of"),
        (("--nodes", "5"), "--nodes"),
        (("--budget", "quick"), "--budget"),
        (("--budget", "fast", "--nodes", "500"), "give --nodes or --budget"),
        (("--last", "-1"), "--last"),
        (("--frobnicate",), "--frobnicate"),
    ],
)
def test_a_wrong_option_is_named_and_exits_with_2(
    movelo: Movelo, arguments: tuple[str, ...], words: str
) -> None:
    done = movelo.report(*arguments)
    assert done.returncode == 2
    assert words in done.stderr


def test_an_unknown_setting_is_named(movelo: Movelo) -> None:
    (movelo.folder / "movelo.toml").write_text("[engine]\nnodes = 5\n")
    done = movelo.report()
    assert done.returncode == 2
    assert "Setting engine.nodes" in one_sentence(done.stderr)


def test_a_budget_is_so_many_nodes(movelo: Movelo, lichess: FakeLichess) -> None:
    lichess.add_player(PLAYER, games=export_games(1))
    (game,) = json.loads(
        movelo.report("--json", "--budget", "fast", MOVELO_ENGINE__BUDGETS__FAST="4321").stdout
    )["games"]
    assert game["limit"]["nodes_per_position"] == 4321


def test_evaluations_made_with_other_engine_options_are_kept_apart(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, games=export_games(1))
    searches = []
    for contempt in ("7", "7", "8"):
        before = searches_of(movelo.engine)
        done = movelo.report(MOVELO_ENGINE__OPTIONS=json.dumps({"Contempt": contempt}))
        assert done.returncode == 0, done.stderr
        searches.append(searches_of(movelo.engine) - before)
    assert searches[0] == searches[2] > searches[1]


def test_an_engine_option_that_movelo_sets_itself_is_refused(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    lichess.add_player(PLAYER, games=export_games(1))
    done = movelo.report(MOVELO_ENGINE__OPTIONS='{"Threads": 4}')
    assert done.returncode == 2
    assert one_sentence(done.stderr).endswith("Threads is set by movelo; remove it.")


# --- files -----------------------------------------------------------------------------------


def test_games_come_from_a_file_or_from_standard_input(movelo: Movelo) -> None:
    text = ndjson(export_games(3, analysed=True))
    file = movelo.folder / "games.ndjson"
    file.write_text(text, encoding="utf-8")
    from_file = movelo.report("--json", "--from", str(file))
    from_stdin = movelo.from_nothing("report", PLAYER, "--json", "--from", "-", stdin=text)
    assert json.loads(from_file.stdout)["games"] == json.loads(from_stdin.stdout)["games"]
    assert len(json.loads(from_file.stdout)["games"]) == 3
    assert movelo.lichess.seen == []


def test_a_line_cut_in_half_is_named_and_the_rest_is_used(movelo: Movelo) -> None:
    file = movelo.folder / "games.ndjson"
    file.write_text(ndjson(export_games(3, analysed=True))[:-400], encoding="utf-8")
    report = json.loads(movelo.report("--json", "--from", str(file)).stdout)
    assert len(report["games"]) == 2
    assert "line 3" in str(report["set_aside"])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "games.txt"),
        ("", "empty"),
        ("Dear diary, today I lost on time.\n", "neither"),
    ],
)
def test_a_file_without_games_is_one_sentence(
    movelo: Movelo, content: str | None, words: str
) -> None:
    file = movelo.folder / "games.txt"
    if content is not None:
        file.write_text(content)
    done = movelo.report("--from", str(file))
    assert done.returncode == 1
    assert words in one_sentence(done.stderr)


# --- game, engine, doctor, demo ----------------------------------------------------------------


def test_one_game_by_its_address_its_id_or_from_a_file(
    movelo: Movelo, lichess: FakeLichess
) -> None:
    (record,) = export_games(1)
    lichess.add_player(PLAYER, games=[record])
    file = movelo.folder / "game.ndjson"
    file.write_text(ndjson([record]), encoding="utf-8")
    addresses = (f"https://lichess.org/{record['id']}/black#12", str(record["id"]), str(file))
    reports = [json.loads(movelo("game", address, "--json").stdout) for address in addresses]
    assert reports[0] == reports[1] == reports[2]
    assert len(reports[0]["moves"]) == len(str(record["moves"]).split())
    shown = movelo.from_nothing("game", str(file))
    assert shown.returncode == 0
    assert PLAYER in shown.stdout


@pytest.mark.parametrize(
    ("which", "words"),
    [
        ("abcdefgh", "abcdefgh"),
        ("no/such/file.pgn", "no file here"),
        ("https://example.com/abcdefgh", "neither a Lichess game's address"),
    ],
)
def test_a_game_that_is_not_there_is_one_sentence(movelo: Movelo, which: str, words: str) -> None:
    done = movelo("game", which)
    assert done.returncode == 1
    assert words in one_sentence(done.stderr)


def test_a_game_number_beyond_the_file_is_one_sentence(movelo: Movelo) -> None:
    file = movelo.folder / "games.ndjson"
    file.write_text(ndjson(export_games(2)), encoding="utf-8")
    done = movelo("game", str(file), "--number", "5")
    assert "has 2 games; there is no number 5" in one_sentence(done.stderr)


def test_engine_info_says_which_engine_is_used(movelo: Movelo) -> None:
    done = movelo.from_nothing("engine", "info")
    assert done.returncode == 0
    assert str(movelo.engine) in done.stdout
    assert "nn-fake.nnue" in done.stdout


def test_doctor_says_what_is_missing_and_how_to_get_it(movelo: Movelo) -> None:
    well = movelo.from_nothing("doctor")
    assert well.returncode == 0, well.stdout
    assert str(movelo.engine) in well.stdout
    for wrong, words in (
        ({"STOCKFISH_PATH": "/nowhere/stockfish"}, "/nowhere/stockfish"),
        ({"MOVELO_GAMES__LAST": "many"}, "Setting games.last"),
    ):
        ill = movelo("doctor", **wrong)
        assert ill.returncode == 1
        assert "MISSING" in ill.stdout and words in ill.stdout


def test_the_demonstration_runs_offline_and_says_what_it_is(movelo: Movelo) -> None:
    out = ("--out", str(movelo.folder / "demo"))
    done = movelo.from_nothing("demo", *out, "--format", "html,json")
    assert done.returncode == 0, done.stderr
    assert movelo.lichess.seen == []
    page = (movelo.folder / "demo" / "demo-player.html").read_text(encoding="utf-8")
    assert "demonstration games" in page
    report = json.loads((movelo.folder / "demo" / "demo-player.json").read_text())
    assert len(report["games"]) == 40
    assert {speed["speed"] for speed in report["speeds"]} == {"blitz", "rapid"}


@pytest.mark.parametrize(
    "command", [(), ("report",), ("game",), ("evaluate",), ("train",), ("engine",), ("doctor",)]
)
def test_every_command_explains_itself(movelo: Movelo, command: tuple[str, ...]) -> None:
    done = movelo.from_nothing(*command, "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout


def test_the_version_is_that_of_the_project(movelo: Movelo) -> None:
    assert f'version = "{movelo.from_nothing("--version").stdout.split()[1]}"' in (
        ROOT / "pyproject.toml"
    ).read_text(encoding="utf-8")


def test_analyse_writes_evaluations_that_evaluate_takes(movelo: Movelo) -> None:
    file, evals = movelo.folder / "games.ndjson", movelo.folder / "evals.jsonl"
    file.write_text(ndjson(export_games(6)), encoding="utf-8")
    done = movelo.from_nothing("analyse", str(file), "--sample", "4", "--out", str(evals))
    assert done.returncode == 0, done.stderr
    assert "4 games evaluated" in done.stdout
    measured = movelo("evaluate", str(file), "--evals", str(evals), "--json")
    assert json.loads(measured.stdout)["player_games"] == 8
    searches = searches_of(movelo.engine)
    movelo("analyse", str(file), "--sample", "4", "--out", str(evals))
    assert searches_of(movelo.engine) - searches <= 2


def test_evaluate_without_evaluations_says_what_is_missing(movelo: Movelo) -> None:
    file = movelo.folder / "games.ndjson"
    file.write_text(ndjson(export_games(2)), encoding="utf-8")
    done = movelo("evaluate", str(file))
    assert done.returncode == 1
    assert "no evaluations" in one_sentence(done.stderr)
    assert movelo("evaluate", str(movelo.folder / "nothing.ndjson")).returncode == 1


def test_evaluate_prints_error_coverage_and_width(movelo: Movelo) -> None:
    file = movelo.folder / "games.ndjson"
    file.write_text(ndjson(export_games(12, analysed=True)), encoding="utf-8")
    done = movelo.from_nothing("evaluate", str(file))
    assert done.returncode == 0, done.stderr
    for word in ("MAE", "constant", "covers", "width", "Blitz: 80 % ranges", "1 game", "bias"):
        assert word in done.stdout
