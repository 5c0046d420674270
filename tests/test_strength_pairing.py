"""Ranges with the pairing: what an opponent's moves say, and when they say nothing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_players import simulated_game

from config.errors import ModelError, NoGames
from pipeline.records import Evidence, GamePlayer, StrengthRange
from pipeline.strength.balance import Balance
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.grid import RATINGS, normalised, quantile
from pipeline.strength.labelled import GameSource, LeftOut
from pipeline.strength.model import FittedModel, SpeedModel, Training
from pipeline.strength.own_moves import Column
from pipeline.strength.pairing import (
    Pairing,
    opponents_log_likelihood,
    paired_log_likelihood,
    pairing_tables,
)
from pipeline.strength.pairing_estimate import posterior_with_pairing
from pipeline.strength.pairing_fit import MIN_PAIRED_GAMES, fit_pairing, rating_differences
from pipeline.strength.split import Part, part_of

PAIRING = Pairing(
    near_spread=50,
    wide_spread=300,
    wide_share=0.2,
    same_game_correlation=0.3,
    games=10_000,
)
POPULATION_MEAN, POPULATION_SPREAD, READING_SPREAD = 1600.0, 350.0, 200.0
LOG_PRIOR: Column = -0.5 * ((RATINGS - POPULATION_MEAN) / POPULATION_SPREAD) ** 2
FLAT: Column = np.zeros(len(RATINGS))
TABLES = pairing_tables(PAIRING, LOG_PRIOR)
TIGHT = pairing_tables(replace(PAIRING, near_spread=20, wide_spread=21), LOG_PRIOR)
LOOSE = pairing_tables(replace(PAIRING, near_spread=150), LOG_PRIOR)
ANYBODY = pairing_tables(replace(PAIRING, near_spread=1e7, wide_spread=1e7), LOG_PRIOR)

ratings = st.floats(800, 2600)
spreads = st.floats(20, 600)


def reading(of: float, spread: float = READING_SPREAD) -> Column:
    return np.asarray(-0.5 * ((RATINGS - of) / spread) ** 2)


def width(log_likelihood: Column) -> float:
    posterior = normalised(LOG_PRIOR + log_likelihood)
    return quantile(posterior, 0.9) - quantile(posterior, 0.1)


def evidence(
    log_likelihoods: Column, *, human: bool = True, scale: str = "lichess_rapid"
) -> Evidence:
    return Evidence(
        game_id="g",
        color="white",
        scale=scale,
        moves=30,
        log_likelihoods=tuple(log_likelihoods.tolist()),
        with_human_model=human,
    )


def speed_model(pairing: Pairing | None = PAIRING, shared_variance: float = 0.1) -> SpeedModel:
    return SpeedModel(
        speed="rapid",
        log_prior=LOG_PRIOR,
        balance=Balance(),
        human_balance=Balance(),
        shared_variance=shared_variance,
        channels=(),
        pairing=pairing,
    )


def strength_model(pairing: Pairing | None = PAIRING) -> StrengthModel:
    training = Training(files=(), split_rule="", seed=1, player_games=1, players=1)
    return StrengthModel(
        FittedModel(name="made", speeds=(speed_model(pairing),), training=training)
    )


# --- the likelihood ------------------------------------------------------------------------


@given(own=ratings, spread=spreads, opponents=st.integers(1, 5))
def test_opponents_of_whom_nothing_is_known_change_nothing(
    own: float, spread: float, opponents: int
) -> None:
    alone = reading(own, spread)
    paired = paired_log_likelihood(alone, [FLAT] * opponents, TABLES)
    assert normalised(LOG_PRIOR + paired) == pytest.approx(normalised(LOG_PRIOR + alone), abs=1e-9)


@given(own=ratings, opponent=ratings)
def test_where_anybody_plays_anybody_the_opponent_changes_nothing(
    own: float, opponent: float
) -> None:
    paired = paired_log_likelihood(reading(own), [reading(opponent)], ANYBODY)
    assert normalised(LOG_PRIOR + paired) == pytest.approx(
        normalised(LOG_PRIOR + reading(own)), abs=1e-6
    )


@given(one=ratings, other=ratings)
def test_with_the_prior_each_side_says_as_much_about_the_other(one: float, other: float) -> None:
    """Seen from either side the two players' evidence together is equally likely."""

    def evidence_of_both(own: Column, opponent: Column) -> float:
        log_weights = LOG_PRIOR + paired_log_likelihood(own, [opponent], TABLES)
        return float(np.log(np.exp(log_weights - 700).sum()) + 700)

    assert evidence_of_both(reading(one) + 700, reading(other)) == pytest.approx(
        evidence_of_both(reading(other) + 700, reading(one)), abs=1e-3
    )


def test_as_many_opponents_are_stronger_as_the_population_has_stronger_players() -> None:
    prior = normalised(LOG_PRIOR)
    for table in (TABLES.levels, TABLES.opponents):
        assert np.exp(table).sum(axis=1) == pytest.approx(np.ones(len(RATINGS)))
        assert prior @ np.exp(table) == pytest.approx(prior, abs=1e-6)


@given(opponent=ratings)
def test_an_exactly_known_opponent_in_a_tight_pairing_makes_the_range_narrow(
    opponent: float,
) -> None:
    exact = opponents_log_likelihood([reading(opponent, 10)], TIGHT)
    assert width(exact) < 4 * 20
    assert quantile(normalised(LOG_PRIOR + exact), 0.5) == pytest.approx(opponent, abs=25)


@given(opponent=ratings)
def test_the_same_opponent_in_a_loose_pairing_says_less(opponent: float) -> None:
    one = [reading(opponent)]
    assert width(opponents_log_likelihood(one, LOOSE)) > width(
        opponents_log_likelihood(one, TABLES)
    )


def test_opponents_who_are_always_weaker_do_not_drag_the_player_down() -> None:
    """Some players keep playing people far below them: it is a habit, not chance each time."""
    own, weaker = reading(2000, 60), [reading(1500, 100)] * 30
    posterior = normalised(LOG_PRIOR + paired_log_likelihood(own, weaker, TABLES))
    assert quantile(posterior, 0.5) == pytest.approx(
        quantile(normalised(LOG_PRIOR + own), 0.5), abs=40
    )


@given(common=st.floats(0, 0.95))
def test_two_correlated_readings_of_one_rating_are_as_precise_as_they_should_be(
    common: float,
) -> None:
    weight = replace(PAIRING, same_game_correlation=common).opponent_weight
    assert 1 + weight == pytest.approx(2 / (1 + common))


# --- fitting it ----------------------------------------------------------------------------


def test_fitting_finds_how_the_pairs_were_made() -> None:
    rng = np.random.default_rng(1)
    spread = np.where(rng.random(20_000) < 0.2, 300, 50)
    found = fitted(rng.normal(0, spread))
    assert found.near_spread == pytest.approx(50, rel=0.05)
    assert found.wide_spread == pytest.approx(300, rel=0.05)
    assert found.wide_share == pytest.approx(0.2, abs=0.02)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000))
def test_who_of_the_two_comes_first_makes_no_difference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    differences = rng.normal(0, 80, MIN_PAIRED_GAMES)
    turned = np.where(rng.random(MIN_PAIRED_GAMES) < 0.5, differences, -differences)
    assert fitted(turned) == fitted(differences)


def test_pairs_that_are_all_alike_are_fitted_too() -> None:
    found = fitted(np.zeros(MIN_PAIRED_GAMES))
    assert 0 < found.near_spread < 5
    assert np.isfinite(pairing_tables(found, LOG_PRIOR).levels).all()


def test_too_few_pairs_are_refused_in_one_sentence() -> None:
    with pytest.raises(NoGames, match="Only 3 rated games have two steady ratings"):
        fitted(np.zeros(3))


def fitted(differences: Column) -> Pairing:
    return fit_pairing(differences, same_game_correlation=0.3)


def test_only_rated_games_of_steady_players_who_are_not_held_out_say_who_plays_whom() -> None:
    used = [name for name in map(str, range(100)) if part_of(name) is not Part.HELD_OUT]
    held_out = next(name for name in map(str, range(100)) if part_of(name) is Part.HELD_OUT)
    one, other = (GamePlayer(name=n, rating=r) for n, r in zip(used, (1500, 1430), strict=False))
    plain = simulated_game("plain", (one, other), (1500, 1430), 1)
    games = [
        plain,
        replace(plain, rated=False),
        replace(plain, white=replace(one, provisional=True)),
        replace(plain, black=replace(other, name=held_out)),
        replace(plain, black=replace(other, rating=None)),
    ]
    source = GameSource(name="games", sha256="", games=games)
    assert rating_differences([source], LeftOut())["rapid"].tolist() == [70]


# --- ranges --------------------------------------------------------------------------------


def test_without_opponents_the_range_is_that_of_the_own_moves() -> None:
    model, own = strength_model(), [evidence(reading(1700))]
    alone = model.strength_range(own, speed="rapid")
    assert model.strength_range_with_pairing(own, [], speed="rapid") == alone
    assert isinstance(alone, StrengthRange)
    assert not alone.with_pairing


def test_a_range_with_the_pairing_is_named_as_such_and_still_about_the_own_games() -> None:
    own = [evidence(reading(1700))]
    found = strength_model().strength_range_with_pairing(
        own, [[evidence(reading(1500))]], speed="rapid"
    )
    alone = strength_model().strength_range(own, speed="rapid")
    assert isinstance(found, StrengthRange)
    assert isinstance(alone, StrengthRange)
    assert found.with_pairing
    assert (found.games, found.moves) == (1, 30)
    assert found.median < alone.median
    assert found.high - found.low < alone.high - alone.low


@pytest.mark.parametrize(("own", "opponent"), [(False, True), (True, False), (False, False)])
def test_what_stockfish_alone_has_read_leaves_the_range_that_of_the_own_moves(
    own: bool, opponent: bool
) -> None:
    model, moves = strength_model(), [evidence(reading(1700), human=own)]
    others = [[evidence(reading(1500), human=opponent)]]
    found = model.strength_range_with_pairing(moves, others, speed="rapid")
    assert found == model.strength_range(moves, speed="rapid")


def test_the_more_alike_both_sides_are_misread_the_less_an_opponent_says() -> None:
    def spread(correlation: float) -> float:
        model = speed_model(replace(PAIRING, same_game_correlation=correlation))
        posterior = posterior_with_pairing(
            model, [evidence(reading(1650))], [[evidence(reading(1600))]]
        )
        return quantile(posterior, 0.9) - quantile(posterior, 0.1)

    assert spread(0.0) < spread(0.3) < spread(0.9)


def test_one_opponent_met_ten_times_says_less_than_ten_opponents() -> None:
    own, games = [evidence(FLAT)], [evidence(reading(1900)) for _ in range(10)]

    def spread(opponents: list[list[Evidence]]) -> float:
        posterior = posterior_with_pairing(speed_model(), own, opponents)
        return quantile(posterior, 0.9) - quantile(posterior, 0.1)

    assert spread([games]) > spread([[game] for game in games])


def test_a_model_without_a_pairing_says_so() -> None:
    with pytest.raises(ModelError, match="rapid games was fitted without a pairing; leave"):
        strength_model(None).strength_range_with_pairing(
            [evidence(FLAT)], [[evidence(FLAT)]], speed="rapid"
        )


def test_evidence_of_another_speed_is_refused_for_opponents_too() -> None:
    with pytest.raises(ModelError, match="not of this model's lichess_rapid kind"):
        strength_model().strength_range_with_pairing(
            [evidence(FLAT)], [[evidence(FLAT, scale="lichess_blitz")]], speed="rapid"
        )


# --- simulated players ---------------------------------------------------------------------


def errors_and_coverage(
    games: int, rng: np.random.Generator, *, correlation: float, players: int = 1200
) -> tuple[tuple[float, float], tuple[float, float]]:
    """(MAE, coverage of the 80 % range) from own moves, and with the pairing.

    Both sides of a game are misread alike by as much as `correlation`, and a tenth of the
    variance of what is misread is the same in all games of a player, and of the opponents.
    """
    shared = 0.1
    model = speed_model(replace(PAIRING, same_game_correlation=correlation), shared)
    strengths = rng.normal(POPULATION_MEAN, POPULATION_SPREAD, players)
    found = []
    for strength in strengths:
        habit = rng.normal(0, np.sqrt(300**2 - 50**2)) if rng.random() < 0.2 else 0.0
        opponents = opponents_around(strength + habit, games, rng)
        own_misread, others_misread = correlated(rng, correlation, games, shared)
        own = [evidence(reading(strength + READING_SPREAD * e)) for e in own_misread]
        others = [
            [evidence(reading(o + READING_SPREAD * e))]
            for o, e in zip(opponents, others_misread, strict=True)
        ]
        alone = posterior_with_pairing(model, own, [])
        paired = posterior_with_pairing(model, own, others)
        found.append([judged(posterior, strength) for posterior in (alone, paired)])
    (mae, coverage), (paired_mae, paired_coverage) = np.mean(found, axis=0)
    return (mae, coverage), (paired_mae, paired_coverage)


def opponents_around(level: float, games: int, rng: np.random.Generator) -> Column:
    """Near normal in the difference, but as common as the population has them."""
    spread = 1 / np.sqrt(1 / 50**2 + 1 / POPULATION_SPREAD**2)
    pull = spread**2 / POPULATION_SPREAD**2
    return np.asarray(level + pull * (POPULATION_MEAN - level) + rng.normal(0, spread, games))


def correlated(
    rng: np.random.Generator, correlation: float, games: int, shared: float
) -> tuple[Column, Column]:
    both = [[1, correlation], [correlation, 1]]
    same = rng.multivariate_normal((0, 0), both) * np.sqrt(shared)
    each = rng.multivariate_normal((0, 0), both, size=games) * np.sqrt(1 - shared)
    own, others = (each + same).T
    return own, others


def judged(posterior: Column, strength: float) -> tuple[float, bool]:
    low, median, high = (quantile(posterior, level) for level in (0.1, 0.5, 0.9))
    return abs(median - strength), low <= strength <= high


@pytest.mark.parametrize("correlation", [0.0, 0.3])
@pytest.mark.parametrize("games", [1, 10])
def test_of_simulated_players_the_error_falls_and_the_range_holds(
    games: int, correlation: float
) -> None:
    rng = np.random.default_rng([games, round(10 * correlation)])
    (mae, coverage), (paired_mae, paired_coverage) = errors_and_coverage(
        games, rng, correlation=correlation
    )
    assert paired_mae < mae
    assert coverage == pytest.approx(0.8, abs=0.04)
    assert paired_coverage == pytest.approx(0.8, abs=0.04)
