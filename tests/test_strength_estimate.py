"""The face of the estimate, with the model that movelo ships."""

import time
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from simulated_players import simulated_game, simulated_moves

from config.errors import ModelError
from engines.evals import LICHESS_ANALYSIS
from pipeline.records import (
    Clock,
    Division,
    Evidence,
    Game,
    GameAnalysis,
    GamePlayer,
    MoveScore,
    NoEstimate,
    SideSummary,
    StrengthRange,
)
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.grid import RATINGS
from pipeline.strength.reasons import MIN_OWN_MOVES

NOBODY = SideSummary(
    moves=0,
    accuracy_percent=None,
    average_centipawn_loss=None,
    inaccuracies=0,
    mistakes=0,
    blunders=0,
)
GAME = simulated_game("g", (GamePlayer(), GamePlayer()), (1500, 1500), seed=1)


@cache
def model() -> StrengthModel:
    return StrengthModel.load()


def analysis(moves: tuple[MoveScore, ...]) -> GameAnalysis:
    return GameAnalysis(
        game_id="g",
        engine=LICHESS_ANALYSIS,
        limit=None,
        moves=moves,
        white=NOBODY,
        black=NOBODY,
        division=Division(middlegame=None, endgame=None),
    )


def evidence_of(moves: tuple[MoveScore, ...], game: Game = GAME) -> Evidence:
    found = model().evidence(game, analysis(moves), "white")
    assert isinstance(found, Evidence)
    return found


def range_of(*evidences: Evidence, speed: str = "rapid") -> StrengthRange:
    found = model().strength_range(evidences, speed=speed)
    assert isinstance(found, StrengthRange)
    return found


def refusal(game: Game = GAME, moves: int = 30) -> str:
    scored = simulated_moves(1500, np.random.default_rng(1), count=moves)
    found = model().evidence(game, analysis(scored), "white")
    assert isinstance(found, NoEstimate)
    return found.reason


def test_a_range_says_what_it_is_of() -> None:
    rng = np.random.default_rng(2)
    found = range_of(*(evidence_of(simulated_moves(1500, rng, count=n)) for n in (20, 40)))
    assert (found.scale, found.games, found.moves, found.coverage) == ("lichess_rapid", 2, 60, 0.8)
    assert RATINGS[0] < found.low < found.median < found.high < RATINGS[-1]


@pytest.mark.parametrize("speed", ["blitz", "rapid"])
def test_players_who_lose_less_are_placed_higher_on_average(speed: str) -> None:
    game, rng = replace(GAME, speed=speed), np.random.default_rng(3)
    medians = [
        np.mean(
            [
                range_of(evidence_of(simulated_moves(level, rng), game), speed=speed).median
                for _ in range(30)
            ]
        )
        for level in (700, 1300, 1900)
    ]
    assert np.all(np.diff(medians) > 30)


def test_twenty_games_say_more_than_one() -> None:
    rng = np.random.default_rng(4)
    games = [evidence_of(simulated_moves(1500, rng)) for _ in range(20)]
    alone = np.mean([range_of(game).high - range_of(game).low for game in games])
    together = range_of(*games)
    assert together.high - together.low < 0.7 * alone


def test_ratings_names_and_results_are_not_looked_at() -> None:
    moves = simulated_moves(1500, np.random.default_rng(5))
    strangers = (GamePlayer(name="a", rating=600), GamePlayer(name="b", rating=2900, title="GM"))
    other = replace(
        GAME, white=strangers[0], black=strangers[1], winner="black", rated=False, status="mate"
    )
    assert evidence_of(moves, other) == evidence_of(moves)


def test_the_opponent_s_moves_are_not_looked_at() -> None:
    mine = simulated_moves(1500, np.random.default_rng(6))
    theirs = simulated_moves(700, np.random.default_rng(7))
    both = mine + tuple(replace(move, ply=move.ply + 1, color="black") for move in theirs)
    assert evidence_of(both) == evidence_of(mine)


def with_clocks(moves: tuple[MoveScore, ...]) -> tuple[MoveScore, ...]:
    return tuple(replace(move, seconds_left=180.0 - 4 * i) for i, move in enumerate(moves))


def test_clocks_count_where_the_model_knows_them() -> None:
    blitz = replace(GAME, speed="blitz", clock=Clock(initial_seconds=180, increment_seconds=0))
    moves = simulated_moves(1500, np.random.default_rng(8))
    assert evidence_of(with_clocks(moves), blitz) != evidence_of(moves, blitz)
    # Clock times without the time control that they run down from cannot be read.
    unknown = replace(blitz, clock=None)
    assert evidence_of(with_clocks(moves), unknown) == evidence_of(moves, unknown)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"speed": "bullet"}, "no model for bullet games yet"),
        ({"speed": "correspondence"}, "no model for correspondence games yet"),
        ({"variant": "chess960"}, "only games from the usual starting position"),
        ({"variant": "crazyhouse"}, "only games from the usual starting position"),
        (
            {"variant": "fromPosition", "initial_fen": "8/8/8/8/8/1k6/8/K6R w - - 0 1"},
            "only games from the usual starting position",
        ),
    ],
)
def test_no_number_without_a_model_for_such_games(changes: dict[str, str], reason: str) -> None:
    assert reason in refusal(replace(GAME, **changes))


def test_no_number_from_too_few_moves() -> None:
    assert refusal(moves=1) == f"only 1 own move with an evaluation; {MIN_OWN_MOVES} are needed"
    assert "only 9 own moves" in refusal(moves=MIN_OWN_MOVES - 1)
    assert "none of the moves has an evaluation" in refusal(moves=0)
    evidence_of(simulated_moves(1500, np.random.default_rng(9), count=MIN_OWN_MOVES))


def test_no_range_without_games_or_without_a_model() -> None:
    assert model().strength_range([], speed="rapid") == NoEstimate(
        reason="no game with an estimate"
    )
    assert model().strength_range([], speed="bullet") == NoEstimate(
        reason="no model for bullet games yet"
    )


def test_evidence_of_another_speed_or_model_is_refused_with_its_game() -> None:
    good = evidence_of(simulated_moves(1500, np.random.default_rng(10)))
    for bad in (
        replace(good, game_id="abcd1234", scale="lichess_blitz"),
        replace(good, game_id="abcd1234", log_likelihoods=(0.0, 1.0)),
    ):
        with pytest.raises(ModelError, match=r"abcd1234.*analyse the game again"):
            model().strength_range([good, bad], speed="rapid")


def test_a_hundred_games_take_well_under_a_second() -> None:
    rng, loaded = np.random.default_rng(11), model()
    games = [analysis(simulated_moves(1500, rng, count=40)) for _ in range(100)]
    started = time.process_time()
    evidences = [loaded.evidence(GAME, game, "white") for game in games]
    loaded.strength_range([e for e in evidences if isinstance(e, Evidence)], speed="rapid")
    assert time.process_time() - started < 1.5
