"""`movelo elo …` as a user meets it: every example of the help, JSON, lists, bad input."""

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
import typer
from made_games import random_export_game

from pipeline.cli.app import app, main

ROOT = Path(__file__).parent.parent
PLAYER = "Quillfeather"
COMMANDS = typer.main.get_command(app).commands["elo"].commands  # type: ignore[attr-defined]
EXAMPLES = [
    (name, example)
    for name, command in sorted(COMMANDS.items())
    for example in re.findall(r"Example: movelo (.+?)\n\n", command.help + "\n\n", re.DOTALL)
]


class Run:
    """What one command did."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def sentence(self) -> str:
        assert "Traceback" not in self.err
        (sentence,) = [line for line in self.err.splitlines() if line.startswith("movelo: ")]
        return sentence.removeprefix("movelo: ")

    @property
    def json(self) -> dict[str, object]:
        assert self.out.count("\n") == 1
        found: dict[str, object] = json.loads(self.out)
        return found


@pytest.fixture
def movelo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Run]]:
    """The program's own entry, in this process: its arguments, its exit code, what it wrote."""
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: str, stdin: bytes = b"") -> Run:
        monkeypatch.setattr(sys, "argv", ["movelo", *arguments])
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        written = capsys.readouterr()
        return Run(int(ended.value.code or 0), written.out, written.err)

    yield run
    signal.signal(signal.SIGTERM, before)


Movelo = Callable[..., Run]


# --- every example -----------------------------------------------------------------------------


def test_every_command_has_an_example() -> None:
    assert {name for name, _ in EXAMPLES} == set(COMMANDS)


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=lambda value: value[:60])
def test_every_example_of_the_help_works(movelo: Movelo, name: str, example: str) -> None:
    arguments = shlex.split(example)
    shown = movelo(*arguments)
    assert (shown.code, shown.err) == (0, "")
    assert len(shown.out.splitlines()) >= 2
    answer = movelo(*arguments, "--json").json
    assert set(answer) == {"schema", "asked", "answer"}
    assert re.fullmatch(r"movelo\.elo-[a-z0-9-]+/1", str(answer["schema"]))


def test_the_program_itself_answers() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "pipeline.cli", "elo", "expected", "1500", "1700"],
        capture_output=True, text=True, cwd=ROOT, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "0.2403" in done.stdout


# --- the figures -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("change 1500 1700 1 --k 20", "1515.19"),
        ("period 1500 1400:1 1600:½ 1550:0 --k 20", "1500 → 1501.43"),
        ("period 1500 1400:1 1600:½ 1550:0 --k 20 --one-after-another", "1500 → 1500.96"),
        ("cma 600 575:1 600:1 625:0 650:1 675:½", "600 → 658"),
        ("uscf 1500 1400:1 1550:0 1650:½ --prior-games 6 --on 2025-11-01", "1500 → 1511.11"),
        ("glicko1 1500 200 1400/30:1 1550/100:0 1700/300:0", "1500 → 1464.11"),
        ("performance 1600:1 1550:½ 1450:½ 1650:½", "1657"),
        ("fide 2700 2200:1 --k 10 --on 2025-11-01", "+500"),
        ("fide 2700 2200:1 --k 10 --on 2025-09-30", "+400"),
        ("fide 1500 1400:1 --born 2010 --on 2025-11-01", "40"),
        ("fide 1500 1400:1 --games-played 12 --on 2025-11-01", "40"),
        ("fide 2300 2300:1 --highest 2420 --on 2025-11-01", "+5"),
        ("convert 1500 chesscom_blitz lichess_rapid", "1,800–2,070"),
        ("target 1900 1920 1850 1950 2000 --k 20", "2½/3"),
        ("uscf 1410 1400:0 1350:0 --peak 1600 --on 2025-11-01", "1410 → 1400"),
    ],
)
def test_the_figure_asked_for_is_shown(movelo: Movelo, command: str, shown: str) -> None:
    done = movelo("elo", *shlex.split(command))
    assert (done.code, done.err) == (0, "")
    assert shown in done.out


def test_k_and_rules_are_told(movelo: Movelo) -> None:
    shown = movelo("elo", "fide", "1900", *["1900:1"] * 40, "--k", "20", "--on", "2024-06-01").out
    assert "rules of 2024-03-01" in shown
    assert "17 (of 20: K times the games may not exceed 700)" in shown


def test_what_cannot_be_is_an_answer_with_its_reason(movelo: Movelo) -> None:
    done = movelo("elo", "target", "1500", "1600", "1500", "--json")
    assert done.code == 0
    reason = "1600 cannot be reached: with the game won it is 1510.00"
    assert done.json["answer"] == {"reason": reason}
    assert (
        "lies outside what is known" in movelo("elo", "convert", "400", "lichess_blitz", "fide").out
    )
    assert "does not publish its rating formula" in movelo("elo", "fqe").out


def test_lichess_games_tell_what_was_assumed(movelo: Movelo) -> None:
    arguments = ("glicko2", "1500", "1500:1", "--rd", "60", "--days", "365.25")
    answer = movelo("elo", *arguments, "--json").json["answer"]
    # Lichess chose its periods so that a year takes a typical deviation from 60 to 110.
    assert answer["before"]["deviation"] == pytest.approx(110, abs=0.05)  # type: ignore[index]
    shown = movelo("elo", *arguments).out
    assert "White's advantage is left out" in shown
    assert "does not tell an opponent's deviation" in shown


# --- where games come from ---------------------------------------------------------------------


def test_a_list_comes_from_arguments_a_file_or_standard_input(
    movelo: Movelo, tmp_path: Path
) -> None:
    text = "# club evening\n1400 1\n1600 =, 1550 l\n"
    file = tmp_path / "games.txt"
    file.write_text(text, encoding="utf-8")
    answers = [
        movelo("elo", "period", "1500", "1400:1", "1600:½", "1550:0", "--json"),
        movelo("elo", "period", "1500", "--from", str(file), "--json"),
        movelo("elo", "period", "1500", "-", "--json", stdin=text.encode()),
        movelo("elo", "period", "1500", "--from", "-", "--json", stdin=text.encode()),
    ]
    assert len({answer.out for answer in answers}) == 1
    assert answers[0].json["answer"]["rating_after"] == pytest.approx(1501.4293, abs=1e-4)  # type: ignore[index]


@pytest.fixture
def history(tmp_path: Path) -> Path:
    file = tmp_path / "games.ndjson"
    games = [random_export_game(seed, plies=24) for seed in range(12)]
    games[3]["players"]["black"] = {"aiLevel": 4}
    games[4]["rated"] = False
    file.write_text("".join(json.dumps(game) + "\n" for game in games), encoding="utf-8")
    return file


def test_a_player_s_games_are_divided_into_groups(movelo: Movelo, history: Path) -> None:
    arguments = ("performance", "--from", str(history), "--player", PLAYER, "--by", "opening")
    shown = movelo("elo", *arguments)
    assert shown.code == 0
    assert "Lichess blitz" in shown.out and "Défense Inventée, with White" in shown.out
    assert "against the computer" in shown.out and "casual" in shown.out
    answer = movelo("elo", *arguments, "--json").json["answer"]
    assert answer["result"]["opponents"]["computer"] == 1  # type: ignore[index]
    assert [group["games"] for group in answer["groups"]] == [11]  # type: ignore[index]
    assert 0 < answer["result"]["luck"]["score_or_luckier_probability"] <= 1  # type: ignore[index]


def test_a_history_is_replayed_beside_lichess_s_own_changes(movelo: Movelo, history: Path) -> None:
    arguments = ("glicko2", "--replay", str(history), "--player", PLAYER, "--perf", "blitz")
    shown = movelo("elo", *arguments)
    assert shown.code == 0
    assert "same change as Lichess" in shown.out and "within 3 points" in shown.out
    assert "exports no rating deviations" in " ".join(shown.out.split())
    answer = movelo("elo", *arguments, "--json").json["answer"]
    exact, near = answer["share_exact"], answer["share_within_3"]  # type: ignore[index]
    assert 0 <= exact <= near <= 1


# --- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("period 1500 1400:1 abc:1", "the command line, game 2: 'abc' is no rating; write"),
        ("period 1500 1400:7", "the command line, game 1: '7' is no result; write"),
        ("period 1500", "the command line: there is no game in the list; write"),
        ("period abc 1400:1", "RATING: 'abc' is no rating; write a number such as 1850"),
        ("period 1500 --from /no/such/file", "/no/such/file cannot be read"),
        ("period 1500 1400:1 --k 0", "K must be a number above 0"),
        ("change 1500 1600 2", "RESULT: '2' is no result"),
        ("change 1500 inf", "OPPONENT: 'inf' is no rating"),
        ("fide 1900 1850:1 --on 2019-12-31", "The FIDE rules known here begin on 2022-01-01"),
        ("fide 1900 1850:1 --k 0", "K must be a whole number above 0"),
        ("fide 1900.5 1850:1", "must be a whole number as FIDE publishes it"),
        ("uscf 1500 1400:1 --on 2001-01-01", "The bonus threshold is known from 2017-05-01"),
        ("cfc 1600 1500:1 --highest 1500", "The all-time high (1500) cannot be under"),
        ("glicko1 1500 200 1400:1", "game 1: the opponent's deviation is missing"),
        ("glicko1 1500 200 1400/x:1", "game 1: 'x' is no rating"),
        ("glicko2 1500 1400:1 --perf hopscotch", "Lichess has no rating for 'hopscotch'"),
        ("convert 1500 elo fide", "'elo' is no scale that movelo knows"),
        ("target 1500 high 1500", "TARGET: 'high' is no rating"),
        ("target 1500 1600 1500 x", "OPPONENTS, number 2: 'x' is no rating"),
        ("performance --from /no/such.pgn --player Nobody", "/no/such.pgn"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_1(
    movelo: Movelo, command: str, sentence: str
) -> None:
    done = movelo("elo", *shlex.split(command))
    assert (done.code, done.out) == (1, "")
    assert sentence in done.sentence
    assert done.sentence.count("\n") == 0


def test_the_line_of_a_file_is_named(movelo: Movelo, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("1400 1\n\n1600 x\n", encoding="utf-8")
    assert (
        f"{file}, line 3: 'x' is no result"
        in movelo("elo", "period", "1500", "--from", str(file)).sentence
    )
    file.write_bytes(b"1400 1\n1600 \xbd\n")  # ½ in Latin-1
    assert (
        f"{file}, line 2: this is no UTF-8 text"
        in movelo("elo", "period", "1500", "--from", str(file)).sentence
    )


@pytest.mark.parametrize(
    "command",
    [
        "fide 1900 1850:1 --on yesterday",
        "fide 1900 1850:1 --control bullet",
        "expected 1500",
        "period 1500 1400:1 --from games.txt",
        "performance 1400:1 --by color",
        "performance 1400:1 --player Nobody",
        "performance --from games.txt --player Nobody --by phase",
        "performance --from games.txt --player Nobody --speed blitz,rapid",
        "glicko2",
        "glicko2 --replay games.txt",
        "glicko2 1500 1400:1 --color red",
        "target 1500 1600 1500 --system yahoo",
        "period 1500 1400:1 --k many",
    ],
)
def test_misuse_of_an_option_is_exit_code_2(movelo: Movelo, command: str) -> None:
    done = movelo("elo", *shlex.split(command))
    assert (done.code, done.out) == (2, "")
    assert "Error" in done.err
