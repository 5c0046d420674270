"""Lists of games as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo.game_list import parse_games, parse_glicko_games
from pipeline.elo.glicko1 import GlickoGame
from pipeline.elo.played import Played


def parsed(*lines: str) -> tuple[Played, ...]:
    return parse_games(lines, where="games.txt")


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("1800:1", 1), ("1800 1", 1), ("1800 w", 1), ("1800 +", 1), ("1800+", 1), ("1800 WIN", 1),
        ("1800:½", 0.5), ("1800 =", 0.5), ("1800=", 0.5), ("1800 0.5", 0.5), ("1800 1/2", 0.5),
        ("1800 d", 0.5), ("1800:draw", 0.5), ("1800 : .5", 0.5),
        ("1800:0", 0), ("1800 l", 0), ("1800 -", 0), ("1800-", 0), ("1800\t0", 0), ("1800 −", 0),
    ],
)  # fmt: skip
def test_every_way_to_write_a_result_is_read(text: str, score: float) -> None:
    assert parsed(text) == (Played(1800.0, score),)


def test_comments_empty_lines_and_several_games_a_line_are_read() -> None:
    lines = ["\ufeff# club evening", "", "1800:1, 1750 =,", "  1699.5 0  # lost on time"]
    assert parsed(*lines) == (Played(1800, 1), Played(1750, 0.5), Played(1699.5, 0))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("abc:1", "'abc' is no rating"), ("nan:1", "'nan' is no rating"),
        ("9999999:1", "'9999999' is no rating"), ("-1800:1", "'-1800' is no rating"),
        ("1e9 1", "'1e9' is no rating"),
        ("١٨٠٠ 1", "'١٨٠٠' is no rating"), ("1800:2", "'2' is no result"),
        ("1800:1:0", "'1:0' is no result"), ("1800 1-0", "'1-0' is no result"),
        ("1800", "'1800' is no game"), ("1800:", "'1800:' is no game"),
        (":1", "':1' is no game"), ("1800 1 1700 0", "'1 1700 0' is no result"),
    ],
)  # fmt: skip
def test_what_is_no_game_is_named_with_its_line(text: str, wrong: str) -> None:
    with pytest.raises(InputError) as caught:
        parsed("1800:1", "", text)
    sentence = str(caught.value)
    assert sentence.startswith(f"games.txt, line 3: {wrong}")
    assert "write a game as 1800:1, 1800:½ or 1800:0" in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize("lines", [[], [""], ["# nothing", "  , "]])
def test_a_list_without_a_game_is_refused(lines: list[str]) -> None:
    with pytest.raises(InputError, match=r"games\.txt: there is no game in the list"):
        parsed(*lines)


def test_arguments_are_counted_as_games() -> None:
    with pytest.raises(InputError, match="the command line, game 2: 'x' is no result"):
        parse_games(["1800:1", "1700:x"], where="the command line", unit="game")


@given(
    st.lists(
        st.tuples(st.integers(0, 4000), st.sampled_from([(1.0, "1"), (0.5, "½"), (0.0, "0")])),
        min_size=1,
    ),
    st.sampled_from([":", " ", " : ", "\t"]),
    st.sampled_from([",", "\n"]),
)
def test_a_written_list_is_read_back(
    games: list[tuple[int, tuple[float, str]]], between: str, after: str
) -> None:
    text = after.join(f"{rating}{between}{sign}" for rating, (_, sign) in games)
    assert parsed(*text.split("\n")) == tuple(Played(r, s) for r, (s, _) in games)


@given(st.text())
def test_any_text_is_read_or_refused_in_one_sentence(text: str) -> None:
    try:
        parsed(text)
    except InputError as error:
        assert str(error).startswith("games.txt")


def test_an_opponent_s_deviation_stands_after_a_stroke() -> None:
    lines = ["1400/30:1, 1550 1/2"]
    found = parse_glicko_games(lines, opponent_deviation=60.0, where="games.txt")
    assert found == (GlickoGame(1400, 30, 1), GlickoGame(1550, 60, 0.5))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("1400:1", "the opponent's deviation is missing; write 1400/30:1"),
        ("1400/:1", "'' is no rating"),
        ("1400/-3:1", "'-3' is no rating"),
    ],
)
def test_a_missing_or_impossible_deviation_is_named(text: str, wrong: str) -> None:
    with pytest.raises(InputError, match=f"games.txt, line 1: {wrong}"):
        parse_glicko_games([text], opponent_deviation=None, where="games.txt")
