"""The replay of a history: against histories made by Lichess's own rules, hidden values and all."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from config.errors import InputError
from engines.evals import Color
from pipeline.elo.glicko2 import Glicko2Rating
from pipeline.elo.lichess_glicko2 import (
    NEW_PLAYER,
    is_provisional,
    lichess_game,
    live_deviation,
    rating_diff,
)
from pipeline.elo.lichess_replay import Replay, ReplayAssumptions, perf_of, replay
from pipeline.records import Game, GamePlayer, NoEstimate

START = datetime(2026, 1, 1, tzinfo=UTC)
SCORES: dict[float, Color | None] = {1.0: "white", 0.5: None, 0.0: "black"}


def shown(player: Glicko2Rating, after: Glicko2Rating, title: str | None = None) -> GamePlayer:
    """What Lichess's export tells of a player's hidden values."""
    return GamePlayer(
        name="somebody",
        title=title,
        rating=int(player.rating),
        rating_diff=rating_diff(player.rating, after.rating),
        provisional=is_provisional(player.deviation),
    )


def history(
    count: int,
    *,
    opponent_deviations: tuple[float, float] = (45, 45),
    start: Glicko2Rating = NEW_PLAYER,
    days_between: float = 1.5,
    first_day: datetime = START,
    bots: bool = False,
) -> list[tuple[Game, Color]]:
    """A player's games as Lichess would have rated and exported them."""
    chance = random.Random(20)
    own, made = start, []
    for number in range(count):
        if number:
            own = replace(
                own, deviation=live_deviation(own.deviation, own.volatility, days_between)
            )
        other = Glicko2Rating(
            rating=own.rating + chance.uniform(-250, 250),
            deviation=chance.uniform(*opponent_deviations),
            volatility=0.06,
        )
        color: Color = chance.choice(["white", "black"])
        white, black = (own, other) if color == "white" else (other, own)
        score = chance.choice([1.0, 1.0, 0.5, 0.0, 0.0])
        played_at = first_day + timedelta(days=number * days_between)
        after = lichess_game(
            white,
            black,
            score,
            perf="blitz",
            white_is_bot=bots and color == "black",
            black_is_bot=bots and color == "white",
            color_advantage=None if played_at.year >= 2026 else 0.0,
        )
        titles = (
            "BOT" if bots and color == "black" else None,
            "BOT" if bots and color == "white" else None,
        )
        made.append(
            (
                Game(
                    id=f"game{number:04d}",
                    variant="standard",
                    speed="blitz",
                    rated=True,
                    created_at=played_at,
                    white=shown(white, after[0], titles[0]),
                    black=shown(black, after[1], titles[1]),
                    winner=SCORES[score],
                ),
                color,
            )
        )
        own = after[0] if color == "white" else after[1]
    return made


def replayed(games: list[tuple[Game, Color]], **assumed: float) -> Replay:
    found = replay(games, perf="blitz", assumptions=ReplayAssumptions(**assumed))  # type: ignore[arg-type]
    assert isinstance(found, Replay)
    return found


def test_a_new_account_is_followed_almost_exactly_when_opponents_are_as_assumed() -> None:
    # What is left are the fractions of the opponents' ratings, which no export shows.
    found = replayed(history(200))
    assert len(found.games) == 200
    assert found.share_exact >= 0.9
    assert found.share_within_1 == 1


def test_opponents_of_other_deviations_cost_agreement_and_stay_close() -> None:
    found = replayed(history(200, opponent_deviations=(45, 105)))
    assert found.share_exact < 0.9
    assert found.share_within_3 >= 0.95


def test_the_assumed_deviation_is_used_and_said() -> None:
    games = history(60, opponent_deviations=(100, 100))
    right = replayed(games, established_deviation=100)
    wrong = replayed(games, established_deviation=45)
    assert right.share_exact > wrong.share_exact
    assert right.assumptions.established_deviation == 100
    assert "exports no rating deviations: 100 is assumed" in right.note


def test_an_established_player_is_picked_up_in_the_middle() -> None:
    own = Glicko2Rating(rating=1834.25, deviation=52, volatility=0.059)
    found = replayed(history(200, start=own))
    errors = [abs(game.predicted_diff - game.recorded_diff) for game in found.games]
    # The deviation assumed at the start is too small; following the games mends it.
    assert max(errors) <= 3
    assert max(errors[100:]) <= 1
    assert errors[100:].count(0) >= 80


def test_a_long_pause_brings_the_question_mark_and_larger_changes() -> None:
    own = Glicko2Rating(rating=1800, deviation=45, volatility=0.06)
    games = history(2, start=own, days_between=900)
    found = replayed(games)
    assert games[1][0].player(games[1][1]).provisional
    assert found.games[1].deviation >= 110
    assert found.share_within_1 == 1


@pytest.mark.parametrize(("days", "doubtful"), [(1.5, True), (900.0, False)])
def test_the_question_mark_corrects_a_deviation_that_was_followed_wrongly(
    days: float, doubtful: bool
) -> None:
    own = Glicko2Rating(rating=1800, deviation=45, volatility=0.06)
    first, (second, color) = history(2, start=own, days_between=days)
    marked = replace(second.player(color), provisional=doubtful)
    shown_so = replace(second, white=marked) if color == "white" else replace(second, black=marked)
    found = replayed([first, (shown_so, color)])
    assert found.games[0].deviation == 45
    assert is_provisional(found.games[1].deviation) == doubtful
    assert found.games[1].deviation == pytest.approx(110, abs=0.02)


def test_before_november_2025_white_had_no_advantage() -> None:
    found = replayed(history(200, first_day=datetime(2024, 1, 1, tzinfo=UTC)))
    assert found.share_exact >= 0.9


def test_games_against_bots_move_half_the_way() -> None:
    found = replayed(history(100, bots=True))
    assert found.share_exact >= 0.9


def test_the_order_of_the_list_does_not_matter_and_the_oldest_comes_first() -> None:
    games = history(30)
    found = replayed(games[::-1])
    assert found == replayed(games)
    assert [game.game_id for game in found.games] == [game.id for game, _ in games]


def test_shares_count_the_games_within_so_many_points() -> None:
    found = replayed(history(200, opponent_deviations=(45, 250)))
    errors = [abs(game.predicted_diff - game.recorded_diff) for game in found.games]
    for share, most in (
        (found.share_exact, 0),
        (found.share_within_1, 1),
        (found.share_within_3, 3),
    ):
        assert share == sum(error <= most for error in errors) / len(errors)
    assert 0 < found.share_exact < found.share_within_1 < found.share_within_3 <= 1


def test_other_perfs_are_passed_over_and_unrated_games_are_named() -> None:
    (game, color), *rest = history(6)
    own = game.player(color)
    unrecorded = replace(own, rating_diff=None)
    without_change = (
        replace(game, white=unrecorded) if color == "white" else replace(game, black=unrecorded)
    )
    odd = [
        (replace(without_change, id="nochange"), color),
        (replace(game, id="casual", rated=False), color),
        (replace(game, id="noresult", result_known=False), color),
        (replace(game, id="computer", white=GamePlayer(), black=GamePlayer()), color),
        (replace(game, id="toolow", white=GamePlayer(rating=3, rating_diff=1), black=own), color),
        (replace(game, id="rapid", speed="rapid"), color),
        (replace(game, id="atomic", variant="atomic"), color),
    ]
    found = replayed([*odd, *rest])
    assert len(found.games) == 5
    assert {aside.where: aside.reason for aside in found.set_aside} == {
        "nochange": "no rating change recorded",
        "casual": "casual",
        "noresult": "no result",
        "computer": "a player without a rating",
        "toolow": "a rating that Lichess does not give",
    }


def test_a_variant_has_its_own_rating_at_every_speed() -> None:
    game, _ = history(1)[0]
    assert perf_of(game) == "blitz"
    assert perf_of(replace(game, variant="chess960")) == "chess960"


def test_without_rated_games_the_reason_is_said() -> None:
    found = replay([], perf="blitz")
    assert found == NoEstimate(reason="no rated game at blitz with a recorded rating change")


def test_impossible_arguments_are_refused() -> None:
    with pytest.raises(InputError, match="no rating for 'hyperblitz'"):
        replay([], perf="hyperblitz")
    with pytest.raises(InputError, match="deviation"):
        replayed(history(2), established_deviation=-5)
