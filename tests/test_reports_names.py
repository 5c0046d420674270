"""Players and links as strangers wrote them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import GamePlayer, Opening
from reports.names import lichess_link, opening_name, player_name, player_with_rating


def test_every_kind_of_player_has_a_name() -> None:
    assert player_name(GamePlayer()) == "Anonymous"
    assert player_name(GamePlayer(computer_level=3)) == "Computer level 3"
    assert player_name(GamePlayer(name="Rosalind", title="GM")) == "GM Rosalind"


def test_a_rating_follows_the_name_where_there_is_one() -> None:
    unsure = GamePlayer(name="Rosalind", rating=1834, provisional=True)
    assert player_with_rating(unsure) == "Rosalind (1,834?)"
    assert player_with_rating(GamePlayer(name="Rosalind")) == "Rosalind"


def test_an_opening_has_its_code_in_front() -> None:
    assert opening_name(Opening(eco="C52", name="Italian Game")) == "C52 Italian Game"
    assert opening_name(None) == "—"
    assert opening_name(Opening(eco="B21", name="")) == "B21"
    assert opening_name(Opening(eco="", name="")) == "—"


@pytest.mark.parametrize("url", ["https://lichess.org/abcdefgh", "http://LICHESS.org/a/black#12"])
def test_a_lichess_address_is_a_link(url: str) -> None:
    assert lichess_link(url) == url


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "javascript:alert(1)",
        "java\nscript:alert(1)",
        "https://lichess.org.evil.example/x",
        "https://lichess.org@evil.example/x",
        "https://evil.example/https://lichess.org/",
        "//lichess.org/abcdefgh",
        "https://lichess.org:8080/x",
        'https://lichess.org/"onclick="alert(1)',
        "https://lichess.org/a b",
        "https://lichess.org\\@evil.example",
        "https://liche\u200bss.org/abc",
        "http://[lichess.org/abc",
        "https://lichess.org/" + "a" * 1000,
    ],
)
def test_any_other_address_is_no_link(url: str | None) -> None:
    assert lichess_link(url) is None


@given(st.text())
def test_no_address_is_ever_changed_into_a_link(url: str) -> None:
    assert lichess_link(url) in (None, url)
    assert lichess_link(f"https://{url}.example/") is None
