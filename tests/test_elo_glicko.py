"""Glicko-1 and Glicko-2: Glickman's own examples and the laws of both systems."""

import csv
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo import glicko1, glicko2
from pipeline.elo.glicko1 import GlickoGame
from pipeline.elo.glicko2 import Glicko2Rating

VECTORS = Path(__file__).parent / "vectors"

ratings = st.floats(400, 3000)
deviations = st.floats(30, 350)
halves = st.sampled_from([0.0, 0.5, 1.0])
game_lists = st.lists(st.builds(GlickoGame, ratings, deviations, halves), min_size=1, max_size=8)
players = st.builds(
    Glicko2Rating, rating=ratings, deviation=deviations, volatility=st.floats(0.03, 0.1)
)


def rows(name: str) -> list[dict[str, str]]:
    with (VECTORS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


EXAMPLE = [
    GlickoGame(float(row["opp_rating"]), float(row["opp_rd"]), float(row["score"]))
    for row in rows("glicko2_glickman_opponents")
]
PLAYER = Glicko2Rating(rating=1500, deviation=200, volatility=0.06)


def quantities() -> dict[str, float]:
    """Every quantity of the paper's example, computed by the program."""
    tau, phi = 0.5, PLAYER.deviation / glicko2.SCALE
    variance, delta = glicko2.variance_and_delta(PLAYER.rating, EXAMPLE)
    after = glicko2.update(PLAYER, EXAMPLE, tau=tau, elapsed_periods=1)
    return {
        "tau": tau,
        "phi": phi,
        "v": variance,
        "delta": delta,
        "sigma_prime": after.volatility,
        "phi_star": sqrt(phi**2 + after.volatility**2),
        "phi_prime": after.deviation / glicko2.SCALE,
        "mu_prime": (after.rating - 1500) / glicko2.SCALE,
        "rating": after.rating,
        "rd": after.deviation,
    }


@pytest.mark.parametrize("row", rows("glicko2_glickman"), ids=lambda r: r["quantity"])
def test_glickman_s_example_comes_out_as_recomputed_and_as_printed(row: dict[str, str]) -> None:
    found = quantities()[row["quantity"]]
    decimals = len(row["recomputed"].split(".")[1])
    assert found == pytest.approx(float(row["recomputed"]), abs=0.6 * 10**-decimals)
    # Where the paper calculates on with rounded results, the unrounded figure is in brackets.
    printed = row["paper"].split("(")[-1].split()[0]
    last_digit = 10 ** -len(printed.split(".")[1])  # the paper cuts 0.059996 to 0.05999
    assert abs(found - float(printed)) <= last_digit + 1e-5 * abs(found)


@pytest.mark.parametrize("row", rows("glicko2_glickman_opponents"), ids=lambda r: r["opp_rating"])
def test_glickman_s_opponents_weigh_and_promise_what_he_prints(row: dict[str, str]) -> None:
    opponent, deviation = float(row["opp_rating"]), float(row["opp_rd"])
    assert (opponent - 1500) / glicko2.SCALE == pytest.approx(float(row["mu_j"]), abs=6e-7)
    assert deviation / glicko2.SCALE == pytest.approx(float(row["phi_j"]), abs=6e-7)
    assert glicko2.g(deviation / glicko2.SCALE) == pytest.approx(float(row["g"]), abs=6e-7)
    found = glicko2.expectation(1500, opponent, deviation)
    assert found == pytest.approx(float(row["E"]), abs=6e-7)


def test_glickman_s_glicko_1_example_comes_out() -> None:
    # His paper prints 1464 and 151.4; the further digits are recomputed.
    found = glicko1.update(1500, 200, EXAMPLE)
    assert found.rating == pytest.approx(1464.1065, abs=5e-5)
    assert found.deviation == pytest.approx(151.3989, abs=5e-5)


def test_glicko_1_widens_the_deviation_by_time_first() -> None:
    # Glickman's paper: c = 63.2 brings a deviation of 50 to 350 in 30 periods.
    assert glicko1.grown_deviation(50, 63.2, 30) == pytest.approx(349.8, abs=0.05)
    assert glicko1.grown_deviation(50, 63.2, 31) == 350
    rested = glicko1.update(1500, 50, EXAMPLE, c=63.2, periods=30)
    assert rested == glicko1.update(1500, glicko1.grown_deviation(50, 63.2, 30), EXAMPLE)


@given(ratings, deviations, game_lists)
def test_games_narrow_the_deviation_of_glicko_1(
    rating: float, rd: float, games: list[GlickoGame]
) -> None:
    assert glicko1.update(rating, rd, games).deviation < rd


@given(players, game_lists)
def test_games_without_time_narrow_the_deviation_of_glicko_2(
    player: Glicko2Rating, games: list[GlickoGame]
) -> None:
    after = glicko2.update(player, games, tau=0.75, elapsed_periods=0)
    assert after.deviation < player.deviation


@given(players, game_lists, st.integers(0, 7), st.sampled_from([0.3, 0.75, 1.2]))
def test_a_better_result_never_lowers_the_rating(
    player: Glicko2Rating, games: list[GlickoGame], index: int, tau: float
) -> None:
    place = index % len(games)
    worse = games[place]
    better = [*games]
    better[place] = GlickoGame(
        worse.opponent_rating, worse.opponent_deviation, min(1, worse.score + 0.5)
    )
    before, after = (glicko2.update(player, g, tau=tau) for g in (games, better))
    assert after.rating >= before.rating - 1e-4
    old, new = (glicko1.update(player.rating, player.deviation, g) for g in (games, better))
    assert new.rating >= old.rating - 1e-9


@given(players, game_lists)
def test_the_order_of_the_games_does_not_matter(
    player: Glicko2Rating, games: list[GlickoGame]
) -> None:
    forwards, backwards = (glicko2.update(player, g, tau=0.5) for g in (games, games[::-1]))
    assert forwards.rating == pytest.approx(backwards.rating, abs=1e-3)
    assert forwards.deviation == pytest.approx(backwards.deviation, abs=1e-3)


@given(ratings, deviations, halves)
def test_between_equals_one_gains_what_the_other_loses(
    rating: float, rd: float, score: float
) -> None:
    mine = glicko1.update(rating, rd, [GlickoGame(rating, rd, score)]).rating
    theirs = glicko1.update(rating, rd, [GlickoGame(rating, rd, 1 - score)]).rating
    assert mine - rating == pytest.approx(rating - theirs, abs=1e-6)


@given(ratings, ratings, deviations)
def test_the_expectations_of_both_against_the_same_deviation_make_one_point(
    a: float, b: float, rd: float
) -> None:
    assert glicko2.expectation(a, b, rd) + glicko2.expectation(b, a, rd) == pytest.approx(1)


def test_the_largest_surprise_still_converges() -> None:
    weakest = Glicko2Rating(rating=0, deviation=500, volatility=0.09)
    after = glicko2.update(weakest, [GlickoGame(4000, 45, 1)], tau=0.75)
    assert 0 < after.rating < float("inf")
    assert 0 < after.volatility < float("inf")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((float("nan"), 200, EXAMPLE), "^The rating must lie within"),
        ((1500, 0, EXAMPLE), "^The rating deviation must be a number of points above 0"),
        ((1500, 200, []), "^There are no games"),
        ((1500, 200, [GlickoGame(1500, -1, 1)]), "^Game 1: the opponent's deviation"),
        ((1500, 200, [EXAMPLE[0], GlickoGame(1e9, 60, 1)]), "^Game 2: the opponent's rating"),
        ((1500, 200, [GlickoGame(1500, 60, 2)]), r"^Game 1: the score must be 1, 0\.5 or 0"),
    ],
)
def test_impossible_glicko_input_is_refused_in_one_sentence(
    arguments: tuple[float, float, list[GlickoGame]], message: str
) -> None:
    rating, rd, games = arguments
    with pytest.raises(InputError, match=message):
        glicko1.update(rating, rd, games)
    player = Glicko2Rating(rating=rating, deviation=rd, volatility=0.06)
    with pytest.raises(InputError, match=message):
        glicko2.update(player, games, tau=0.5)


def test_impossible_dials_are_refused() -> None:
    with pytest.raises(InputError, match="constant c: give it"):
        glicko1.update(1500, 200, EXAMPLE, periods=2)
    with pytest.raises(InputError, match=r"^c must be a number of 0 or more"):
        glicko1.update(1500, 200, EXAMPLE, c=-1, periods=2)
    with pytest.raises(InputError, match=r"^The number of periods must be"):
        glicko1.update(1500, 200, EXAMPLE, c=30, periods=-2)
    with pytest.raises(InputError, match="tau must be a number above 0"):
        glicko2.update(PLAYER, EXAMPLE, tau=0)
    with pytest.raises(InputError, match="elapsed rating periods must be 0 or more"):
        glicko2.update(PLAYER, EXAMPLE, tau=0.5, elapsed_periods=-1)
    with pytest.raises(InputError, match="volatility must be above 0"):
        glicko2.update(Glicko2Rating(rating=1500, deviation=200, volatility=0), EXAMPLE, tau=0.5)
