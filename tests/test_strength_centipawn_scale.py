"""What a centipawn was worth when a game was evaluated."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from simulated_players import simulated_game, simulated_moves

from engines.evals import LICHESS_ANALYSIS, Centipawns, EngineId, SearchLimit
from pipeline.formulas.win_percent import win_percent
from pipeline.records import Division, Game, GameAnalysis, GamePlayer, MoveScore, SideSummary
from pipeline.strength.centipawn_scale import OLD_SCALE, centipawn_scale
from pipeline.strength.own_moves import CEILING, own_moves

GAME = simulated_game("g", (GamePlayer(), GamePlayer()), (1500, 1500), seed=1)
NOBODY = SideSummary(
    moves=0,
    accuracy_percent=None,
    average_centipawn_loss=None,
    inaccuracies=0,
    mistakes=0,
    blunders=0,
)


def played_in(year: int) -> Game:
    return replace(GAME, created_at=datetime(year, 6, 1, tzinfo=UTC))


def analysed_by(engine: EngineId, limit: SearchLimit | None = None) -> GameAnalysis:
    return GameAnalysis(
        game_id="g",
        engine=engine,
        limit=limit,
        moves=(),
        white=NOBODY,
        black=NOBODY,
        division=Division(middlegame=None, endgame=None),
    )


@pytest.mark.parametrize(("year", "scale"), [(2018, OLD_SCALE), (2022, OLD_SCALE), (2023, 1.0)])
def test_evaluations_that_came_with_a_game_are_as_old_as_the_game(year: int, scale: float) -> None:
    assert centipawn_scale(played_in(year), analysed_by(LICHESS_ANALYSIS)) == scale


@pytest.mark.parametrize(
    ("engine", "scale"),
    [
        ("Stockfish 11", OLD_SCALE),
        ("Stockfish 15", OLD_SCALE),
        ("Stockfish 15.1", 1.0),
        ("Stockfish 16", 1.0),
        ("Stockfish 17.1 by the Stockfish developers", 1.0),
        ("Stockfish dev-20240101-abcdef", 1.0),
        ("evaluations in games.jsonl", 1.0),
    ],
)
def test_evaluations_computed_here_are_as_old_as_the_engine(engine: str, scale: float) -> None:
    analysis = analysed_by(EngineId(name=engine), SearchLimit(nodes_per_position=10_000))
    assert centipawn_scale(played_in(2015), analysis) == scale


def moves_at(*pairs: tuple[float, float]) -> tuple[MoveScore, ...]:
    """One move for each pair of centipawns before and after."""
    blank = simulated_moves(1500, np.random.default_rng(1), count=len(pairs))
    return tuple(
        replace(
            move,
            win_percent_before=win_percent(Centipawns(round(before))),
            win_percent_after=win_percent(Centipawns(round(after))),
        )
        for move, (before, after) in zip(blank, pairs, strict=True)
    )


def test_old_and_new_evaluations_of_the_same_moves_read_the_same() -> None:
    old = own_moves(moves_at((200, 100), (0, -300), (600, 600)), centipawn_scale=OLD_SCALE)
    new = own_moves(moves_at((200 * OLD_SCALE, 100 * OLD_SCALE), (0, -300 * OLD_SCALE), (426, 426)))
    assert old.win_percent_loss == pytest.approx(new.win_percent_loss, abs=0.05)
    assert old.centipawn_loss == pytest.approx([71, 213, 0], abs=0.01)
    assert old.accuracy_percent == pytest.approx(new.accuracy_percent, abs=0.2)


def test_an_advantage_beyond_the_ceiling_loses_nothing_however_it_shrinks() -> None:
    found = own_moves(moves_at((1000, 800), (2000, 900)))
    assert found.win_percent_loss.tolist() == [0, 0]
    assert found.win_percent_before == pytest.approx(win_percent(Centipawns(round(CEILING))))
