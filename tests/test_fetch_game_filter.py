"""What an import asks for, and the reason that is given for each game it leaves out."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_games import random_export_game

from pipeline.drawn import Drawn
from pipeline.fetch.export import game_from_export
from pipeline.fetch.game_filter import GameFilter, LeftOut
from pipeline.records import Game

BEGAN_AT = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)


def game(**fields: object) -> Game:
    record = random_export_game(0, plies=6, created_at_ms=1_700_000_000_000)
    record["players"]["white"]["rating"] = 1500
    record["players"]["black"]["rating"] = 1700
    return game_from_export(record | fields, where="test")


def test_what_is_not_asked_for_is_all_taken() -> None:
    assert GameFilter().why_left_out(game()) is None


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"speeds": ("blitz", "rapid")}, None),
        ({"speeds": ("rapid",)}, LeftOut.SPEED),
        ({"since": BEGAN_AT}, None),
        ({"since": BEGAN_AT + timedelta(milliseconds=1)}, LeftOut.EARLIER),
        ({"until": BEGAN_AT}, None),
        ({"until": BEGAN_AT - timedelta(milliseconds=1)}, LeftOut.LATER),
        ({"min_rating": 1500}, None),
        ({"min_rating": 1501}, LeftOut.WEAKER),
        ({"max_rating": 1700}, None),
        ({"max_rating": 1699}, LeftOut.STRONGER),
        ({"players": frozenset({"quillfeather"})}, None),
        ({"players": frozenset({"moorhenry", "nobody"})}, None),
        ({"players": frozenset({"nobody"})}, LeftOut.PLAYERS),
        ({"with_evals": True}, LeftOut.EVALS),
        ({"share": 0.0}, LeftOut.SAMPLE),
    ],
)
def test_each_wish_has_its_own_reason(asked: dict[str, object], reason: LeftOut | None) -> None:
    assert GameFilter(**asked).why_left_out(game()) == reason  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"rated": False}, LeftOut.CASUAL),
        ({"variant": "atomic"}, LeftOut.VARIANT),
        ({"moves": ""}, LeftOut.MOVES),
        ({"players": {"white": {"aiLevel": 3}, "black": {}}}, LeftOut.NAMES),
    ],
)
def test_games_that_no_report_would_use_are_left_out(
    fields: dict[str, object], reason: LeftOut
) -> None:
    assert GameFilter().why_left_out(game(**fields)) == reason


def test_a_game_without_a_rating_is_left_out_only_where_ratings_are_asked_for() -> None:
    unrated = game(players={"white": {"user": {"name": "Ann"}, "rating": 1500}, "black": {}})
    assert GameFilter(min_rating=0).why_left_out(unrated) is LeftOut.UNRATED
    assert GameFilter().why_left_out(unrated) is None


def test_casual_games_are_taken_where_they_are_asked_for() -> None:
    assert GameFilter(casual=True).why_left_out(game(rated=False)) is None


IDS = [f"Id{number:06d}" for number in range(4000)]


def test_a_sample_has_its_share_of_the_games() -> None:
    for share in (0.01, 0.1, 0.5):
        drawn = sum(map(GameFilter(share=share).in_sample, IDS))
        assert abs(drawn - share * len(IDS)) < 4 * (share * len(IDS)) ** 0.5


@given(shares=st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted), number=st.integers(0))
def test_a_larger_sample_has_all_of_a_smaller_one(shares: list[float], number: int) -> None:
    smaller, larger = (GameFilter(share=share).in_sample(str(number)) for share in shares)
    assert larger >= smaller


def test_games_drawn_of_a_sample_are_those_drawn_of_all() -> None:
    def drawn(ids: list[str]) -> list[str]:
        few: Drawn[str] = Drawn(20)
        for game_id in ids:
            few.offer(game_id, game_id)
        return few.items()

    assert drawn([*filter(GameFilter(share=0.05).in_sample, IDS)]) == drawn(IDS)
