"""Files that are made to hurt, through the command line: a sentence or a report, in little memory.

`fuzz_games.py` looks for further ones.
"""

import gzip
import json
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_uci_engine import write_fake_engine
from forked_movelo import Done, forked
from fuzz_games import PGN
from made_games import random_export_game

from pipeline.replay import LONGEST_GAME_PLIES

MOST_MEBIBYTES = 260
"""A report on one plain game takes 170."""

GOOD = PGN.encode()
NINES = "9" * 4000


def moves(text: str) -> bytes:
    """A game of such moves, and a good one after it."""
    tags = PGN.partition("\n\n")[0].replace("abcdefgh", "zyxwvuts")
    return f"{tags}\n\n{text}\n\n".encode() + GOOD


def tag(name: str, value: str) -> bytes:
    return GOOD.replace(b"\n\n", f'\n[{name} "{value}"]\n\n'.encode("utf-8", "surrogatepass"), 1)


def shuffled(plies: int) -> str:
    """Knights out and back."""
    return " ".join(("Nf3", "Nf6", "Ng1", "Ng8")[ply % 4] for ply in range(plies))


def record(**fields: Any) -> bytes:
    return json.dumps({**random_export_game(1, plies=12), **fields}).encode()


def player(**fields: Any) -> bytes:
    made = random_export_game(1, plies=12)
    made["players"]["black"] |= fields
    return json.dumps(made).encode()


def named(name: str) -> bytes:
    return json.dumps(random_export_game(1, plies=12, black=name)).encode()


def zstd_frame(*blocks: bytes, window: int = 0x58) -> bytes:
    """Uncompressed blocks; `window` is RFC 8878's descriptor."""
    packed = [b"\x28\xb5\x2f\xfd\0", bytes([window])]
    for number, block in enumerate(blocks, start=1):
        header = len(block) << 3 | (number == len(blocks))
        packed += [struct.pack("<I", header)[:3], block]
    return b"".join(packed)


TEXT = record()
NUMBERS = (
    *(player(rating=rating) for rating in (10**9, -5, 10**300, 2**63, "1500", 1500.5, True)),
    *(player(rating=rating) for rating in (float("nan"), float("inf"))),
    *(player(ratingDiff=10**9), player(aiLevel=10**30)),
    TEXT.replace(b'"rating": ', b'"rating": 1e999, "x": ', 1),
    TEXT.replace(b'"rating": ', b'"rating": 1' + b"0" * 5000),
    *(record(clock={"initial": seconds, "increment": 0}) for seconds in (-1, 10**30, 10**12)),
    *(record(clocks=[hundredths] * 12) for hundredths in (-5, 10**12, 10**30)),
    *(record(analysis=[{"eval": number}] * 12) for number in (10**15, -(10**30), 10**6)),
    *(record(analysis=[{"mate": number}] * 12) for number in (10**15, -(10**30), 10**6)),
    *(record(createdAt=number) for number in (-(10**14), 10**15, 10**30, 0)),
)
WORDS = (
    *(named("a\ud800b"), named("a\0b"), named("x" * 100_000), named("Z" + "\u0341" * 5000)),
    *(named("\u202eאבג\u202d"), named("\u200b\u2060"), named("\x1b]0;owned\x07\x1b[2J")),
    *(named("<script>alert(1)</script>"), named("{player} {0!r:>99999}"), named("=1+1")),
    *(record(id=word) for word in ("../../../etc/x", "C:\\x", "CON", "\udfff", "\0", "x" * 9999)),
    *(
        record(id=f"word{n}", **{key: "\x1b[2J\ud800"})
        for n, key in enumerate(("status", "source"))
    ),
    b'{"id":"aaaaaaaa",' + TEXT[1:],
)
FILES: dict[str, Callable[[], bytes]] = {
    # A good game is in these too, and must not be lost.
    "variations 100,000 deep": lambda: moves("1. e4 " + "(" * 100_000 + " 1-0"),
    "variations closed again": lambda: moves("1. e4 " + "( e5 " * 50_000 + ")" * 50_000 + " 1-0"),
    "an event of 10 MB": lambda: b'[Event "' + b"x" * 10_000_000 + b'"]\n\n1. e4 1-0\n\n' + GOOD,
    "a tag of 10 MB": lambda: tag("Annotator", "x" * 10_000_000) + GOOD,
    "50,000 tags": lambda: b"".join(b'[T%d "x"]\n' % n for n in range(50_000)) + b"\n" + GOOD,
    "a comment of 10 MB": lambda: moves("1. e4 {" + "[%clk 0:00:01] " * 600_000 + "} 1-0"),
    "a game of 1,000 plies": lambda: moves(f"{shuffled(1000)} 1-0"),
    "more plies than chess has": lambda: moves(f"{shuffled(LONGEST_GAME_PLIES + 1)} 1-0"),
    "a bomb of blanks": lambda: gzip.compress(GOOD + b" " * 50_000_000 + b"\n\n" + GOOD),
    "a bomb of line ends": lambda: gzip.compress(b"\n" * 50_000_000 + GOOD),
    "20,000 empty members": lambda: gzip.compress(b"") * 20_000 + gzip.compress(GOOD),
    "blocks of two bytes": lambda: zstd_frame(GOOD, *[b"{ "] * 100_000),
    "JSON 100,000 deep": lambda: TEXT + b"\n" + b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a field 50,000 deep": lambda: TEXT + b"\n" + TEXT[:-1] + b',"z":' + b"[" * 50_000 + b"}",
    "a line of 20 MB": lambda: TEXT + b"\n" + b'{"id":"' + b"x" * 20_000_000 + b'"}\n',
    "numbers": lambda: b"\n".join((TEXT, *NUMBERS)),
    "words": lambda: b"\n".join((TEXT, *WORDS)),
    "a clock of 5,000 digits": lambda: moves(f"1. e4 {{[%clk {'9' * 5000}:00:00]}} 1-0"),
    "a time of 64 bits": lambda: GOOD.replace(b"300+3", b"%d+0" % 2**63) + GOOD,
    "a move number of 4,000 digits": lambda: (
        tag("FEN", f"8/8/8/8/8/k7/8/K6R w - - 0 {NINES}") + GOOD
    ),
    "a byte order mark": lambda: b"\xef\xbb\xbf" + TEXT,
    "UTF-16": lambda: GOOD.decode().encode("utf-16"),
    "mixed encodings": lambda: GOOD + GOOD.replace(b"Moorhenry", "Zoë".encode("cp1252")),
    # In these there is nothing to be had.
    "a bomb of NUL": lambda: gzip.compress(b"\0" * 50_000_000),
    "packed twice": lambda: gzip.compress(gzip.compress(GOOD)),
    "a window of 2 GiB": lambda: zstd_frame(GOOD, window=21 << 3),
    "UTF-32": lambda: GOOD.decode().encode("utf-32"),
    "a rating of 10^9": lambda: player(rating=10**9),
    "a rating in words": lambda: player(rating="1500"),
    "before the year 1": lambda: record(createdAt=-(10**14)),
}
REFUSED = {
    "a bomb of NUL": "neither PGN nor NDJSON",
    "packed twice": "neither PGN nor NDJSON",
    "a window of 2 GiB": "more than 128 MiB of memory",
    "UTF-32": "neither PGN nor NDJSON",
    "a rating of 10^9": "players.black.rating is 1000000000, not a whole number from 0 to 9999",
    "a rating in words": "players.black.rating is '1500', not a whole number",
    "before the year 1": "not a time in milliseconds",
}
SHOWN = ("numbers", "words", "mixed encodings", "a game of 1,000 plies")
"""On these every kind of report is made; of the others it would be that of one plain game."""

TAKEN_IN = ("numbers", "words", "50,000 tags", "a comment of 10 MB", "blocks of two bytes")
"""These go into the store as well."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def done(folder: Path) -> dict[tuple[str, str], Done]:
    """What came of reporting on each file, and of taking it into the store."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("MOVELO_")},
        "MOVELO_DATA": str(folder / "data"),
        "MOVELO_CONFIG": str(folder / "movelo.toml"),
        "MOVELO_STRENGTH__HUMAN_MODEL": "false",
        "MOVELO_ENGINE__WORKERS": "1",
        "MOVELO_LANG": "en",
        "STOCKFISH_PATH": str(write_fake_engine(folder)),
    }
    runs = {}
    for number, (name, content) in enumerate(FILES.items()):
        file = folder / f"{number}.games"
        file.write_bytes(content())
        formats = "terminal,html,json,csv" if name in SHOWN else "json"
        out = ["--out", str(folder / "reports"), "--format", formats]
        runs[name, "report"] = ["report", "Quillfeather", "--from", str(file), *out]
        if name in TAKEN_IN:
            runs[name, "import"] = ["import", str(file)]
    runs["an address of 5,000 letters", "game"] = ["game", "x" * 5000]
    came = forked(list(runs.values()), environment, folder)
    return dict(zip(runs, came, strict=True))


@pytest.mark.parametrize(
    ("name", "command"),
    [*((name, "report") for name in FILES), *((name, "import") for name in TAKEN_IN)],
)
def test_a_file_that_is_made_to_hurt_does_not(
    name: str, command: str, done: dict[tuple[str, str], Done]
) -> None:
    came = done[name, command]
    assert "Traceback" not in came.said, came.said[-2000:]
    assert came.code == (1 if name in REFUSED else 0), came.said[-2000:]
    assert came.peak_mebibytes < MOST_MEBIBYTES
    assert came.cpu_seconds < 30


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_said(name: str, done: dict[tuple[str, str], Done]) -> None:
    assert REFUSED[name] in " ".join(done[name, "report"].said.split())
    assert done[name, "report"].code == 1


def test_what_is_neither_a_file_nor_an_address_is_called_so(
    done: dict[tuple[str, str], Done],
) -> None:
    came = done["an address of 5,000 letters", "game"]
    assert came.code == 1
    assert "is no file here, and neither a Lichess game's address" in came.said
    assert len(came.said) < 1000


@pytest.mark.usefixtures("done")
def test_nothing_is_written_outside_of_the_folder_of_reports(folder: Path) -> None:
    written = {file.name for file in (folder / "reports").iterdir()}
    assert written == {f"Quillfeather.{kind}" for kind in ("html", "json", "csv")}
