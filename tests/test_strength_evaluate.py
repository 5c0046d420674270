"""Measuring the model: the right figures, of the right players, by a report's own path."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

import numpy as np
import pytest
from simulated_players import simulated_game

from config.errors import NoGames
from pipeline.records import Evidence, Game, GamePlayer
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.evaluate import Players, evaluate
from pipeline.strength.evaluation import Evaluation, Figures, evaluation_to_json
from pipeline.strength.figures import Reading, consecutive, measured
from pipeline.strength.labelled import GameSource
from pipeline.strength.split import Part, part_of

FRESH = "0" * 64
NAMES = [f"{name}{i}" for i in range(12) for name in ("Anna", "Bert")]


@cache
def model() -> StrengthModel:
    return StrengthModel.load()


@cache
def games() -> tuple[Game, ...]:
    """Two of each pair, 1200 to 1750."""
    return tuple(_game(f"game{n}", n % 12, seed=n) for n in range(24))


def _game(game_id: str, pair: int, seed: int) -> Game:
    rating = 1200 + 50 * pair
    white, black = (GamePlayer(name=f"{n}{pair}", rating=rating) for n in ("Anna", "Bert"))
    return simulated_game(game_id, (white, black), (rating, rating), seed=seed)


def evaluated(*records: Game, sha256: str = FRESH, players: Players = "auto") -> Evaluation:
    source = GameSource(name="games.ndjson", sha256=sha256, games=records)
    return evaluate(model(), [source], players=players)


def overall(evaluation: Evaluation, games_per_pool: int = 1, labels: str = "steady") -> Figures:
    return next(
        f
        for f in evaluation.figures
        if (f.games_per_pool, f.labels, f.band) == (games_per_pool, labels, None)
    )


def test_the_figures_are_those_of_the_ranges_that_a_report_would_show() -> None:
    found = overall(evaluated(games()[0]))
    assert (found.pools, found.players) == (2, 2)
    assert found.constant_mae == 0
    assert found.mae.value > 0
    assert found.mean_width.value > 300


def test_all_players_of_a_file_that_nothing_was_fitted_on() -> None:
    evaluation = evaluated(*games())
    assert evaluation.players == "all"
    assert overall(evaluation).players == len(NAMES)


def test_only_held_out_players_of_a_file_that_the_model_was_fitted_on() -> None:
    known = model().fitted.training.files[0].sha256
    evaluation = evaluated(*games(), sha256=known)
    held_out = [name for name in NAMES if part_of(name) is Part.HELD_OUT]
    assert evaluation.players == "held-out"
    assert evaluation.files[0].fitted_on
    assert overall(evaluation).players == len(held_out) > 0
    assert dict(evaluation.left_out)["player not held out"] == 2 * (len(NAMES) - len(held_out))


def test_the_choice_of_players_can_be_made_by_hand() -> None:
    known = model().fitted.training.files[0].sha256
    assert evaluated(*games(), sha256=known, players="all").players == "all"
    assert evaluated(*games(), players="held-out").players == "held-out"


def test_unsteady_ratings_are_reported_apart() -> None:
    odd = replace(games()[0], id="odd", white=replace(games()[0].white, rating_diff=-60))
    evaluation = evaluated(*games(), odd)
    assert overall(evaluation).pools == 49
    assert overall(evaluation, labels="all").pools == 50


def test_bands_are_200_points_wide_and_add_up() -> None:
    figures = evaluated(*games()).figures
    bands = [f for f in figures if f.band and f.games_per_pool == 1 and f.labels == "steady"]
    assert [f.band for f in bands] == [(1200, 1400), (1400, 1600), (1600, 1800)]
    assert sum(f.pools for f in bands) == 48


def test_pools_of_ten_are_made_of_one_player_s_games_in_order_of_time() -> None:
    series = [replace(games()[0], id=f"s{i}", created_at=_day(i)) for i in range(21)]
    assert overall(evaluated(*series), games_per_pool=10).pools == 4


def _day(number: int) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number)


def test_pools_do_not_overlap_and_take_neighbours() -> None:
    readings = [
        _reading("b", 3),
        _reading("a", 2),
        _reading("a", 0),
        _reading("b", 1),
        _reading("a", 1),
    ]
    pools = [[(r.player, r.created_at.day) for r in pool] for pool in consecutive(readings, 2)]
    assert pools == [[("a", 1), ("a", 2)], [("b", 2), ("b", 4)]]


def _reading(player: str, day: int) -> Reading:
    empty = Evidence(game_id="g", color="white", scale="s", moves=1, log_likelihoods=())
    return Reading(
        speed="rapid",
        player=player,
        rating=1500,
        steady=True,
        created_at=_day(day),
        evidence=empty,
        average_centipawn_loss=None,
    )


def test_the_standard_error_counts_players_and_not_games() -> None:
    values = np.repeat(np.random.default_rng(1).normal(0, 1, 50), 20)
    by_player = measured(values, [str(i // 20) for i in range(1000)])
    as_if_independent = measured(values, [str(i) for i in range(1000)])
    assert by_player.standard_error == pytest.approx(values.std() / np.sqrt(50), rel=0.05)
    assert as_if_independent.standard_error == pytest.approx(values.std() / np.sqrt(1000), rel=0.05)


def test_one_player_alone_has_no_standard_error() -> None:
    assert measured(np.array([1.0, 3.0]), ["a", "a"]).standard_error is None


def test_the_json_has_the_names_of_the_record_and_is_json() -> None:
    found = json.loads(json.dumps(evaluation_to_json(evaluated(*games()[:2]))))
    assert found["schema_version"] == 1
    assert found["players"] == "all"
    assert found["figures"][0]["mae"].keys() == {"value", "standard_error"}
    assert isinstance(found["left_out"], dict)


def test_what_cannot_be_evaluated_is_counted_and_nothing_at_all_is_one_sentence() -> None:
    short = replace(games()[0], id="short", moves_san=games()[0].moves_san[:12])
    bullet = replace(games()[0], id="bullet", speed="bullet")
    left_out = dict(evaluated(games()[1], short, bullet).left_out)
    assert left_out["no model for bullet games yet"] == 2
    assert sum("own moves" in reason for reason in left_out) == 1
    with pytest.raises(NoGames, match=r"no evaluations.*--evals"):
        evaluated(replace(games()[0], source_evals=()))
