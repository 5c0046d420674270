"""A model fitted on simulated players holds what it states on others of their kind."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

import numpy as np
import pytest
from simulated_players import RAPID, grow_steps, simulated_moves

from pipeline.records import Evidence
from pipeline.strength.calibrate import circumstances as circumstances_of
from pipeline.strength.calibrate import depth_effect, shared_variance
from pipeline.strength.depth import DEEP_NODES, SHALLOW_NODES, DepthEffect
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.examples import Examples
from pipeline.strength.features import all_feature_names, feature_row, game_features
from pipeline.strength.figures import Figures, all_figures
from pipeline.strength.fit import fit_speeds
from pipeline.strength.human_features import HUMAN_FEATURE_NAMES
from pipeline.strength.likelihood import circumstances, fit_likelihood, thinking_seconds
from pipeline.strength.model import FittedModel, Training
from pipeline.strength.own_moves import OwnMoves, own_moves
from pipeline.strength.reading import Reading
from pipeline.strength.split import Part, part_of

PLAYERS, GAMES_EACH, STYLE_SPREAD = 450, 5, 0.12


@cache
def population() -> tuple[tuple[str, float, OwnMoves], ...]:
    """(player, rating, moves) of each game; levels are spread as ratings are."""
    rng, found = np.random.default_rng(20), []
    for number in range(PLAYERS):
        level, style = rng.normal(1600, 350), rng.normal(0, STYLE_SPREAD)
        for _ in range(GAMES_EACH):
            moves = simulated_moves(level, rng, style=style, count=int(rng.integers(15, 50)))
            found.append((f"player{number}", level, own_moves(moves)))
    return tuple(found)


def examples(games: list[tuple[str, float, OwnMoves]]) -> Examples:
    names, count = all_feature_names(), len(games)
    return Examples(
        rows=np.array([feature_row(game_features(m, RAPID), names) for _, _, m in games]),
        players=np.array([player for player, _, _ in games]),
        game_ids=np.array([str(i) for i in range(count)]),
        speeds=np.full(count, "rapid"),
        ratings=np.array([rating for _, rating, _ in games]),
        steady=np.ones(count, dtype=np.bool_),
        have_clocks=np.zeros(count, dtype=np.bool_),
        moves=np.array([float(m.count) for _, _, m in games]),
        thinking_seconds=np.full(count, thinking_seconds(RAPID)),
        nodes=np.full(count, float(DEEP_NODES)),
        first=np.ones(count, dtype=np.bool_),
        human_rows=np.full((count, len(HUMAN_FEATURE_NAMES)), np.nan),
    )


@cache
def fitted() -> StrengthModel:
    known = [game for game in population() if part_of(game[0]) is not Part.HELD_OUT]
    speeds = fit_speeds(examples(known), seed=1, grow=grow_steps, min_player_games=500)
    training = Training(files=(), split_rule="", seed=1, player_games=0, players=0)
    return StrengthModel(FittedModel(name="simulated", speeds=tuple(speeds), training=training))


def fresh_readings(players: int, games_each: int) -> list[Reading]:
    rng, found = np.random.default_rng(21), []
    for number in range(players):
        level, style = rng.normal(1600, 350), rng.normal(0, STYLE_SPREAD)
        for game in range(games_each):
            moves = own_moves(simulated_moves(level, rng, style=style))
            found.append(reading(f"fresh{number}", level, moves, game))
    return found


def reading(player: str, rating: float, moves: OwnMoves, game: int) -> Reading:
    model = fitted().fitted.speeds[0]
    log_likelihoods = model.channels[0].log_likelihoods(
        game_features(moves, RAPID),
        circumstances(moves=moves.count, clock=RAPID, nodes=DEEP_NODES),
    )
    return Reading(
        speed="rapid",
        player=player,
        rating=round(rating),
        steady=True,
        created_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=game),
        have_clocks=False,
        evidence=Evidence(
            game_id=f"{player}-{game}",
            color="white",
            scale="lichess_rapid",
            moves=moves.count,
            log_likelihoods=tuple(log_likelihoods.tolist()),
        ),
        average_centipawn_loss=round(float(moves.centipawn_loss.mean())),
    )


@cache
def figures() -> dict[int, Figures]:
    found, _ = all_figures(fresh_readings(players=120, games_each=10), fitted())
    whole = [f for f in found if f.about.band is None and f.about.division is None]
    return {f.about.games_per_pool: f for f in whole if f.about.selection == "steady"}


@pytest.mark.parametrize("games", [1, 10])
def test_the_stated_80_percent_hold_for_players_never_seen(games: int) -> None:
    coverage = figures()[games].ranges.coverage
    assert coverage.standard_error is not None
    assert coverage.value == pytest.approx(0.8, abs=0.04 + 2 * coverage.standard_error)


def test_ten_games_are_nearer_the_truth_and_claim_to_be() -> None:
    one, ten = figures()[1], figures()[10]
    assert ten.ranges.mae.value < 0.8 * one.ranges.mae.value
    assert ten.ranges.mean_width.value < 0.8 * one.ranges.mean_width.value


def test_the_estimate_beats_the_constant_guess_and_the_formula_of_others() -> None:
    one = figures()[1]
    assert one.ranges.mae.value < 0.8 * one.baselines.constant.value
    assert one.baselines.acpl_formula is not None
    assert one.ranges.mae.value < one.baselines.acpl_formula.value


def test_what_all_games_of_a_player_share_is_found_again() -> None:
    rng, share = np.random.default_rng(22), 0.2
    player = np.repeat(np.arange(400), 8)
    ratings = np.repeat(rng.normal(1600, 300, 400), 8)
    noise = (
        np.sqrt(1 - share) * rng.normal(size=3200) + np.sqrt(share) * rng.normal(size=400)[player]
    )
    readings = 1600 + 0.6 * (ratings - 1600) + 120 * noise
    some = examples(list(population()[:1])).where(np.zeros(3200, dtype=np.int64))
    known = Examples(
        **{
            **{name: getattr(some, name) for name in Examples.__dataclass_fields__},
            "players": player.astype(np.str_),
            "ratings": ratings,
        }
    )
    likelihood = fit_likelihood(readings, ratings, circumstances_of(known))
    assert shared_variance(readings, known, likelihood) == pytest.approx(share, abs=0.05)


def test_players_with_one_game_say_nothing_about_what_is_shared() -> None:
    some = examples(list(population()[::GAMES_EACH]))
    readings = some.ratings + np.random.default_rng(23).normal(0, 100, len(some))
    likelihood = fit_likelihood(readings, some.ratings, circumstances_of(some))
    assert shared_variance(readings, some, likelihood) == 0


def test_what_depth_does_is_learned_from_games_that_have_both_kinds_of_evaluations() -> None:
    deep = examples(list(population()[:100]))
    shallow = replace(
        deep, nodes=np.full(100, float(SHALLOW_NODES)), first=np.zeros(100, dtype=np.bool_)
    )
    both = Examples.joined([deep, shallow])
    readings = both.ratings - 50 * ~both.first
    readings += np.random.default_rng(24).normal(0, 30, 200)
    assert depth_effect(readings, both).level == pytest.approx(-50, abs=15)
    assert depth_effect(readings[:100], deep) == DepthEffect()
