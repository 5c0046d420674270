"""The sentences that carry the answer claim what the ranges allow, and no more."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_reports import (
    made_alone,
    made_game_report,
    made_player_report,
    made_result,
    made_short_game,
    made_speed_report,
    made_strength,
    made_trends,
)

from pipeline.records import GamePlayer, NoEstimate, SetAside, TrendDifference
from reports.statements import (
    counted_games,
    engines_statement,
    opponents_statement,
    set_aside_groups,
    strength_coverage,
    views_statement,
)
from reports.verdict import verdict

RATINGS = st.integers(min_value=600, max_value=2800)


def _speed(results: tuple[float, float], moves: tuple[float, float]):
    return made_speed_report(
        result=made_result(performance_low=results[0], performance_high=results[1]),
        strength=made_strength(low=moves[0], high=moves[1]),
        trends=NoEstimate(reason="too few games"),
    )


def _likely(moves_above_probability: float) -> str:
    trends = made_trends()
    assert isinstance(trends.difference, TrendDifference)
    difference = replace(trends.difference, moves_above_probability=moves_above_probability)
    return verdict(made_speed_report(trends=replace(trends, difference=difference)))


@pytest.mark.parametrize(
    ("moves_above_probability", "said"),
    [
        (0.94, "you probably play better than you score (probability 94 %)."),
        (0.03, "you probably score better than you play (probability 97 %)."),
        (0.5, "these games show no clear difference between the two"),
    ],
)
def test_where_there_are_games_enough_the_probability_of_a_difference_is_told(
    moves_above_probability: float, said: str
) -> None:
    assert said in _likely(moves_above_probability)
    assert "overlap" not in _likely(moves_above_probability)


def test_overlapping_ranges_are_said_to_show_no_clear_difference() -> None:
    assert verdict(_speed((1641, 1729), (1722, 1799))) == (
        "Your results say 1,640–1,730, your moves say 1,720–1,800: the ranges overlap, so these "
        "games show no clear difference between the two."
    )


def test_moves_above_results_are_a_hint_with_its_error_rate() -> None:
    said = verdict(_speed((1500, 1600), (1650, 1800)))
    assert "the ranges are 50 points apart" in said
    assert "you moved better than you scored" in said
    assert "expected to miss in 20 % of cases" in said


def test_results_above_moves_are_told_the_other_way_round() -> None:
    assert "you scored better than you moved" in verdict(_speed((1900, 2000), (1650, 1800)))


@given(RATINGS, RATINGS, RATINGS, RATINGS)
def test_ranges_that_are_seen_to_touch_are_never_called_apart(
    a: int, b: int, c: int, d: int
) -> None:
    said = verdict(_speed((min(a, b), max(a, b)), (min(c, d), max(c, d))))
    shown = [part.split("–") for part in said.replace(",", "").split() if "–" in part]
    (low, high), (other_low, other_high) = [
        (int(ends[0]), int(ends[1].rstrip(":"))) for ends in shown
    ]
    assert ("overlap" in said) == (low <= other_high and other_low <= high)


def test_two_scales_are_not_compared() -> None:
    speed = made_speed_report(result=made_result(scale="fide"))
    assert "two scales (FIDE and Lichess blitz) that are not to be compared" in verdict(speed)


def test_a_missing_view_is_explained() -> None:
    few = NoEstimate(reason="too few moves")
    none = NoEstimate(reason="no rated opponents")
    assert verdict(made_speed_report(strength=few)).endswith(
        "Your moves give no range: too few moves."
    )
    assert verdict(made_speed_report(result=none)).endswith(
        "Your results give no range: no rated opponents."
    )
    neither = verdict(made_speed_report(strength=few, result=none))
    assert "no rated opponents" in neither and "too few moves" in neither


def test_it_is_said_how_many_games_stand_behind_each_view() -> None:
    speed = made_speed_report(games=25, strength=NoEstimate(reason="none"))
    assert counted_games(speed) == "results from 20 of 25 games; moves from 0 of 25 games"


def test_unusual_opponents_are_counted_by_kind() -> None:
    game = made_game_report(1)
    computer = replace(game.black, player=GamePlayer(computer_level=5))
    unsure = replace(game.black, player=GamePlayer(name="New", rating=1500, provisional=True))
    bot = replace(game.black, player=GamePlayer(name="Tin", title="BOT", rating=1500))
    sides = (computer, unsure, bot)
    games = (game, *(replace(game, black=side) for side in sides), made_short_game())
    said = opponents_statement(games)
    assert said == (
        "Among the opponents in 5 games: 1 anonymous, 1 bot, 1 computer, 1 with a provisional "
        "rating. Who has no rating is left out of the results. Bots and provisional ratings count "
        "like all others."
    )
    assert opponents_statement((game,)) == ""


def test_every_engine_and_budget_is_named_with_its_games() -> None:
    said = engines_statement(tuple(made_game_report(seed) for seed in (1, 2, 3)))
    assert said == (
        "2 games: Stockfish 15.1 (nn-ad9b42354671.nnue), up to 100,000 nodes a position",
        "1 game: Lichess server analysis",
    )


def test_it_is_told_who_looked_at_the_moves_and_how_to_get_narrower_ranges() -> None:
    read = tuple(made_game_report(seed) for seed in (1, 2, 3))
    alone = (made_alone(4), made_alone(5))
    unwanted = made_alone(6, human_model_missing=False)
    assert views_statement((*read, *alone, unwanted, made_short_game())) == (
        "3 games: strength from Stockfish's view and a human-move model",
        "2 games: strength from Stockfish's view alone: ranges are wider; `movelo model install` "
        "adds the human-move model",
        "1 game: strength from Stockfish's view alone: ranges are wider than with the human-move "
        "model",
    )


@given(st.lists(st.tuples(st.text(max_size=5), st.sampled_from(["a", "b", "c"]))))
def test_nothing_that_was_set_aside_gets_lost_in_the_groups(items: list[tuple[str, str]]) -> None:
    groups = set_aside_groups(tuple(SetAside(where=where, reason=why) for where, why in items))
    assert sum(len(group.places) for group in groups) == len(items)
    sizes = [len(group.places) for group in groups]
    assert sizes == sorted(sizes, reverse=True)
    assert len({group.reason for group in groups}) == len(groups)


def test_the_coverage_is_read_from_the_ranges() -> None:
    assert strength_coverage(made_player_report(3)) == "80 %"
    assert strength_coverage(made_player_report(0, speeds=())) == ""
