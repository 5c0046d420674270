"""Measuring the model: the right figures, of the right players, by a report's own path."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

import numpy as np
import pytest
from simulated_players import simulated_game

from config.errors import NoGames
from pipeline.records import Game, GamePlayer
from pipeline.strength.acpl_line import AcplLine
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.evaluate import Players, evaluate
from pipeline.strength.evaluation import Evaluation, evaluation_to_json
from pipeline.strength.figures import About, Figures
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


def evaluated(
    *records: Game, sha256: str = FRESH, players: Players = "auto", sample: int = 0
) -> Evaluation:
    source = GameSource(name="games.ndjson", sha256=sha256, games=records)
    return evaluate(model(), [source], players=players, sample=sample)


def overall(evaluation: Evaluation, games_per_pool: int = 1, selection: str = "steady") -> Figures:
    about = About(speed="rapid", selection=selection, games_per_pool=games_per_pool)
    return next(f for f in evaluation.figures if f.about == about)


def test_the_figures_are_those_of_the_ranges_that_a_report_would_show() -> None:
    found = overall(evaluated(games()[0]))
    assert (found.pools, found.players) == (2, 2)
    assert found.baselines.constant.value == 0
    assert found.ranges.mae.value > 0
    assert found.ranges.mean_width.value > 300


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
    assert overall(evaluation, selection="all").pools == 50


def test_bands_are_200_points_wide_and_add_up() -> None:
    figures = evaluated(*games()).figures
    bands = [
        f
        for f in figures
        if f.about.band and f.about.games_per_pool == 1 and f.about.selection == "steady"
    ]
    assert [f.about.band for f in bands] == [(1200, 1400), (1400, 1600), (1600, 1800)]
    assert sum(f.pools for f in bands) == 48


def test_pools_of_ten_are_made_of_one_player_s_games_in_order_of_time() -> None:
    series = [replace(games()[0], id=f"s{i}", created_at=_day(i)) for i in range(21)]
    assert overall(evaluated(*series), games_per_pool=10).pools == 4


def _day(number: int) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number)


def test_the_parts_of_a_division_are_of_the_games_that_are_in_them() -> None:
    old = replace(games()[0], id="old", created_at=datetime(2022, 12, 31, tzinfo=UTC))
    parts = {
        (f.about.division, f.about.part): f.pools
        for f in evaluated(*games()[1:], old).figures
        if f.about.division and f.about.games_per_pool == 1 and f.about.selection == "steady"
    }
    assert parts == {
        ("period", "before"): 2,
        ("period", "after"): 46,
        ("own_moves", "8-14"): 48,
        ("clocks", "without"): 48,
    }


def test_a_sample_is_of_games_that_can_be_evaluated_and_always_the_same() -> None:
    bullet = [replace(game, id=f"{game.id}b", speed="bullet") for game in games()]
    found = evaluated(*games(), *bullet, sample=5)
    assert found.player_games == 10
    assert found.sample == 5
    assert dict(found.left_out)["not in the sample"] == 38
    assert evaluated(*bullet, *reversed(games()), sample=5).figures == found.figures


def test_the_line_in_acpl_is_there_where_the_model_has_one() -> None:
    shipped = model().fitted
    line = AcplLine(intercept=1400.0, slope=0.0)
    speeds = tuple(replace(speed, acpl_line=line) for speed in shipped.speeds)
    source = GameSource(name="games.ndjson", sha256=FRESH, games=games())
    found = overall(evaluate(StrengthModel(replace(shipped, speeds=speeds)), [source]))
    assert found.baselines.acpl_line is not None
    # A level line at 1400 is wrong by as much as the ratings, 1200 to 1750, are away from it.
    expected = np.abs([1200 + 50 * pair - 1400 for pair in range(12)]).mean()
    assert found.baselines.acpl_line.value == pytest.approx(expected)


def test_the_json_has_the_names_of_the_record_and_is_json() -> None:
    found = json.loads(json.dumps(evaluation_to_json(evaluated(*games()[:2]))))
    assert found["schema_version"] == 2
    assert found["players"] == "all"
    assert found["figures"][0]["ranges"]["mae"].keys() == {"value", "standard_error"}
    assert found["figures"][0]["about"]["selection"] == "steady"
    assert found["exact_band_of_eight"][0]["exact"] is None
    assert isinstance(found["left_out"], dict)


def test_what_cannot_be_evaluated_is_counted_and_nothing_at_all_is_one_sentence() -> None:
    short = replace(games()[0], id="short", moves_san=games()[0].moves_san[:12])
    bullet = replace(games()[0], id="bullet", speed="bullet")
    left_out = dict(evaluated(games()[1], short, bullet).left_out)
    assert left_out["no model for bullet games yet"] == 2
    assert sum("own moves" in reason for reason in left_out) == 1
    with pytest.raises(NoGames, match=r"no evaluations.*--evals"):
        evaluated(replace(games()[0], source_evals=()))
