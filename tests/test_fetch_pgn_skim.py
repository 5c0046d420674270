"""A dump is read tags first: the same games as if each were read in full, and in little memory."""

import io
import random
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_dump import made_games

from pipeline.fetch.game_filter import GameFilter, LeftOut
from pipeline.fetch.pgn import games_from_pgn
from pipeline.fetch.pgn_skim import PgnSkimmer, Wanted
from pipeline.records import Game, SetAside

DUMP = list(made_games(60, different=12))
ALL = GameFilter(casual=True)

Item = Game | SetAside


def skimmed(
    content: bytes, games: GameFilter | None, *, chunk_bytes: int = 4096
) -> tuple[list[Item], Counter[LeftOut]]:
    chunks = (content[at : at + chunk_bytes] for at in range(0, len(content), chunk_bytes))
    left_out: Counter[LeftOut] = Counter()
    wanted = Wanted(games, left_out) if games else None
    skimmer = PgnSkimmer(where="dump", first_line=1, wanted=wanted)
    return list(skimmer.games(chunks)), left_out


def read_in_full(content: bytes, games: GameFilter) -> tuple[list[Item], Counter[LeftOut]]:
    """Every game read, checked on a board, and asked for afterwards."""
    kept: list[Item] = []
    left_out: Counter[LeftOut] = Counter()
    for item in games_from_pgn(io.StringIO(content.decode()), where="dump"):
        reason = games.why_left_out(item) if isinstance(item, Game) else None
        if reason is None:
            kept.append(item)
        else:
            left_out[reason] += 1
    return kept, left_out


# --- the same as in full -------------------------------------------------------------------


def test_a_dump_s_games_are_the_same_without_a_board() -> None:
    content = "".join(DUMP).encode()
    games, left_out = skimmed(content, ALL)
    assert games == read_in_full(content, ALL)[0]
    assert len(games) == len(DUMP)
    assert any(game.source_evals for game in games if isinstance(game, Game))
    assert not left_out


def test_the_form_of_the_dumps_needs_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_board(*_: object, **__: object) -> None:
        raise AssertionError("a game was read with the slow reader")

    monkeypatch.setattr("pipeline.fetch.pgn_skim.game_or_reason", no_board)
    assert len(skimmed("".join(DUMP).encode(), ALL)[0]) == len(DUMP)


def test_what_is_left_out_is_not_even_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.fetch.pgn_skim.game_in_dump_form", None)
    bad_moves = "".join(DUMP).encode().replace(b" { [%clk", b" \xff\0 { [%clk")
    games, left_out = skimmed(bad_moves, GameFilter(speeds=("correspondence",)))
    assert (games, left_out) == ([], Counter({LeftOut.SPEED: len(DUMP)}))


TAGS = {
    "Site": [
        '"https://lichess.org/abcd1234"',
        '"https://lichess.org/QRST5678"',
        '"https://lichess.org/training"',
        '"https://lichess.org/study/abcd1234/efgh5678"',
        '"Chess.com"',
    ],
    "White": ['"Ann"', '"Bob"', '"O\\"Neil"', '"?"', '"Müller, Jörg"', '"lichess AI level 3"'],
    "Black": ['"ann"', '"Cat_1"', '" Bob "', '"Anonymous"'],
    "Result": ['"1-0"', '"*"', '"1/2-1/2"'],
    "UTCDate": ['"2026.10.01"', '"2026.10.03"', '"2026.02.31"', '"????.??.??"', '"9999.12.31"'],
    "UTCTime": ['"00:00:00"', '"12:30:00"', '"23:59:59"'],
    "WhiteElo": ['"1500"', '"950"', '"2101"', '"?"', '"0"', '"1500?"', '"0000"'],
    "BlackElo": ['"1500"', '"2400"', '""', '"1499"'],
    "WhiteRatingDiff": ['"+5"', '"?"'],
    "Variant": ['"Standard"', '"Atomic"', '"From Position"'],
    "TimeControl": ['"300+3"', '"60+0"', '"-"', '"?"', '"1/86400"', '"600"'],
}
EVENTS = ['"Rated Blitz game"', '"Casual Rapid game"', '"?"', '"Club \\"rated\\" evening"', '"été"']
MOVETEXTS = [
    "1. e4 { [%eval 0.3] [%clk 0:05:00] } 1... e5 { [%eval 0.2] [%clk 0:05:00] } 1-0",
    "1. e4 { [%clk 0:05:00] } 1... e5?! { [%clk 0:05:00] } 2. Nf3 { [%clk 0:04:59] } 1-0",
    "1. e4 e5 2. Nf3 { see [Event } 1-0",
    "1. e4 e5 (1... c5\n2. Nf3) 2. Nf3\nNc6 1-0",
    "1. e4 { a comment\n\nof two paragraphs } 1... e5 *",
    "1. f3 e5 2. g4 Qh4# { [%eval #0] } 0-1",
    " 1-0",
    "*",
    "1. e4 { [%eval 0.3] } 1... e5 1-0 1. d4 d5 0-1",
]


@st.composite
def texts(draw: st.DrawFn) -> str:
    games = []
    for _ in range(draw(st.integers(1, 4))):
        lines = [f"[Event {draw(st.sampled_from(EVENTS))}]"] if draw(st.integers(0, 5)) else []
        tags = draw(st.lists(st.sampled_from(sorted(TAGS)), unique=draw(st.booleans())))
        lines += [f"[{tag} {draw(st.sampled_from(TAGS[tag]))}]" for tag in tags]
        games.append("\n".join([*lines, "", draw(st.sampled_from(MOVETEXTS)), "", ""]))
    return draw(st.sampled_from(["", "\ufeff", "\n\n", "% said by a program\n"])) + "".join(games)


@st.composite
def filters(draw: st.DrawFn) -> GameFilter:
    moment = datetime(2026, 10, 2, 12, tzinfo=UTC)
    offsets = st.none() | st.integers(-40, 40).map(lambda hours: moment + timedelta(hours=hours))
    return GameFilter(
        speeds=draw(st.sampled_from([(), ("blitz",), ("bullet", "unknown"), ("correspondence",)])),
        casual=draw(st.booleans()),
        since=draw(offsets),
        until=draw(offsets),
        min_rating=draw(st.none() | st.sampled_from([0, 960, 1500])),
        max_rating=draw(st.none() | st.sampled_from([1500, 2200])),
        players=draw(st.none() | st.just(frozenset({"ann", "müller, jörg", 'o"neil'}))),
        share=draw(st.sampled_from([1.0, 0.5, 0.01])),
        with_evals=draw(st.booleans()),
    )


@given(text=texts(), games=filters(), chunk_bytes=st.integers(1, 300), windows=st.booleans())
@settings(max_examples=400)
def test_tags_first_takes_and_leaves_out_what_reading_in_full_would(
    text: str, games: GameFilter, chunk_bytes: int, windows: bool
) -> None:
    content = text.encode()
    expected = read_in_full(content, games)
    written = content.replace(b"\n", b"\r\n") if windows else content
    # A text of two games in one line, under the tags of one, is beyond the tags.
    if "1-0 1. d4" not in text:
        assert skimmed(written, games, chunk_bytes=chunk_bytes) == expected
    assert skimmed(written, None, chunk_bytes=chunk_bytes)[0] == [
        *games_from_pgn(io.StringIO(text), where="dump")
    ]


@given(cut=st.integers(0, sum(len(game) for game in DUMP[:2])))
def test_wherever_a_dump_is_cut_its_last_game_is_whole_or_set_aside(cut: int) -> None:
    whole = skimmed("".join(DUMP[:2]).encode(), ALL)[0]
    games, _ = skimmed("".join(DUMP[:2])[:cut].encode(), ALL)
    for game, expected in zip(games, whole, strict=False):
        assert isinstance(game, SetAside) or game == expected


# --- places --------------------------------------------------------------------------------


def test_a_game_that_cannot_be_read_is_named_with_number_and_line_and_the_next_is_read() -> None:
    broken = [*DUMP]
    broken[40] = broken[40].replace("[WhiteElo ", "[WhiteElo")
    games, left_out = skimmed("".join(broken).encode(), GameFilter(min_rating=3000))
    line = "".join(DUMP[:40]).count("\n") + 1
    (named,) = games
    assert isinstance(named, SetAside)
    assert named.where == f"dump, game 41 (line {line})"
    assert "is not a tag" in named.reason
    assert left_out == {LeftOut.WEAKER: len(DUMP) - 1}


def test_an_illegal_move_is_found_where_the_moves_are_not_lichess_s_own() -> None:
    elsewhere = DUMP[0].replace("https://lichess.org/", "https://chess.example/")
    illegal = elsewhere.replace("1. ", "1. Ke4 ", 1)
    (named,), _ = skimmed(illegal.encode(), ALL)
    assert isinstance(named, SetAside)
    assert "Ke4 (ply 1, line 19)" in named.reason


def test_nul_bytes_cost_one_game() -> None:
    damaged = DUMP[1].replace("[Black ", "[Black\0 ")
    first, named, third = skimmed("".join([DUMP[0], damaged, DUMP[2]]).encode(), ALL)[0]
    assert isinstance(first, Game)
    assert isinstance(named, SetAside)
    assert "NUL bytes" in named.reason
    assert "\0" not in named.where + named.reason
    assert isinstance(third, Game)


# --- bounded memory ------------------------------------------------------------------------


def endless(opening: bytes, filling: bytes, closing: bytes) -> Iterator[bytes]:
    yield DUMP[0].encode() + opening
    for _ in range(40):
        yield filling * (256 * 1024 // len(filling))
    yield closing + DUMP[1].encode()


@pytest.mark.parametrize("games", [ALL, GameFilter(min_rating=0), None])
@pytest.mark.parametrize(
    ("opening", "filling", "closing", "words"),
    [
        (b'[Event "', b"x", b'"]\n\n1. e4 *\n\n', "longer than"),
        (b'[Event "A"]\n[White "', b"x", b'"]\n\n1. e4 *\n\n', "longer than"),
        (b'[Event "A"]\n\n1. e4 {', b"x", b"} e5 *\n\n", "longer than"),
        (b'[Event "A"]\n\n1. e4 {', b"x" * 1023 + b"\n", b"} e5 *\n\n", "longer than"),
        (b'[Event "A"]\n\n1. ', b"e4 ", b"*\n\n", "longer than"),
        (b'[Event "A"]\n', b'[White "' + b"B" * 500 + b'"]\n', b"\n1. e4 *\n\n", "longer than"),
        (b'[Event "A"]\n\n1. e4 {}\n', b"\0", b"\n\n", "longer than"),
    ],
    ids=["event", "tag", "comment line", "comment", "moves", "tags", "nul bytes"],
)
def test_ten_megabytes_of_one_thing_are_one_sentence_and_little_memory(
    games: GameFilter | None, opening: bytes, filling: bytes, closing: bytes, words: str
) -> None:
    wanted = Wanted(games, Counter()) if games else None
    skimmer = PgnSkimmer(where="dump", first_line=1, wanted=wanted)
    tracemalloc.start()
    first, named, second = skimmer.games(endless(opening, filling, closing))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(first, Game)
    assert isinstance(second, Game)
    assert isinstance(named, SetAside)
    assert words in named.reason
    assert len(named.reason) < 200
    assert peak < 48 * 1024 * 1024


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    def peak_bytes(repeats: int) -> int:
        chance = random.Random(1)
        chunks = ("".join(chance.sample(DUMP, 60)).encode() for _ in range(repeats))
        skimmer = PgnSkimmer(where="dump", first_line=1, wanted=Wanted(ALL, Counter()))
        tracemalloc.start()
        count = sum(1 for _ in skimmer.games(chunks))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert count == repeats * 60
        return peak

    peak_bytes(50)  # what is made once: patterns, caches
    assert peak_bytes(120) < peak_bytes(50) + 256 * 1024
