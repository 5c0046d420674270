"""Any file of games is read for what it holds, and what cannot be read is named with its place."""

import gzip
import io
import json
import os
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from made_games import export_games

from config.errors import UnreadableFile
from pipeline.fetch.files import read_games
from pipeline.fetch.lines import numbered_lines
from pipeline.records import Game, SetAside

GAMES = export_games(12, analysed=True)
IDS = [game["id"] for game in GAMES]
NDJSON = "".join(json.dumps(game, ensure_ascii=False) + "\n" for game in GAMES).encode()
PGN = "\n\n".join(
    f'[White "Quillfeather{number}"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0' for number in range(12)
).encode()

Content = Game | SetAside


def read(content: bytes, tmp_path: Path, name: str = "games") -> list[Content]:
    path = tmp_path / name
    path.write_bytes(content)
    return list(read_games(path, stdin=io.BytesIO()))


def ids(contents: list[Content]) -> list[str]:
    return [item.id for item in contents if isinstance(item, Game)]


def left_out(contents: list[Content]) -> list[SetAside]:
    return [item for item in contents if isinstance(item, SetAside)]


def refusal(content: bytes, tmp_path: Path) -> str:
    with pytest.raises(UnreadableFile) as caught:
        read(content, tmp_path)
    assert str(tmp_path / "games") in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def zstd(content: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(content)


PACKERS: dict[str, Callable[[bytes], bytes]] = {"plain": bytes, "gz": gzip.compress, "zst": zstd}


# --- what is read --------------------------------------------------------------------------


@pytest.mark.parametrize("packed", PACKERS.values(), ids=PACKERS.keys())
@pytest.mark.parametrize("name", ["games.ndjson", "games.pgn", "games.gz", "games.zst", "x"])
def test_the_content_tells_what_a_file_is_not_the_name(
    packed: Callable[[bytes], bytes], name: str, tmp_path: Path
) -> None:
    assert ids(read(packed(NDJSON), tmp_path, name)) == IDS
    games = read(packed(PGN), tmp_path, name)
    assert len(games) == len(ids(games)) == 12


@pytest.mark.parametrize("packed", PACKERS.values(), ids=PACKERS.keys())
def test_a_dash_reads_standard_input_and_leaves_it_open(
    packed: Callable[[bytes], bytes],
) -> None:
    stdin = io.BytesIO(packed(NDJSON))
    assert ids(list(read_games("-", stdin=stdin))) == IDS
    assert not stdin.closed


def test_a_pipe_is_read(tmp_path: Path) -> None:
    readable, writable = os.pipe()
    os.write(writable, NDJSON[:40_000])
    os.close(writable)
    with os.fdopen(readable, "rb") as stdin:
        contents = list(read_games("-", stdin=stdin))
    assert ids(contents)
    assert all(item.where.startswith("standard input, line ") for item in left_out(contents))


@pytest.mark.parametrize("packed", [gzip.compress, zstd])
def test_files_packed_in_pieces_are_read_whole(
    packed: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    half = len(NDJSON) // 2
    assert ids(read(packed(NDJSON[:half]) + packed(NDJSON[half:]), tmp_path)) == IDS


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    for text, count in ((NDJSON, len(GAMES)), (PGN, 12)):
        windows = b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")
        contents = read(windows, tmp_path)
        assert len(contents) == len(ids(contents)) == count


def test_an_old_pgn_in_latin_1_keeps_its_letters(tmp_path: Path) -> None:
    (game,) = read('[White "Grünfeld"]\n\n1. d4 *\n'.encode("latin-1"), tmp_path)
    assert isinstance(game, Game)
    assert game.white.name == "Grünfeld"


def test_blank_lines_are_nothing(tmp_path: Path) -> None:
    assert ids(read(b"\n \n" + NDJSON.replace(b"\n", b"\n\n"), tmp_path)) == IDS


def test_a_game_after_many_blank_lines_is_read_and_its_line_known(tmp_path: Path) -> None:
    blank = b"\n" * 400_000
    assert ids(read(blank + NDJSON, tmp_path)) == IDS
    (cut,) = left_out(read(blank + b'{"id": "\n', tmp_path))
    assert cut.where.endswith("line 400001")


def test_a_json_array_is_read(tmp_path: Path) -> None:
    assert ids(read(json.dumps(GAMES).encode(), tmp_path)) == IDS
    assert ids(read(json.dumps(GAMES, indent=2).encode(), tmp_path)) == IDS


def test_one_record_over_many_lines_is_read(tmp_path: Path) -> None:
    assert ids(read(json.dumps(GAMES[0], indent=1).encode(), tmp_path)) == IDS[:1]


def test_pgn_without_tags_is_read(tmp_path: Path) -> None:
    (game,) = read(b"1. e4 e5 2. Nf3 *", tmp_path)
    assert isinstance(game, Game)


# --- what is left out ----------------------------------------------------------------------


def test_a_line_cut_in_half_costs_one_game(tmp_path: Path) -> None:
    lines = NDJSON.splitlines(keepends=True)
    lines[3] = lines[3][:200] + b"\n"
    contents = read(b"".join(lines), tmp_path)
    assert ids(contents) == IDS[:3] + IDS[4:]
    (cut,) = left_out(contents)
    assert cut.where == f"{tmp_path / 'games'}, line 4"
    assert "cut" in cut.reason


@pytest.mark.parametrize(("start", "end"), [(0, -30), (150, None)], ids=["last line", "first line"])
def test_a_file_cut_at_an_end_costs_one_game(start: int, end: int | None, tmp_path: Path) -> None:
    contents = read(NDJSON[start:end], tmp_path)
    assert len(ids(contents)) == len(GAMES) - 1
    assert len(left_out(contents)) == 1


def test_a_file_that_is_one_cut_line_says_so(tmp_path: Path) -> None:
    (cut,) = read(NDJSON[:500], tmp_path)
    assert isinstance(cut, SetAside)
    assert cut.where.endswith("line 1")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"error":"Not found"}', "field id is missing"),
        (b"17", "no game"),
        (b'["e4"]', "no game"),
        (b"oh", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
    ],
)
def test_a_line_that_is_no_game_is_named(line: bytes, words: str, tmp_path: Path) -> None:
    contents = read(NDJSON + line + b"\n" + NDJSON, tmp_path)
    assert ids(contents) == IDS + IDS
    (other,) = left_out(contents)
    assert other.where == f"{tmp_path / 'games'}, line 13"
    assert words in other.reason
    assert "line 13" not in other.reason


def test_an_illegal_move_in_a_pgn_file_is_named_with_file_game_and_line(tmp_path: Path) -> None:
    contents = read(PGN.replace(b"2. Nf3", b"2. Nf5", 1), tmp_path, "mine.pgn")
    (illegal,) = left_out(contents)
    assert illegal.where == f"{tmp_path / 'mine.pgn'}, game 1 (line 1)"
    assert "2. Nf5" in illegal.reason
    assert len(ids(contents)) == 11


def noisy_ndjson(games: int) -> bytes:
    """Games that hardly compress, so that a cut in the packed file is one among the games."""
    noise = random.Random(games)
    records = [
        GAMES[0] | {"id": f"Cut{number:05d}", "noise": noise.randbytes(900).hex()}
        for number in range(games)
    ]
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def noisy_pgn(games: int) -> bytes:
    noise = random.Random(games)
    return b"".join(
        b'[Site "https://lichess.org/Cut%05d"]\n[Round "%s"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n\n'
        % (number, noise.randbytes(900).hex().encode())
        for number in range(games)
    )


@pytest.mark.parametrize("packed", [gzip.compress, zstd])
@pytest.mark.parametrize("noisy", [noisy_ndjson, noisy_pgn])
@pytest.mark.parametrize("damage", ["cut", "overwritten"])
def test_a_damaged_packed_file_is_used_as_far_as_it_is_good(
    packed: Callable[[bytes], bytes], noisy: Callable[[int], bytes], damage: str, tmp_path: Path
) -> None:
    whole = packed(noisy(600))
    rest = b"" if damage == "cut" else b"\x00" * (len(whole) // 3)
    *games, cut = read(whole[: len(whole) * 2 // 3] + rest, tmp_path)
    assert isinstance(cut, SetAside)
    assert "cut or damaged" in cut.reason
    assert ", after line " in cut.where
    found = ids(games)
    # Overwritten bytes may unpack into something for a while before the packing notices.
    sure = len(found) if damage == "cut" else 200
    assert found[:sure] == [f"Cut{number:05d}" for number in range(sure)]
    assert 200 <= len(set(found)) < 500


def test_a_line_too_long_for_any_game_is_left_out_without_being_kept(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(NDJSON)
        file.write(b'{"id":"')
        for _ in range(48):
            file.write(b"x" * 1024 * 1024)
        file.write(b'"}\n' + NDJSON)
    tracemalloc.start()
    contents = list(read_games(path, stdin=io.BytesIO()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert ids(contents) == IDS + IDS
    assert "longer than" in left_out(contents)[0].reason
    assert peak < 40 * 1024 * 1024


@pytest.mark.parametrize("packed", [gzip.compress, zstd])
def test_a_bomb_is_read_in_small_pieces(packed: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_bytes(packed(NDJSON + b"\n" * (100 * 1024 * 1024)))
    tracemalloc.start()
    first = next(iter(read_games(path, stdin=io.BytesIO())))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(first, Game)
    assert peak < 64 * 1024 * 1024


# --- what is refused -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (gzip.compress(b""), "is empty"),
        (b"<!DOCTYPE html>\n<html><body>[Event]</body></html>\n", "neither PGN nor NDJSON"),
        (b"name,rating\nQuillfeather,1500\n", "neither PGN nor NDJSON"),
        (b"Dear diary,\nI lost.\n", "neither PGN nor NDJSON"),
        (bytes(range(256)) * 20, "neither PGN nor NDJSON"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "neither PGN nor NDJSON"),
        (b"PK\x03\x04rest", "zip archive"),
        (b"BZh9rest", "bzip2 archive"),
        (json.dumps(GAMES)[:-400].encode(), "cut or damaged"),
        (gzip.compress(NDJSON)[:40], "cut at its very start"),
        (zstd(NDJSON)[:40], "cut at its very start"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_file_of_games_is_refused_in_one_sentence(
    content: bytes, words: str, tmp_path: Path
) -> None:
    assert words in refusal(content, tmp_path)


def test_a_json_array_too_big_to_be_read_whole_is_refused_with_the_way_out(
    tmp_path: Path,
) -> None:
    row = json.dumps(GAMES[0] | {"noise": "x" * 1_000_000})
    array = f"[{','.join([row] * 20)}]"
    assert "jq -c" in refusal(array.encode(), tmp_path)
    assert "jq -c" in refusal(array.replace("},{", "},\n{").encode(), tmp_path)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"there is no file .*missing\.pgn"):
        list(read_games(tmp_path / "missing.pgn", stdin=io.BytesIO()))


def test_a_directory_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="is a directory"):
        list(read_games(tmp_path, stdin=io.BytesIO()))


def test_a_path_that_cannot_be_one_is_said() -> None:
    for path in ("x\0y", "x" * 5_000):
        with pytest.raises(UnreadableFile, match="cannot be opened"):
            list(read_games(path, stdin=io.BytesIO()))


def test_a_file_that_may_not_be_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "secret.pgn"
    path.write_bytes(PGN)
    path.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)  # root may read everything
    try:
        with pytest.raises(UnreadableFile, match="may not be read"):
            list(read_games(path, stdin=io.BytesIO()))
    finally:
        if user == 0:
            os.seteuid(0)


def test_an_error_of_the_disk_is_said() -> None:
    class BrokenDisk(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            raise OSError(5, "Input/output error")

    with pytest.raises(UnreadableFile, match="Input/output error"):
        list(read_games("-", stdin=io.BufferedReader(BrokenDisk())))


# --- laws ----------------------------------------------------------------------------------


@given(
    lines=st.lists(st.binary(max_size=12).filter(lambda line: b"\n" not in line), min_size=1),
    sizes=st.lists(st.integers(1, 9), min_size=1),
    longest=st.integers(1, 14),
)
def test_lines_do_not_depend_on_how_the_bytes_come(
    lines: list[bytes], sizes: list[int], longest: int
) -> None:
    text = b"\n".join(lines)
    chunks, start = [], 0
    while start < len(text):
        size = sizes[len(chunks) % len(sizes)]
        chunks.append(text[start : start + size])
        start += size
    found = list(numbered_lines(chunks, longest_bytes=longest))
    assert found == list(numbered_lines([text], longest_bytes=longest))
    for line, given_line in zip(found, lines, strict=False):
        assert line.is_too_long == (len(given_line) > longest)
        if not line.is_too_long and line.number > 1:
            assert line.content == given_line.removesuffix(b"\r")


@given(content=st.binary(max_size=200))
def test_any_bytes_give_games_or_reasons_or_one_sentence(content: bytes) -> None:
    try:
        for item in read_games("-", stdin=io.BytesIO(content)):
            assert isinstance(item, Game) or item.reason
    except UnreadableFile as error:
        assert "standard input" in str(error)
