"""A dump is read tags first: the same games as if each were read in full, and in little memory."""

import gc
import io
import random
import tracemalloc
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_dump import made_games

from pipeline.fetch.game_filter import GameFilter, LeftOut
from pipeline.fetch.lichess_pgn import game_in_dump_form
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


@pytest.mark.parametrize(
    ("was", "written"),
    [
        ("1. ", "1. hello "),
        ("1. ", "1. ( "),
        (" { [%", " { fine } { [%"),
        (" { [%", " {[%"),
        ("[%clk 0", "[%emt 0"),
        ("] }", "] } $4"),
        ("\n\n1. ", "\n\n1.\n"),
        ('[Event "', '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n[Event "'),
        ('[Event "', '[Variant "Atomic"]\n[Event "'),
        ('[White "', '[White "a\\\\'),
        ('[White "', ' [White "'),
        ("https://lichess.org/", "https://chess.example/"),
    ],
)
def test_what_is_not_quite_the_form_of_the_dumps_is_for_the_other_reader(
    was: str, written: str
) -> None:
    tag_section, movetext = DUMP[0].split("\n\n", 1)
    assert game_in_dump_form(tag_section.encode(), movetext.encode()) is not None
    assert was in DUMP[0]
    tag_section, movetext = DUMP[0].replace(was, written, 1).split("\n\n", 1)
    assert game_in_dump_form(tag_section.encode(), movetext.encode()) is None


def test_what_is_left_out_is_not_even_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.fetch.pgn_skim.game_in_dump_form", None)
    bad_moves = "".join(DUMP).encode().replace(b" { [%clk", b" \xff\0 { [%clk")
    games, left_out = skimmed(bad_moves, GameFilter(speeds=("correspondence",)))
    assert (games, left_out) == ([], Counter({LeftOut.SPEED: len(DUMP)}))


PLAIN_TAGS = {
    "Event": "Rated Blitz game",
    "Site": "https://lichess.org/abcd1234",
    "White": "Ann",
    "Black": "Cat_1",
    "Result": "1-0",
    "UTCDate": "2026.10.01",
    "UTCTime": "12:30:00",
    "WhiteElo": "1500",
    "BlackElo": "1600",
    "TimeControl": "300+3",
}
OTHER_TAGS = {
    "Event": ["Casual Rapid game", "?", 'Club \\"rated\\" evening', "été", 'Rated "casual" game'],
    "Site": [
        "https://lichess.org/QRST5678",
        "https://lichess.org/training",
        "https://lichess.org/analysis",
        "https://lichess.org/study/abcd1234/efgh5678",
        "Chess.com",
    ],
    "White": ['O\\"Neil', "?", "Müller, Jörg", "lichess AI level 3", " Bob ", "Anonymous"],
    "Black": ["ann", "Dan", "BOB", "-"],
    "Result": ["*", "1/2-1/2"],
    "UTCDate": ["2026.10.03", "2026.02.31", "????.??.??", "9999.12.31", "2026.10.02"],
    "UTCTime": ["00:00:00", "23:59:59"],
    "WhiteElo": ["950", "2101", "?", "0", "1500?", "0000", "01700"],
    "BlackElo": ["2400", "", "1499", "1500"],
    "WhiteRatingDiff": ["+5", "?"],
    "Variant": ["Standard", "Atomic", "From Position"],
    "FEN": ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"],
    "TimeControl": ["60+0", "-", "?", "1/86400", "600", "300+3 "],
}
MOVETEXTS = [
    "1. e4 { [%eval 0.3] [%clk 0:05:00] } 1... e5 { [%eval 0.2] [%clk 0:05:00] } 1-0",
    "1. e4 { [%clk 0:05:00] } 1... e5?! { [%clk 0:05:00] } 2. Nf3 { [%clk 0:04:59] } 1-0",
    "1. e4 { [%eval 0.3] } 1... e5 2. Nf3 { [%eval #-3] } 0-1",
    "1. e4 e5 2. Nf3 { see [Event } 1-0",
    "1. e4 e5 (1... c5\n2. Nf3) 2. Nf3\nNc6 1-0",
    "1. e4 { a comment\n\nof two paragraphs } 1... e5 *",
    "1. f3 e5 2. g4 Qh4# { [%eval #0] } 0-1",
    " 1-0",
    "*",
    '1. e4 e5 1-0\n[White "Dan"]\n\n1. d4 0-1',
    '[White "Dan"]\n\n1. d4 0-1',
]


@st.composite
def texts(draw: st.DrawFn) -> str:
    games = []
    for _ in range(draw(st.integers(1, 3))):
        tags = PLAIN_TAGS.copy()
        for tag in draw(st.lists(st.sampled_from(sorted(OTHER_TAGS)), max_size=3, unique=True)):
            tags[tag] = draw(st.sampled_from(OTHER_TAGS[tag]))
        for tag in draw(st.just([]) | st.lists(st.sampled_from(sorted(PLAIN_TAGS)), max_size=2)):
            tags.pop(tag, None)
        lines = [f'[{tag} "{value}"]' for tag, value in tags.items()]
        if draw(st.integers(0, 9)) == 9:
            lines += ['[WhiteElo "2300"]', '[Black "Bob"]']  # again: the last one counts
        games.append("\n".join([*lines, "", draw(st.sampled_from(MOVETEXTS)), "", ""]))
    return draw(st.sampled_from(["", "\ufeff", "\n\n", "% said by a program\n"])) + "".join(games)


def filters() -> st.SearchStrategy[GameFilter]:
    noon = datetime(2026, 10, 2, 12, tzinfo=UTC)
    times = st.sampled_from([-48, -36, -24, -23.5, -12, -6, 0, 12, 24]).map(
        lambda hours: noon + timedelta(hours=hours)
    )
    players = frozenset({"ann", "bob", "müller, jörg", 'o"neil', "anonymous"})
    wishes = [
        st.fixed_dictionaries({"speeds": st.sampled_from([("blitz",), ("bullet", "unknown")])}),
        st.fixed_dictionaries({"casual": st.just(True)}),
        st.fixed_dictionaries({"since": times}),
        st.fixed_dictionaries({"until": times}),
        st.fixed_dictionaries({"min_rating": st.sampled_from([0, 960, 1500])}),
        st.fixed_dictionaries({"max_rating": st.sampled_from([1600, 2200])}),
        st.fixed_dictionaries({"players": st.just(players)}),
        st.fixed_dictionaries({"share": st.sampled_from([0.5, 0.01])}),
        st.fixed_dictionaries({"with_evals": st.just(True)}),
    ]
    return st.lists(st.one_of(wishes), max_size=3).map(
        lambda chosen: GameFilter(**{name: wish for one in chosen for name, wish in one.items()})
    )


@given(text=texts(), games=filters(), chunk_bytes=st.integers(1, 300), windows=st.booleans())
@settings(max_examples=800)
def test_tags_first_takes_and_leaves_out_what_reading_in_full_would(
    text: str, games: GameFilter, chunk_bytes: int, windows: bool
) -> None:
    content = text.encode()
    expected = read_in_full(content, games)
    written = content.replace(b"\n", b"\r\n") if windows else content
    assert skimmed(written, games, chunk_bytes=chunk_bytes) == expected
    assert skimmed(written, None, chunk_bytes=chunk_bytes)[0] == [
        *games_from_pgn(io.StringIO(text), where="dump")
    ]


@pytest.mark.parametrize(
    ("tags", "movetext", "games"),
    [
        ({"White": " Bob "}, "*", GameFilter(players=frozenset({"bob"}))),
        ({"White": "Anonymous"}, "*", GameFilter(players=frozenset({"anonymous"}), share=0.0)),
        ({"White": "ANONYMOUS"}, "*", GameFilter(players=frozenset({"anonymous"}), share=0.0)),
        ({"White": "-"}, "*", GameFilter(players=frozenset({"-"}), share=0.0)),
        ({"Event": 'Rated "casual" game'}, "1. e4 *", GameFilter(min_rating=2000)),
        ({}, '[White "Dan"]\n1. d4 0-1', GameFilter(players=frozenset({"dan"}))),
        ({}, '1. e4 1-0\n[White "Dan"]\n1. d4 0-1', GameFilter(players=frozenset({"dan"}))),
        ({}, '1. e4 1-0\n[White "Dan"]\n\n1. d4 0-1', GameFilter(min_rating=2000)),
        ({}, '[WhiteElo "2100"]\n[BlackElo "2100"]\n\n1. d4 0-1', GameFilter(min_rating=2000)),
    ],
)
def test_tags_that_mislead_are_read_with_care(
    tags: dict[str, str], movetext: str, games: GameFilter
) -> None:
    lines = [f'[{tag} "{value}"]' for tag, value in (PLAIN_TAGS | tags).items()]
    content = "\n".join([*lines, "", movetext, "", ""]).encode()
    assert skimmed(content, games) == read_in_full(content, games)


@pytest.mark.parametrize("page", ["analysis", "practice", "streamer", "training"])
def test_a_page_s_address_is_no_game_s_id(page: str) -> None:
    tags = PLAIN_TAGS | {"Site": f"https://lichess.org/{page}"}
    lines = "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items())
    content = "".join(f"{lines}\n1. {move} *\n\n" for move in ("e4", "d4", "c4", "b4", "a4", "h4"))
    games = GameFilter(share=0.5)
    assert skimmed(content.encode(), games) == read_in_full(content.encode(), games)


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
    def games_in(pieces: Iterable[bytes]) -> Iterator[Item]:
        return PgnSkimmer(where="dump", first_line=1, wanted=Wanted(ALL, Counter())).games(pieces)

    def read(repeats: int) -> None:
        assert sum(1 for _ in games_in(chunks(repeats))) == repeats * 60

    def chunks(repeats: int) -> Iterator[bytes]:
        chance = random.Random(1)
        for _ in range(repeats):
            gc.collect()  # else what waits to be collected is measured
            yield "".join(chance.sample(DUMP, 60)).encode()

    def peak_bytes(repeats: int) -> int:
        tracemalloc.start()
        read(repeats)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak

    # Python's own table of interned strings is made anew after so many moves came and went, and
    # as large as all else that runs here needs it: while these games live, none of theirs goes.
    known = [*games_in([game.encode() for game in DUMP])]
    gc.freeze()  # what is there before need not be looked at
    read(20)  # fills what has a bound: caches
    few = peak_bytes(8)
    many = peak_bytes(40)
    gc.unfreeze()
    assert len(known) == len(DUMP)
    assert many < 1.2 * few
