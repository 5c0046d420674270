"""Fitting the pairing along with a model, and measuring what it is worth."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from simulated_humans import SimulatedHumanModel, asking
from simulated_players import grow_steps, simulated_game

import pipeline.strength.pairing_fit as pairing_fit
from config.errors import ModelError
from engines.evals import Color
from pipeline.records import Evidence, Game, GamePlayer
from pipeline.strength.balance import Balance
from pipeline.strength.calibrate import circumstances
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.evaluate import evaluate
from pipeline.strength.evaluation import evaluation_to_json
from pipeline.strength.examples import Examples
from pipeline.strength.features import all_feature_names
from pipeline.strength.grid import RATINGS
from pipeline.strength.human_cache import HumanCache
from pipeline.strength.human_features import HUMAN_FEATURE_NAMES
from pipeline.strength.human_reading import HumanReading, fit_weighing
from pipeline.strength.labelled import GameSource
from pipeline.strength.likelihood import fit_likelihood
from pipeline.strength.model import Channel, SpeedModel, TrainingFile
from pipeline.strength.model_file import load_model, save_model
from pipeline.strength.own_moves import Column
from pipeline.strength.pairing import Pairing
from pipeline.strength.pairing_figures import PairingFigures, pairing_figures
from pipeline.strength.pairing_fit import (
    MIN_BOTH_READ,
    MIN_PAIRED_GAMES,
    same_game_correlation,
)
from pipeline.strength.pairing_fit import with_pairing as with_fitted_pairing
from pipeline.strength.reading import Reading
from pipeline.strength.split import Part, part_of
from pipeline.strength.train import train

PAIRING = Pairing(
    near_spread=50,
    wide_spread=300,
    wide_share=0.2,
    same_game_correlation=0.2,
    games=10_000,
)


def names(part: Part, count: int) -> list[str]:
    found = (f"player{number}" for number in range(100 * count))
    return [name for name in found if part_of(name) is part][:count]


# --- how alike both sides of a game are misread --------------------------------------------


def examples(
    readings: Column, ratings: Column, players: list[str], *, read_by_human_model: bool = True
) -> Examples:
    """Two neighbours are the two sides of a game; the first feature is the reading."""
    count = len(readings)
    rows = np.zeros((count, len(all_feature_names())))
    rows[:, 0] = readings
    human = 0.0 if read_by_human_model else np.nan
    return Examples(
        rows=rows,
        players=np.array(players, dtype=np.str_),
        game_ids=np.array([f"game{i // 2}" for i in range(count)], dtype=np.str_),
        speeds=np.full(count, "rapid"),
        ratings=ratings,
        steady=np.ones(count, dtype=np.bool_),
        have_clocks=np.zeros(count, dtype=np.bool_),
        moves=np.full(count, 30.0),
        thinking_seconds=np.full(count, 600.0),
        nodes=np.full(count, 1e5),
        first=np.ones(count, dtype=np.bool_),
        human_rows=np.full((count, len(HUMAN_FEATURE_NAMES)), human),
    )


@cache
def misread_alike(correlation: float, games: int = 1000) -> tuple[SpeedModel, Examples]:
    """A model that reads games with these errors, and the games."""
    rng = np.random.default_rng(3)
    both = [[1, correlation], [correlation, 1]]
    errors = rng.multivariate_normal((0, 0), both, size=games).ravel()
    ratings = np.repeat(rng.normal(1600, 300, games), 2) + rng.normal(0, 50, 2 * games)
    found = examples(ratings + 150 * errors, ratings, ["Anna", "Bert"] * games)
    return reading_as_is(found), found


def reading_as_is(found: Examples) -> SpeedModel:
    readings, given = found.rows[:, 0], circumstances(found)
    grown = grow_steps(found.rows, readings, reference_rows=found.rows[:1], seed=1)
    read = grown.forest.predict(found.rows)
    weighing = fit_weighing(read, found.human_rows, found.ratings, grow=grow_steps, seed=1)
    weighed = weighing.readings(read, found.human_rows)
    human = HumanReading(
        weighing=weighing,
        likelihood=fit_likelihood(weighed, found.ratings, given),
        shared_variance=0.1,
        player_games=len(found),
        repeated_games=0,
    )
    channel = Channel(
        with_clocks=False,
        feature_names=all_feature_names(),
        forest=grown.forest,
        likelihood=fit_likelihood(read, found.ratings, given),
        reference_rows=found.rows[:1],
        reference_readings=grown.reference_readings,
        made_with=grown.made_with,
        human=human,
    )
    return SpeedModel(
        speed="rapid",
        log_prior=np.zeros(len(RATINGS)),
        balance=Balance(),
        human_balance=Balance(),
        shared_variance=0.1,
        channels=(channel,),
    )


@pytest.mark.parametrize("correlation", [0.0, 0.6])
def test_how_alike_both_sides_are_misread_is_found(correlation: float) -> None:
    model, games = misread_alike(correlation)
    assert same_game_correlation(model, games) == pytest.approx(correlation, abs=0.08)


def test_few_games_do_not_say_how_alike() -> None:
    model, games = misread_alike(0.6)
    sides = 2 * MIN_BOTH_READ
    assert same_game_correlation(model, games.where(np.arange(sides))) is not None
    assert same_game_correlation(model, games.where(np.arange(sides - 1))) is None
    assert same_game_correlation(model, games.where(np.arange(0, 1000, 2))) is None


def test_games_that_the_human_move_model_has_not_read_say_nothing() -> None:
    model, games = misread_alike(0.6)
    unread = replace(games, human_rows=np.full_like(games.human_rows, np.nan))
    assert same_game_correlation(model, unread) is None


def test_without_either_kind_of_games_a_model_has_no_pairing() -> None:
    model, games = misread_alike(0.6)
    differences = np.zeros(MIN_PAIRED_GAMES)
    assert with_fitted_pairing(model, games, differences).pairing is not None
    assert with_fitted_pairing(model, games, differences[1:]).pairing is None
    assert with_fitted_pairing(model, games.where(np.arange(10)), differences).pairing is None


# --- along with a model --------------------------------------------------------------------


@cache
def training_games() -> tuple[Game, ...]:
    found = []
    for number in range(80):
        level = 1000 + 60 * (number % 20)
        white, black = (
            GamePlayer(name=f"{side}{number % 20}", rating=level) for side in ("Anna", "Bert")
        )
        found.append(
            simulated_game(f"game{number}", (white, black), (level, level), seed=number, plies=36)
        )
    return tuple(found)


def asked_about_training_games(folder: Path) -> HumanCache:
    levels = {game.id: float(game.white.rating or 0) for game in training_games()}
    return HumanCache(folder, model=asking(SimulatedHumanModel(levels)), new_games=999)


def paired_games(spread: float, speed: str = "rapid") -> Iterator[Game]:
    """Games as files have them: nobody evaluated these."""
    rng, plain = np.random.default_rng(2), replace(training_games()[0], source_evals=())
    one, other = names(Part.TRAIN, 2)
    for number in range(MIN_PAIRED_GAMES):
        yield replace(
            plain,
            id=f"pair{number}",
            speed=speed,
            white=GamePlayer(name=one, rating=1500),
            black=GamePlayer(name=other, rating=1500 + round(rng.normal(0, spread))),
        )


def test_a_model_learns_who_plays_whom_from_games_that_nobody_evaluated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing_fit, "MIN_BOTH_READ", 20)
    pairs = [*paired_games(60), *paired_games(20, "blitz")]
    with asked_about_training_games(tmp_path) as human:
        model = train(
            [GameSource(name="games.ndjson", sha256="a" * 64, games=training_games())],
            pairing=[GameSource(name="pairs.ndjson", sha256="b" * 64, games=pairs)],
            human=human,
            min_player_games=50,
            min_human_games=50,
            grow=grow_steps,
        ).model
    pairing = model.speeds[0].pairing
    assert pairing is not None
    assert pairing.games == MIN_PAIRED_GAMES
    assert pairing.near_spread == pytest.approx(60, rel=0.15)
    assert model.training.pairing_files == (TrainingFile(name="pairs.ndjson", sha256="b" * 64),)
    save_model(model, tmp_path / "model.npz")
    kept = load_model(tmp_path / "model.npz")
    assert kept.speeds[0].pairing == pairing
    assert kept.training == model.training


# --- measured ------------------------------------------------------------------------------


@cache
def shipped() -> StrengthModel:
    return StrengthModel.load()


def with_pairing(pairing: Pairing | None) -> StrengthModel:
    fitted = shipped().fitted
    speeds = tuple(replace(speed, pairing=pairing) for speed in fitted.speeds)
    return StrengthModel(replace(fitted, speeds=speeds))


def reading(player: str, game: int, color: Color, rating: int, seen: float) -> Reading:
    evidence = Evidence(
        game_id=f"game{game}",
        color=color,
        scale="lichess_rapid",
        moves=30,
        log_likelihoods=tuple((-0.5 * ((RATINGS - seen) / 200) ** 2).tolist()),
        with_human_model=True,
    )
    return Reading(
        speed="rapid",
        player=player,
        rating=rating,
        steady=True,
        created_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=game),
        have_clocks=False,
        evidence=evidence,
    )


def read_games(count: int) -> list[Reading]:
    rng = np.random.default_rng(5)
    found = []
    for game in range(count):
        rating = round(rng.normal(1550, 300))
        opponent = rating + round(rng.normal(0, 50))
        for player, color, of in (("Anna", "white", rating), ("Bert", "black", opponent)):
            seen = of + 200 * rng.normal()
            found.append(reading(f"{player}{game}", game, color, of, seen))  # type: ignore[arg-type]
    return found


def single(figures: tuple[PairingFigures, ...]) -> PairingFigures:
    return next(f for f in figures if f.about.games_per_pool == 1)


def test_the_same_games_are_measured_with_and_without() -> None:
    found = single(pairing_figures(read_games(300), with_pairing(PAIRING)))
    assert (found.pools, found.players) == (600, 600)
    assert found.with_pairing.mae.value < found.own_moves.mae.value
    assert found.with_pairing.mean_width.value < found.own_moves.mean_width.value


def test_games_of_which_one_side_was_read_are_left_out() -> None:
    readings = read_games(3)
    assert single(pairing_figures(readings[1:], with_pairing(PAIRING))).pools == 4
    assert pairing_figures(readings[:1], with_pairing(PAIRING)) == ()


def test_what_stockfish_alone_has_read_is_left_out() -> None:
    readings = read_games(3)
    alone = replace(readings[0], evidence=replace(readings[0].evidence, with_human_model=False))
    assert single(pairing_figures([alone, *readings[1:]], with_pairing(PAIRING))).pools == 4


def test_an_evaluation_has_these_figures_only_when_asked(tmp_path: Path) -> None:
    source = GameSource(name="games", sha256="0" * 64, games=training_games()[:4])
    model = with_pairing(PAIRING)
    with asked_about_training_games(tmp_path) as human:
        assert evaluate(model, [source], human=human).with_pairing == ()
        found = evaluate(model, [source], human=human, with_pairing=True)
    assert single(found.with_pairing).pools == 8
    assert json.loads(json.dumps(evaluation_to_json(found)))["with_pairing"][0]["pools"] == 8


@pytest.mark.parametrize(
    ("pairing", "human", "said"),
    [(None, True, "was fitted without a pairing"), (PAIRING, False, "needs the human-move model")],
)
def test_what_is_missing_is_said_before_anything_is_read(
    pairing: Pairing | None, human: bool, said: str, tmp_path: Path
) -> None:
    def unread() -> Iterator[Game]:
        raise AssertionError("a game was read")
        yield

    source = GameSource(name="games", sha256="0" * 64, games=unread())
    likelihoods = HumanCache(tmp_path) if human else None
    with pytest.raises(ModelError, match=f"{said}.* leave --with-pairing out"):
        evaluate(with_pairing(pairing), [source], human=likelihoods, with_pairing=True)
