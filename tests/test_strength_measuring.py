"""The parts of measuring: pools, selections, reliability, the eight bands, standard errors."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.evals import COLORS, Color
from pipeline.drawn import Drawn
from pipeline.records import Evidence, StrengthRange
from pipeline.strength.band_test import BANDS, BandTest, band_of_eight, exact_band_of_eight
from pipeline.strength.baselines import acpl_formula
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.grid import RATINGS, normalised, quantile, share_below
from pipeline.strength.measured import measured, r_squared
from pipeline.strength.pools import PoolMaker, consecutive
from pipeline.strength.reading import Reading
from pipeline.strength.reliability import Reliability, reliability
from pipeline.strength.selections import SELECTIONS, parts_of


@cache
def model() -> StrengthModel:
    return StrengthModel.load()


def reading(
    player: str,
    day: int,
    *,
    rating: int = 1500,
    seen: float = 1500.0,
    spread: float = 200.0,
    game: str | None = None,
    color: Color = "white",
) -> Reading:
    """A normal likelihood around `seen`."""
    evidence = Evidence(
        game_id=game or f"{player}{day}",
        color=color,
        scale="lichess_rapid",
        moves=30,
        log_likelihoods=tuple((-0.5 * ((RATINGS - seen) / spread) ** 2).tolist()),
    )
    return Reading(
        speed="rapid",
        player=player,
        rating=rating,
        steady=True,
        created_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day),
        have_clocks=False,
        evidence=evidence,
        average_centipawn_loss=30,
    )


# --- pools ---------------------------------------------------------------------------------


def test_pools_do_not_overlap_and_take_neighbours() -> None:
    readings = [reading(*each) for each in (("b", 3), ("a", 2), ("a", 0), ("b", 1), ("a", 1))]
    pools = [[(r.player, r.created_at.day) for r in pool] for pool in consecutive(readings, 2)]
    assert pools == [[("a", 1), ("a", 2)], [("b", 2), ("b", 4)]]


def test_a_pool_has_the_range_that_a_report_shows_and_the_mean_rating() -> None:
    games = [reading("a", day, rating=1400 + day, seen=1300.0 + 50 * day) for day in range(3)]
    (pool,) = PoolMaker(model()).pools(games, 3)
    expected = model().strength_range([game.evidence for game in games], speed="rapid")
    assert isinstance(expected, StrengthRange)
    assert pool.range == expected
    assert pool.rating == 1401
    assert pool.range_without_human_model is None


@pytest.mark.parametrize("quantile_of", ["low", "median", "high"])
def test_the_probability_below_a_rating_belongs_to_the_range(quantile_of: str) -> None:
    (pool,) = PoolMaker(model()).pools([reading("a", 1)], 1)
    at = getattr(pool.range, quantile_of)
    (there,) = PoolMaker(model()).pools([reading("a", 1, rating=round(at))], 1)
    stated = {"low": 0.1, "median": 0.5, "high": 0.9}[quantile_of]
    assert there.probability_below == pytest.approx(stated, abs=0.002)


@given(
    logs=st.lists(st.floats(-30, 0), min_size=len(RATINGS), max_size=len(RATINGS)),
    level=st.floats(0.01, 0.99),
)
def test_the_share_below_a_quantile_is_its_level(logs: list[float], level: float) -> None:
    probabilities = normalised(np.array(logs))
    assert share_below(probabilities, quantile(probabilities, level)) == pytest.approx(level)


def test_the_ranges_without_the_human_move_model_are_of_the_same_pools() -> None:
    asked = replace(
        reading("a", 1, seen=1700), evidence_without_human_model=reading("a", 1).evidence
    )
    (pool,) = PoolMaker(model()).pools([asked], 1)
    (alone,) = PoolMaker(model()).pools([reading("a", 1)], 1)
    assert pool.range_without_human_model == alone.range != pool.range


# --- selections ----------------------------------------------------------------------------


def _selected(one: Reading) -> set[str]:
    return {name for name, holds in SELECTIONS.items() if holds(one)}


def test_selections_are_by_steadiness_of_the_rating_and_length_of_the_game() -> None:
    long = reading("a", 1)
    short = replace(long, evidence=replace(long.evidence, moves=24))
    assert _selected(long) == {"steady", "steady and long", "long", "all"}
    assert _selected(short) == {"steady", "all"}
    assert _selected(replace(long, steady=False)) == {"long", "all"}
    assert _selected(replace(short, steady=False)) == {"all"}


@pytest.mark.parametrize(
    ("moment", "period"),
    [
        (datetime(2022, 12, 31, 23, 59, tzinfo=UTC), "before"),
        (datetime(2023, 1, 1, tzinfo=UTC), "inside"),
        (datetime(2025, 7, 31, 23, 59, tzinfo=UTC), "inside"),
        (datetime(2025, 8, 1, tzinfo=UTC), "after"),
    ],
)
def test_periods_are_before_inside_and_after_the_training_of_maia(
    moment: datetime, period: str
) -> None:
    assert ("period", period) in parts_of(replace(reading("a", 1), created_at=moment))


@given(moves=st.integers(8, 400))
def test_every_game_of_eight_own_moves_or_more_has_one_length(moves: int) -> None:
    one = reading("a", 1)
    parts = list(parts_of(replace(one, evidence=replace(one.evidence, moves=moves))))
    ((low, high),) = [_ends(part) for division, part in parts if division == "own_moves"]
    assert low <= moves <= high


def _ends(part: str) -> tuple[int, int]:
    low, _, high = part.rstrip("+").partition("-")
    return int(low), int(high or 400)


def test_clocks_and_their_absence_are_told_apart() -> None:
    assert ("clocks", "without") in parts_of(reading("a", 1))
    assert ("clocks", "with") in parts_of(replace(reading("a", 1), have_clocks=True))


# --- means and their errors ----------------------------------------------------------------


def test_the_standard_error_counts_players_and_not_games() -> None:
    values = np.repeat(np.random.default_rng(1).normal(0, 1, 50), 20)
    by_player = measured(values, [str(i // 20) for i in range(1000)])
    as_if_independent = measured(values, [str(i) for i in range(1000)])
    assert by_player.standard_error == pytest.approx(values.std() / np.sqrt(50), rel=0.05)
    assert as_if_independent.standard_error == pytest.approx(values.std() / np.sqrt(1000), rel=0.05)


def test_one_player_alone_has_no_standard_error() -> None:
    assert measured(np.array([1.0, 3.0]), ["a", "a"]).standard_error is None


def test_the_standard_error_of_r_squared_is_how_much_it_scatters() -> None:
    rng, found = np.random.default_rng(4), []
    players = [str(i) for i in range(400)]
    for _ in range(300):
        ratings = rng.normal(1600, 350, 400)
        found.append(r_squared(ratings, rng.normal(0, 200, 400), players))
    values = [one.value for one in found if one]
    errors = [one.standard_error for one in found if one and one.standard_error]
    assert np.mean(values) == pytest.approx(1 - 200**2 / 350**2, abs=0.01)
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.15)


def test_ratings_that_do_not_vary_leave_nothing_to_explain() -> None:
    assert r_squared(np.full(3, 1500.0), np.array([1.0, 2.0, 3.0]), ["a", "b", "c"]) is None


def test_the_formula_of_other_programs_is_as_they_state_it() -> None:
    assert acpl_formula(np.array([0.0, 50.0, 100.0])) == pytest.approx([3100, 1880.2, 1140.4], 1e-4)


# --- reliability ---------------------------------------------------------------------------


def _reliability(readings: Sequence[Reading]) -> Reliability:
    pools = PoolMaker(model()).pools(readings, 1)
    return reliability(pools, speed="rapid", selection="all", games_per_pool=1)


def test_ratings_drawn_from_the_stated_distribution_reach_every_level_as_often() -> None:
    posterior = model().posterior([reading("a", 1).evidence], speed="rapid")
    drawn = np.random.default_rng(5).choice(RATINGS, 1500, p=posterior)
    players = [reading(f"p{i}", 1, rating=int(rating)) for i, rating in enumerate(drawn)]
    for reached in _reliability(players).levels:
        assert reached.below.standard_error is not None
        # Ratings on the grid stand for the 20 points around them: half of one is a percent.
        tolerance = 3 * reached.below.standard_error + 0.01
        assert reached.below.value == pytest.approx(reached.level, abs=tolerance)


def test_ratings_above_every_range_lie_below_no_quantile() -> None:
    levels = _reliability([reading(f"p{i}", 1, rating=3190) for i in range(5)]).levels
    assert [reached.below.value for reached in levels] == [0] * len(levels)


# --- the eight bands -----------------------------------------------------------------------


def _games(per_band: int, *, seen_off_by: float = 0.0) -> list[Reading]:
    """Both sides of games of two players in the middle of their band, read with an error."""
    rng, found = np.random.default_rng(6), []
    for number in range(BANDS * per_band):
        rating = 1100 + 200 * (number % BANDS)
        for color in COLORS:
            seen = rating + seen_off_by + rng.normal(0, 200)
            name = f"{color}{number}"
            game = f"game{number}"
            found.append(reading(name, 1, rating=rating, seen=seen, game=game, color=color))
    return found


def _test(readings: Sequence[Reading]) -> BandTest:
    return exact_band_of_eight(readings, speed="rapid")


def test_readings_that_are_right_in_the_mean_find_the_band() -> None:
    found = _test(_games(25))
    assert found.both_players
    assert [result.available for result in found.bands] == [25] * BANDS
    assert found.exact is not None and found.exact.value > 0.98
    assert found.exact.standard_error is not None and found.exact.standard_error > 0


def test_a_scale_that_is_a_band_too_high_finds_only_the_highest() -> None:
    found = _test(_games(25, seen_off_by=200))
    assert [round(result.exact or 0, 1) for result in found.bands] == [0, 0, 0, 0, 0, 0, 0, 1]


def test_where_too_few_games_have_two_players_as_many_sides_are_drawn() -> None:
    found = _test([r for r in _games(50) if r.evidence.color == "white"])
    assert not found.both_players
    assert [result.available for result in found.bands] == [50] * BANDS
    assert found.exact is not None


def test_a_band_with_too_little_leaves_the_test_out() -> None:
    readings = [r for r in _games(50) if not (r.rating > 2400 and r.game_id > "game2")]
    found = _test(readings)
    assert found.exact is None
    assert all(result.exact is None for result in found.bands)


def test_the_same_games_in_another_order_give_the_same_answer() -> None:
    readings = _games(22)
    assert _test(readings[::-1]) == _test(readings)


@given(st.floats(0, 4000))
def test_every_rating_has_a_band_and_those_beyond_the_nearest(rating: float) -> None:
    low, high = band_of_eight(rating)
    assert low <= min(max(rating, 1000), 2599) < high
    assert (high - low, low % 200) == (200, 0)


# --- drawing -------------------------------------------------------------------------------

IDS = st.lists(st.text("abcdef", min_size=1, max_size=4), unique=True, max_size=30)


@given(ids=IDS, size=st.integers(0, 12))
def test_a_draw_does_not_depend_on_the_order_and_a_smaller_one_is_its_beginning(
    ids: list[str], size: int
) -> None:
    def drawn(size: int, ids: list[str]) -> list[str]:
        some: Drawn[str] = Drawn(size)
        spared = [left for one in ids if (left := some.offer(one, one)) is not None]
        assert sorted([*some.items(), *spared]) == sorted(ids)
        return some.items()

    whole = drawn(len(ids), ids)
    assert drawn(size, sorted(ids)) == whole[:size]
    assert whole == sorted(ids, key=lambda one: sha256(one.encode()).digest()[:8])
