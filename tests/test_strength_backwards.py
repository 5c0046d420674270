"""What movelo's own search does to a reading is measured, and taken into account."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
from made_games import random_export_game

from engines.evals import BACKWARDS_WARM_HASH
from pipeline.fetch.export import game_from_export
from pipeline.records import Clock, Game
from pipeline.strength.backwards import with_backwards_effect
from pipeline.strength.depth import DEEP_NODES, SHALLOW_NODES
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.evaluations_file import read_evaluations
from pipeline.strength.grid import RATINGS, normalised
from pipeline.strength.labelled import GameSource
from pipeline.strength.likelihood import circumstances

BLITZ = Clock(initial_seconds=300, increment_seconds=0)


def played(count: int) -> list[Game]:
    records = [random_export_game(seed, plies=60, analysed=True) for seed in range(count)]
    games = [game_from_export(record, where="a test") for record in records]
    return [
        replace(
            game,
            white=replace(game.white, name=f"white{i}", provisional=False, rating_diff=1),
            black=replace(game.black, name=f"black{i}", provisional=False, rating_diff=-1),
        )
        for i, game in enumerate(games)
    ]


def level_evaluations(games: list[Game], file: Path) -> Path:
    """As if movelo's search had seen no move lose anything."""
    lines = [
        json.dumps(
            {
                "id": game.id,
                "ev": [["c", 0]] * (len(game.moves_san) + 1),
                "nodes": SHALLOW_NODES,
                "policy": BACKWARDS_WARM_HASH,
            }
        )
        for game in games
    ]
    file.write_text("\n".join(lines) + "\n")
    return file


def test_a_search_that_misses_losses_is_found_to_read_higher(tmp_path: Path) -> None:
    games = played(60)
    own = read_evaluations(level_evaluations(games, tmp_path / "own.jsonl"))
    assert own.policy == BACKWARDS_WARM_HASH
    source = GameSource(name="games", sha256="0", games=games)
    found = with_backwards_effect(StrengthModel.load().fitted, [source], [own])
    blitz = found.speed("blitz")
    assert blitz is not None
    assert all(c.likelihood.backwards_depth.level > 100 for c in blitz.channels)


def test_too_few_games_evaluated_twice_change_nothing(tmp_path: Path) -> None:
    games = played(10)
    own = read_evaluations(level_evaluations(games, tmp_path / "own.jsonl"))
    source = GameSource(name="games", sha256="0", games=games)
    blitz = with_backwards_effect(StrengthModel.load().fitted, [source], [own]).speed("blitz")
    assert blitz is not None
    assert {c.likelihood.backwards_depth.level for c in blitz.channels} == {0.0}


def strength(reading: float, *, nodes: float, backwards: bool) -> float:
    """The mean of the likelihood alone, in rating points."""
    model = StrengthModel.load().fitted.speed("blitz")
    assert model is not None
    given = circumstances(moves=35, clock=BLITZ, nodes=nodes, backwards=backwards)
    likelihood = model.channel(have_clocks=True).likelihood
    weights = normalised(likelihood.log_likelihoods(reading, given))
    return float(np.sum(weights * RATINGS))


def test_the_same_reading_says_less_when_movelo_s_own_quick_search_made_it() -> None:
    plain = strength(1700, nodes=DEEP_NODES, backwards=False)
    quick = strength(1700, nodes=SHALLOW_NODES, backwards=True)
    assert quick < plain - 20
    assert strength(1700, nodes=DEEP_NODES, backwards=True) == plain
    assert quick < strength(1700, nodes=100_000, backwards=True) < plain
