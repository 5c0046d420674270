"""Lichess's ratings: scalachess's test values, recomputed updates, bounds and laws."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo.glicko2 import Glicko2Rating
from pipeline.elo.lichess_glicko2 import (
    NEW_PLAYER,
    PERFS,
    is_provisional,
    lichess_game,
    live_deviation,
    rating_diff,
)

VECTORS = Path(__file__).parent / "vectors"

halves = st.sampled_from([0.0, 0.5, 1.0])
perfs = st.sampled_from(PERFS)
players = st.builds(
    Glicko2Rating,
    rating=st.floats(400, 4000),
    deviation=st.floats(45, 500),
    volatility=st.floats(0.03, 0.1),
)


def rows(name: str) -> list[dict[str, str]]:
    with (VECTORS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def side(row: dict[str, str], color: str, *, prefix: str = "", suffix: str = "") -> Glicko2Rating:
    stem = f"{prefix}{color}"
    rating = f"{stem}{suffix}" if suffix else f"{stem}_rating"
    return Glicko2Rating(
        rating=float(row[rating]),
        deviation=float(row[f"{stem}_rd{suffix}"]),
        volatility=float(row[f"{stem}_vol{suffix}"]),
    )


def at(rating: float, deviation: float = 45, volatility: float = 0.06) -> Glicko2Rating:
    return Glicko2Rating(rating=rating, deviation=deviation, volatility=volatility)


@pytest.mark.parametrize(
    "row", rows("glicko2_scalachess"), ids=lambda r: f"{r['test']} {r['color_advantage']}"
)
def test_scalachess_s_own_tests_pass_within_their_tolerance(row: dict[str, str]) -> None:
    # A correspondence gain has the factor 1, so this is scalachess's calculator alone.
    found = lichess_game(
        side(row, "w"),
        side(row, "b"),
        float(row["score_white"]),
        perf="correspondence",
        color_advantage=float(row["color_advantage"]),
    )
    for color, after in zip("wb", found, strict=True):
        printed, recomputed = side(row, color, prefix="exp_"), side(row, color, prefix="re_")
        assert after.rating == pytest.approx(printed.rating, abs=float(row["tol_rating"]))
        assert after.deviation == pytest.approx(printed.deviation, abs=float(row["tol_rd"]))
        assert after.volatility == pytest.approx(printed.volatility, abs=float(row["tol_vol"]))
        assert after.rating == pytest.approx(recomputed.rating, abs=1e-6)
        assert after.deviation == pytest.approx(recomputed.deviation, abs=1e-6)
        assert after.volatility == pytest.approx(recomputed.volatility, abs=1e-8)


@pytest.mark.parametrize(
    "row",
    rows("lichess_game_update_recomputed"),
    ids=lambda r: f"{r['perf']}-{r['w_rating']}-{r['b_rating']}-{r['score_white']}",
)
def test_a_whole_update_comes_out_as_recomputed(row: dict[str, str]) -> None:
    white, black = side(row, "w"), side(row, "b")
    after = lichess_game(white, black, float(row["score_white"]), perf=row["perf"])
    for color, before, found in zip("wb", (white, black), after, strict=True):
        expected = side(row, color, suffix="_new")
        assert found.rating == pytest.approx(expected.rating, abs=1e-6)
        assert found.deviation == pytest.approx(expected.deviation, abs=1e-6)
        assert found.volatility == pytest.approx(expected.volatility, abs=1e-6)
        assert rating_diff(before.rating, found.rating) == int(row[f"{color}_ratingDiff"])


# An independent reading of 2026, bullet, deviation 45 on both sides, mean over both colours.
INDEPENDENT = [
    (-100, 4.15, -1.58, -7.26),
    (0, 5.73, 0.00, -5.68),
    (100, 7.33, 1.59, -4.11),
    (200, 8.72, 2.96, -2.77),
]


@pytest.mark.parametrize(("difference", "win", "draw", "loss"), INDEPENDENT)
def test_mean_changes_are_those_of_an_independent_reading(
    difference: int, win: float, draw: float, loss: float
) -> None:
    own, opponent = at(1800), at(1800 + difference)
    for score, printed in ((1, win), (0.5, draw), (0, loss)):
        as_white, _ = lichess_game(own, opponent, score, perf="bullet")
        _, as_black = lichess_game(opponent, own, 1 - score, perf="bullet")
        mean = (as_white.rating + as_black.rating) / 2 - 1800
        assert mean == pytest.approx(printed, abs=0.0051)


@pytest.mark.parametrize(
    "row", rows("glicko2_rd_growth"), ids=lambda r: f"{r['rd_start']}-{r['volatility']}-{r['days']}"
)
def test_a_pause_widens_the_deviation_as_recomputed(row: dict[str, str]) -> None:
    found = live_deviation(float(row["rd_start"]), float(row["volatility"]), float(row["days"]))
    assert found == pytest.approx(float(row["rd_live_capped_45_500"]), abs=6e-7)
    assert found == pytest.approx(min(500, float(row["rd_uncapped"])), abs=6e-7)


def test_the_question_mark_begins_at_a_deviation_of_110() -> None:
    assert is_provisional(110)
    assert not is_provisional(109.99)


def test_the_shown_difference_is_of_whole_points() -> None:
    assert rating_diff(1799.9, 1800.1) == 1
    assert rating_diff(1800.1, 1799.9) == -1
    assert rating_diff(1800.0, 1800.99) == 0


def test_white_is_expected_to_score_more_in_standard_chess_only() -> None:
    for perf in PERFS:
        white, black = lichess_game(at(1800), at(1800), 0.5, perf=perf)
        if perf in ("chess960", "kingOfTheHill", "threeCheck", "atomic", "antichess"):
            assert white.rating == black.rating == 1800
        elif perf not in ("horde", "racingKings"):
            assert white.rating < 1800 < black.rating


def test_gains_grow_by_the_factor_of_the_perf_and_losses_do_not() -> None:
    plain = lichess_game(at(1800), at(1800), 1, perf="correspondence", color_advantage=0)
    for perf, factor in (("rapid", 1.015), ("classical", 1.01), ("blitz", 1.005), ("atomic", 1.02)):
        white, black = lichess_game(at(1800), at(1800), 1, perf=perf, color_advantage=0)
        assert white.rating - 1800 == pytest.approx(factor * (plain[0].rating - 1800))
        assert black.rating == plain[1].rating


def test_a_human_moves_half_the_way_against_a_bot_and_the_bot_all_of_it() -> None:
    full = lichess_game(at(1800, 80), at(1900, 80), 1, perf="blitz")
    half = lichess_game(at(1800, 80), at(1900, 80), 1, perf="blitz", black_is_bot=True)
    assert half[0].rating - 1800 == pytest.approx((full[0].rating - 1800) / 2)
    assert half[0].deviation == pytest.approx((80 + full[0].deviation) / 2)
    assert half[1] == full[1]
    bots = lichess_game(
        at(1800, 80), at(1900, 80), 1, perf="blitz", white_is_bot=True, black_is_bot=True
    )
    assert bots == full


def test_one_game_moves_a_rating_by_at_most_700() -> None:
    white, black = lichess_game(at(1000, 500), at(3000, 500), 1, perf="rapid")
    assert white.rating == 1700
    assert black.rating == 2300


@given(players, players, halves, perfs)
def test_everything_stays_within_lichess_s_bounds(
    white: Glicko2Rating, black: Glicko2Rating, score: float, perf: str
) -> None:
    for before, after in zip(
        (white, black), lichess_game(white, black, score, perf=perf), strict=True
    ):
        assert 400 <= after.rating <= 4000
        assert 45 <= after.deviation <= 500
        assert 0 < after.volatility <= 0.1
        assert abs(after.rating - before.rating) <= 700 + 1e-9


@given(players, players, perfs, st.booleans())
def test_a_better_result_never_lowers_the_rating(
    white: Glicko2Rating, black: Glicko2Rating, perf: str, bot: bool
) -> None:
    lost, drawn, won = (
        lichess_game(white, black, score, perf=perf, black_is_bot=bot)[0].rating
        for score in (0.0, 0.5, 1.0)
    )
    assert lost <= drawn + 1e-4
    assert drawn <= won + 1e-4
    assert lost <= white.rating <= won


@given(st.floats(45, 500), st.floats(0.03, 0.1), st.floats(0, 1000), st.floats(0, 1000))
def test_a_longer_pause_never_narrows_the_deviation(
    rd: float, volatility: float, days: float, more: float
) -> None:
    short = live_deviation(rd, volatility, days)
    assert short >= rd - 1e-9
    assert live_deviation(rd, volatility, days + more) >= short
    assert live_deviation(short, volatility, more) == pytest.approx(
        live_deviation(rd, volatility, days + more)
    )


def test_new_players_are_provisional() -> None:
    assert (NEW_PLAYER.rating, NEW_PLAYER.deviation, NEW_PLAYER.volatility) == (1500, 500, 0.09)
    assert is_provisional(NEW_PLAYER.deviation)


def test_impossible_input_is_refused_in_one_sentence() -> None:
    fine = at(1500)
    with pytest.raises(InputError, match="no rating for 'fromPosition'"):
        lichess_game(fine, fine, 1, perf="fromPosition")
    with pytest.raises(InputError, match=r"^White's score must be 1, 0\.5 or 0"):
        lichess_game(fine, fine, 0.3, perf="blitz")
    for bad in (at(399), at(4001), at(float("nan")), at(1500, 0), at(1500, 45, 0)):
        with pytest.raises(InputError):
            lichess_game(bad, fine, 1, perf="blitz")
        with pytest.raises(InputError):
            lichess_game(fine, bad, 1, perf="blitz")
    with pytest.raises(InputError, match="few points"):
        lichess_game(fine, fine, 1, perf="blitz", color_advantage=float("nan"))
    with pytest.raises(InputError, match="days since the last game"):
        live_deviation(60, 0.06, -1)
    with pytest.raises(InputError, match="deviation"):
        is_provisional(0)
