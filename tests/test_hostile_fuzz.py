"""Some hundred broken inputs of every kind; `fuzz_*.py` by command does the same for hours.

The inputs that once broke something are tried each time.
"""

import random

import fuzz_archives
import fuzz_games
import fuzz_names
import fuzz_schedules
import fuzz_settings
import fuzz_uci
import fuzz_web
import pytest
from fuzz_driver import Change, Check, broken

GAME = fuzz_games.PGN.encode()


def tried(check: Check, seeds: tuple[bytes, ...], count: int, change: Change = broken) -> None:
    chance = random.Random(count)
    for number in range(count):
        data = change(chance.choice(seeds), chance)
        try:
            check(data)
        except Exception as error:
            raise AssertionError(f"input {number}: {data!r:.2000}") from error


def test_a_broken_file_of_games_gives_games_or_sentences() -> None:
    tried(fuzz_games.check_file, fuzz_games.seeds(), 60, fuzz_games.changed)


def test_broken_settings_give_settings_or_a_sentence() -> None:
    tried(fuzz_settings.check_settings, fuzz_settings.seeds(), 60)


def test_broken_names_addresses_and_days_are_refused_in_a_sentence() -> None:
    tried(fuzz_names.check_name, fuzz_names.SEEDS, 1000)


def test_a_broken_schedule_is_due_as_it_says_or_refused_in_a_sentence() -> None:
    pytest.importorskip("apscheduler")
    tried(fuzz_schedules.check_schedule, fuzz_schedules.SEEDS, 60, fuzz_schedules.changed)


def test_broken_words_of_an_engine_are_an_answer_or_a_reason() -> None:
    tried(fuzz_uci.check_line, fuzz_uci.SEEDS, 3000)


def test_a_broken_archive_is_refused_in_a_sentence() -> None:
    tried(fuzz_archives.check_archive, fuzz_archives.seeds(), 150, fuzz_archives.changed)


def test_a_broken_request_is_answered() -> None:
    seeds = (*fuzz_web.SEEDS, *fuzz_web.CALCULATOR_SEEDS)
    tried(fuzz_web.check_request, seeds, 200, fuzz_web.changed)


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /nothing?a=\xcc\n\n",
        b"GET /?" + b"a=1&" * 101 + b"\n\n",
        b"POST /reports\norigin: http://[\n\n",
        b"POST /language\nreferer: http://[\ncontent-type: application/x-www-form-urlencoded"
        b"\n\nlang=fr",
        b'GET /\ncookie: movelo_language="' + rb"\a" * 30000 + b'"\n\n',
        b'GET /\ncookie: movelo_visitor="' + rb"\a" * 30000 + b'"\n\n',
    ],
)
def test_requests_that_once_failed_are_answered(request_bytes: bytes) -> None:
    fuzz_web.check_request(request_bytes)


@pytest.mark.parametrize(
    "line",
    [
        b"option name Hash type spin default 1 min 1 max " + b"9" * 5000,
        b"option name Style type combo default a" + b" var Solid var Risky" * 300 + b" min x",
        b"info depth 1 score cp " + b"9" * 5000,
    ],
)
def test_words_that_once_stopped_an_engine_s_start_are_read(line: bytes) -> None:
    fuzz_uci.check_line(line)


@pytest.mark.parametrize("day", [b"0001-01-01T00:00:00+14:00", b"9999-12-31T23:59:59-12:00"])
def test_a_day_outside_of_the_years_is_no_date(day: bytes) -> None:
    fuzz_names.check_name(day)


@pytest.mark.parametrize(
    "variables",
    [
        b"MOVELO_STORE__URL=postgresql://m\xcf:word@localhost/movelo",
        b"MOVELO_STORE__URL=postgresql://me:word@localhost/m\x85",
        b"MOVELO_ENGINE__" + b"9" * 5000 + b"=1",
    ],
)
def test_variables_that_once_failed_are_refused_in_a_sentence(variables: bytes) -> None:
    fuzz_settings.check_settings(fuzz_settings.SEPARATOR + variables)


@pytest.mark.parametrize("hours", ["9" * 5000, "٣"])
def test_a_clock_that_nobody_has_is_no_clock(hours: str) -> None:
    fuzz_games.check_file(GAME.replace(b"%clk 0:", f"%clk {hours}:".encode()))


@pytest.mark.parametrize("tag", ["FEN", "Variant"])
@pytest.mark.parametrize("sign", ["\r", "\x0b", "\u2028", "\x85"])
def test_a_line_break_within_a_tag_is_a_blank(tag: str, sign: str) -> None:
    fuzz_games.check_file(GAME.replace(b"\n\n", f'\n[{tag} "a{sign}b"]\n\n'.encode(), 1))
