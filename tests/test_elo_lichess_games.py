"""A list of Lichess games from one side is the games themselves, one after another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo.glicko1 import GlickoGame
from pipeline.elo.glicko2 import Glicko2Rating
from pipeline.elo.lichess_games import lichess_games
from pipeline.elo.lichess_glicko2 import lichess_game

ME = Glicko2Rating(rating=1500.5, deviation=80, volatility=0.06)
games = st.builds(
    GlickoGame, st.integers(1000, 2000), st.integers(45, 200), st.sampled_from([0.0, 0.5, 1.0])
)


def opponent(game: GlickoGame) -> Glicko2Rating:
    return Glicko2Rating(
        rating=game.opponent_rating, deviation=game.opponent_deviation, volatility=0.09
    )


@given(st.lists(games, min_size=1, max_size=6), st.sampled_from(["white", "black"]))
def test_each_game_starts_where_the_one_before_it_ended(played, color) -> None:  # type: ignore[no-untyped-def]
    current = ME
    for game in played:
        if color == "white":
            current, _ = lichess_game(current, opponent(game), game.score, perf="blitz")
        else:
            _, current = lichess_game(opponent(game), current, 1 - game.score, perf="blitz")
    found = lichess_games(ME, played, perf="blitz", color=color)
    assert found.after == current == found.games[-1].after
    assert sum(line.rating_diff for line in found.games) == int(current.rating) - 1500


def test_white_earns_less_than_black_and_an_unknown_colour_lies_between() -> None:
    game = [GlickoGame(1500, 60, 1.0)]
    white, unknown, black = (
        lichess_games(ME, game, perf="blitz", color=color).after.rating
        for color in ("white", None, "black")
    )
    assert white < unknown < black


def test_no_games_are_refused() -> None:
    with pytest.raises(InputError, match="no games"):
        lichess_games(ME, [], perf="blitz")
