"""The CFC's ratings: recomputed events, the bonuses, and the laws that hold."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo import fqe
from pipeline.elo.cfc import k_factor, new_rating
from pipeline.elo.played import Played

VECTORS = Path(__file__).parent / "vectors"

ratings = st.floats(600, 2700)
halves = st.sampled_from([0.0, 0.5, 1.0])
events = st.lists(st.builds(Played, ratings, halves), min_size=1, max_size=9)


def rows(name: str) -> list[dict[str, str]]:
    with (VECTORS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def games_of(row: dict[str, str]) -> list[Played]:
    """Any games with the row's opponents that make its score: only the total counts."""
    opponents = [float(rating) for rating in row["opponents"].split(";")]
    left = float(row["score"])
    games = []
    for opponent in opponents:
        score = min(1.0, left)
        games.append(Played(opponent, score))
        left -= score
    return games


@pytest.mark.parametrize(
    "row", rows("cfc_recomputed"), ids=lambda r: "-".join(list(r.values())[:4])
)
def test_an_event_comes_out_as_recomputed_from_the_rules(row: dict[str, str]) -> None:
    found = new_rating(
        float(row["rating"]), games_of(row), all_time_high=float(row["previous_high"])
    )
    assert found.k == float(row["K"])
    assert found.score == float(row["score"])
    assert found.expected_score == pytest.approx(float(row["expected_logistic"]), abs=6e-7)
    assert found.change == pytest.approx(float(row["change"]), abs=6e-7)
    assert found.high_bonus == pytest.approx(float(row["bonus1"]), abs=6e-7)
    assert found.event_bonus == pytest.approx(float(row["bonus2"]), abs=6e-7)
    assert found.rating_after == pytest.approx(float(row["new_rating"]), abs=6e-7)
    if len(row["opponents"].split(";")) >= 4:
        assert found.threshold == pytest.approx(float(row["threshold"]), abs=6e-7)
    else:
        assert found.threshold is None


@pytest.mark.parametrize(
    ("rating", "minutes", "k"),
    [
        (2199, None, 32),
        (2200, None, 16),
        (1500, 15, 32),
        (1500, 14, 16),
        (2300, 59, 16),
        (2300, 5, 8),
    ],
)
def test_k_halves_for_masters_and_for_quick_games(
    rating: float, minutes: float | None, k: float
) -> None:
    assert k_factor(rating, minutes_per_game=minutes) == k


def test_bonuses_scale_with_k() -> None:
    games = [Played(1600, 1)] * 4
    whole, quick = (new_rating(1600, games, minutes_per_game=m) for m in (None, 10))
    assert quick.high_bonus == whole.high_bonus / 2 == 10
    assert quick.threshold == 13.0
    assert quick.event_bonus == pytest.approx(1.75 / 2 * (quick.change - 13.0))


def test_without_a_high_every_gain_of_four_games_is_a_new_high() -> None:
    assert new_rating(1600, [Played(1600, 1)] * 4).high_bonus == 20
    assert new_rating(1600, [Played(1600, 0)] * 4).high_bonus == 0
    assert new_rating(1600, [Played(1600, 1)] * 4, all_time_high=1664).high_bonus == 0


def test_three_games_earn_no_bonus() -> None:
    found = new_rating(1600, [Played(1900, 1)] * 3)
    assert (found.high_bonus, found.event_bonus) == (0, 0)


@given(ratings, events, st.floats(0, 400), st.integers(0, 8))
def test_a_better_result_never_lowers_the_rating(
    rating: float, games: list[Played], below_high: float, index: int
) -> None:
    place = index % len(games)
    better = [*games]
    better[place] = Played(games[place].opponent_rating, min(1, games[place].score + 0.5))
    high = rating + below_high
    worse, improved = (new_rating(rating, g, all_time_high=high) for g in (games, better))
    assert improved.rating_after >= worse.rating_after - 1e-9


@given(ratings, events)
def test_bonuses_only_add(rating: float, games: list[Played]) -> None:
    found = new_rating(rating, games)
    assert found.high_bonus >= 0
    assert found.event_bonus >= 0
    parts = found.rating_before + found.change + found.high_bonus + found.event_bonus
    assert found.rating_after == pytest.approx(parts)


def test_impossible_input_is_refused_in_one_sentence() -> None:
    games = [Played(1600, 1)]
    with pytest.raises(InputError, match="There are no games"):
        new_rating(1600, [])
    with pytest.raises(InputError, match=r"^Game 1: the score"):
        new_rating(1600, [Played(1600, 1.5)])
    with pytest.raises(InputError, match="cannot be under the rating"):
        new_rating(1600, games, all_time_high=1500)
    with pytest.raises(InputError, match=r"^The all-time high must be a finite number"):
        new_rating(1600, games, all_time_high=float("nan"))
    for minutes in (4.9, float("nan")):
        with pytest.raises(InputError, match="5 minutes and more"):
            new_rating(1600, games, minutes_per_game=minutes)


def test_the_fqe_s_formula_is_said_not_to_be_public() -> None:
    assert "does not publish" in fqe.FORMULA_NOT_PUBLIC
    assert fqe.FORMULA_NOT_PUBLIC.endswith(".")
