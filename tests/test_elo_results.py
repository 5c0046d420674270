"""From games to a ResultEstimate, and to the groups of a player's games."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.evals import Color
from pipeline.elo.opponents import opponent_counts
from pipeline.elo.result_groups import Grouping, result_groups
from pipeline.elo.results import estimate_results
from pipeline.records import Game, GamePlayer, NoEstimate, Opening, ResultEstimate

WHEN = datetime(2026, 3, 14, 12, tzinfo=UTC)
Side = tuple[Game, Color]


def played(
    score: float | None = 1.0, opponent: int | None = 1500, color: Color = "white", **fields: object
) -> Side:
    other: Color = "black" if color == "white" else "white"
    own = GamePlayer(name="Quillfeather", rating=1500)
    against = GamePlayer(name="Moorhenry", rating=opponent)
    sides = {color: own, other: against}
    game = Game(
        id="made0001", variant="standard", speed="blitz", rated=True, created_at=WHEN,
        white=sides["white"], black=sides["black"], result_known=score is not None,
        winner={1.0: color, 0.0: other}.get(score if score is not None else 0.5),
    )  # fmt: skip
    return replace(game, **fields), color  # type: ignore[arg-type]


def against(player: GamePlayer) -> Side:
    return played(black=player)


def estimate(games: Sequence[Side]) -> ResultEstimate:
    found = estimate_results(games, scale="lichess_blitz", coverage=0.8)
    assert isinstance(found, ResultEstimate)
    return found


def groups(games: Sequence[Side], grouping: Grouping, **options: object):  # type: ignore[no-untyped-def]
    return result_groups(games, grouping, scale="lichess_blitz", coverage=0.8, **options)


def test_a_score_as_expected_is_as_likely_to_be_passed_as_missed() -> None:
    luck = estimate([played(1.0), played(0.0)] * 10).luck
    assert not isinstance(luck, NoEstimate)
    assert luck.score_or_luckier_probability == pytest.approx(luck.score_or_unluckier_probability)
    assert 0.5 < luck.score_or_luckier_probability < 0.65


def test_winning_every_game_against_equals_takes_luck() -> None:
    luck = estimate([played(1.0)] * 10).luck
    assert not isinstance(luck, NoEstimate)
    assert 2**-10 > luck.score_or_luckier_probability > 0
    assert luck.score_or_unluckier_probability == pytest.approx(1)


def test_without_an_own_rating_there_is_a_performance_but_no_luck() -> None:
    found = estimate([played(white=GamePlayer(name="Quillfeather"))])
    assert found.luck == NoEstimate(
        reason="the player's own rating is not known in any of these games"
    )


def test_every_kind_of_opponent_is_counted_where_it_belongs() -> None:
    games = [
        played(),
        against(GamePlayer(name="New", rating=1500, provisional=True)),
        against(GamePlayer(name="Tin", title="BOT", rating=1900)),
        against(GamePlayer(computer_level=3)),
        against(GamePlayer()),
        against(GamePlayer(name="Nobody")),
        played(None),
    ]
    counts = opponent_counts(games)
    assert (counts.counted, counts.provisional, counts.bots) == (3, 1, 1)
    assert (counts.computer, counts.anonymous, counts.unrated, counts.without_result) == (1,) * 4
    found = estimate(games)
    assert found.games == 3 and found.opponents == counts


def test_only_games_against_the_computer_give_no_estimate() -> None:
    games = [against(GamePlayer(computer_level=8))]
    assert estimate_results(games, scale="lichess_blitz", coverage=0.8) == NoEstimate(
        reason="no finished game against a rated opponent"
    )


sides = st.builds(
    played,
    st.sampled_from([1.0, 0.5, 0.0, None]),
    st.one_of(st.none(), st.integers(900, 2200)),
    st.sampled_from(["white", "black"]),
    created_at=st.integers(0, 400).map(lambda day: WHEN + timedelta(days=day)),
    opening=st.sampled_from([None, Opening(eco="B22", name="Sicilian Defense: Alapin")]),
)


@given(
    st.lists(sides, min_size=1, max_size=30),
    st.sampled_from(["color", "strength", "opening", "month"]),
)
def test_each_game_is_in_one_group(games: list[Side], grouping: Grouping) -> None:
    found = groups(games, grouping, fewest_games=1)
    assert sum(group.games for group in found) == len(games)
    counted = sum(g.result.games for g in found if isinstance(g.result, ResultEstimate))
    assert counted == opponent_counts(games).counted
    assert len({group.label for group in found}) == len(found)


def test_white_stands_before_black_and_months_in_order() -> None:
    old = played(color="black", created_at=WHEN - timedelta(days=60))
    games = [old, played(), played()]
    assert [g.label for g in groups(games, "color")] == ["with White", "with Black"]
    assert [g.label for g in groups(games, "month")] == ["2026-01", "2026-03"]


def test_months_are_those_of_the_players_zone() -> None:
    east = timezone(timedelta(hours=5))
    game = played(created_at=datetime(2026, 3, 31, 22, tzinfo=UTC))
    assert groups([game], "month", zone=east)[0].label == "2026-04"


def test_opponents_are_divided_at_100_points() -> None:
    games = [played(opponent=rating) for rating in (1399, 1400, 1600, 1601)]
    found = {group.label: group.games for group in groups(games, "strength")}
    assert found == {
        "weaker by more than 100": 1, "about equal, within 100": 2, "stronger by more than 100": 1,
    }  # fmt: skip


def test_variations_of_an_opening_belong_together_and_the_colours_apart() -> None:
    alapin, najdorf = (
        Opening(eco="B00", name=f"Sicilian Defense: {name}") for name in ("Alapin", "Najdorf")
    )
    games = [played(opening=alapin), played(opening=najdorf), played(color="black", opening=alapin)]
    found = {group.label: group.games for group in groups(games, "opening")}
    assert found == {"Sicilian Defense, with White": 2, "Sicilian Defense, with Black": 1}


@pytest.mark.parametrize(
    ("games", "reason"),
    [
        (4, "too few: 4 games count, at least 5 are needed"),
        (1, "too few: 1 game counts, at least 5 are needed"),
    ],
)
def test_a_group_of_too_few_games_says_so(games: int, reason: str) -> None:
    assert groups([played()] * games, "color")[0].result == NoEstimate(reason=reason)
    enough = groups([played()] * 5, "color")[0].result
    assert isinstance(enough, ResultEstimate) and enough.games == 5
