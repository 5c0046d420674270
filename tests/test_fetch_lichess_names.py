"""A game on Lichess is found by whatever address a player copies."""

import pytest

from pipeline.fetch.lichess_names import game_id_of


@pytest.mark.parametrize(
    "text",
    [
        "abcdEF12",
        " abcdEF12 ",
        "https://lichess.org/abcdEF12",
        "http://lichess.org/abcdEF12/",
        "lichess.org/abcdEF12",
        "https://www.lichess.org/abcdEF12",
        "https://lichess.org/abcdEF12/white",
        "https://lichess.org/abcdEF12/black",
        "https://lichess.org/abcdEF12wxyz",
        "https://lichess.org/abcdEF12#34",
        "https://lichess.org/abcdEF12/black#34",
        "https://lichess.org/abcdEF12?pov=someone#3",
    ],
)
def test_an_address_or_an_id_names_its_game(text: str) -> None:
    assert game_id_of(text) == "abcdEF12"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abcdEF1",
        "abcdEF123",
        "abcd-F12",
        "https://lichess.org/",
        "https://lichess.org/training",
        "https://lichess.org/analysis",
        "https://lichess.org/@/abcdEF12",
        "https://lichess.org/study/abcdEF12",
        "https://lichess.org/study/abcdEF12/abcdEF12",
        "https://lichess.org/tournament/abcdEF12",
        "https://example.org/abcdEF12",
        "https://lichess.org.example/abcdEF12",
        "https://lichess.org/abcdEF12\nabcdEF12",
    ],
)
def test_what_names_no_game_gives_none(text: str) -> None:
    assert game_id_of(text) is None
