"""Players who exist only as numbers: a level decides how much their moves lose.

A player also has a style, which makes all their moves lose a little more or less than the
level says, as real players do: it does not average out over games.
"""

import random
from datetime import UTC, datetime, timedelta

import chess
import numpy as np

from engines.evals import LICHESS_ANALYSIS, Centipawns
from pipeline.formulas.accuracy import accuracy_percent
from pipeline.formulas.win_percent import win_percent
from pipeline.records import Clock, Game, GamePlayer, MoveScore, Phase, SourceEval
from pipeline.strength.boosting import MANY, Grown, Growth
from pipeline.strength.forest import Forest
from pipeline.strength.own_moves import Column

RAPID = Clock(initial_seconds=600, increment_seconds=0)
SANS = ("e4", "Nf3", "Bb5", "Rd1", "Qd2", "Kh1", "O-O", "exd5", "Nxe5", "Qxd4")


def mean_centipawn_loss(level: float, style: float = 0.0) -> float:
    """40 at 1500, falling by two thirds every 700 points."""
    return float(40 * np.exp((1500 - level) / 640 + style))


def simulated_moves(
    level: float, rng: np.random.Generator, *, style: float = 0.0, count: int = 30
) -> tuple[MoveScore, ...]:
    """White's moves of one game without clocks."""
    losses = rng.exponential(mean_centipawn_loss(level, style), size=count) * (
        rng.random(count) < 0.7
    )
    before = np.clip(rng.normal(0, 150, size=count), -800, 800)
    return tuple(
        _move(number, round(before[number - 1]), round(min(900, losses[number - 1])), rng)
        for number in range(1, count + 1)
    )


def _move(number: int, before: int, loss: int, rng: np.random.Generator) -> MoveScore:
    percents = win_percent(Centipawns(before)), win_percent(Centipawns(before - loss))
    return MoveScore(
        ply=2 * number - 1,
        color="white",
        san=SANS[int(rng.integers(len(SANS)))],
        move_uci="e2e4",
        win_percent_before=percents[0],
        win_percent_after=percents[1],
        centipawn_loss=loss,
        accuracy_percent=accuracy_percent(*percents),
        judgement=None,
        phase=Phase.OPENING if number < 12 else Phase.MIDDLEGAME,
        legal_move_count=int(rng.integers(20, 40)),
        is_best_move=None,
        best_move_san=None,
        gives_check=False,
        captures=bool(rng.random() < 0.2),
    )


def simulated_game(
    game_id: str,
    players: tuple[GamePlayer, GamePlayer],
    levels: tuple[float, float],
    seed: int,
    *,
    plies: int = 24,
) -> Game:
    """Random legal moves, with evaluations that fall as the levels say: not chess, but games."""
    rng = random.Random(seed)
    board, evaluation, evals, sans = chess.Board(), 15.0, [], []
    while len(sans) < plies:
        move = rng.choice(list(board.legal_moves))
        if _ends(board, move):
            continue
        sans.append(board.san(move))
        board.push(move)
        mover = (len(sans) - 1) % 2
        loss = rng.expovariate(1 / mean_centipawn_loss(levels[mover]))
        evaluation += loss if mover else -loss
        evals.append(SourceEval(evaluation=Centipawns(round(evaluation))))
    return Game(
        id=game_id,
        variant="standard",
        speed="rapid",
        rated=True,
        created_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=seed),
        white=players[0],
        black=players[1],
        winner=None,
        clock=RAPID,
        moves_san=tuple(sans),
        source_evals=tuple(evals),
        source_engine=LICHESS_ANALYSIS,
    )


def _ends(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    over = not any(board.legal_moves)
    board.pop()
    return over


def grow_steps(
    rows: Column, ratings: Column, *, reference_rows: Column, seed: int, growth: Growth = MANY
) -> Grown:
    """A stand-in for boosting: the mean rating in each of 20 slices of one feature.

    The feature is the one that goes with the ratings most.
    """
    column = max(range(rows.shape[1]), key=lambda c: _correlation(rows[:, c], ratings))
    values = rows[:, column]
    edges = np.unique(np.quantile(values, np.linspace(0, 1, 21)[1:-1], method="lower"))
    edges = edges[edges < values.max()]
    slices = np.searchsorted(edges, values, side="left")
    means = np.array([ratings[slices == i].mean() for i in range(len(edges) + 1)])
    forest = _steps(column, edges, means)
    return Grown(
        forest=forest, reference_readings=forest.predict(reference_rows), made_with="20 slices"
    )


def _correlation(values: Column, ratings: Column) -> float:
    if np.isnan(values).any() or values.std() == 0:
        return 0.0
    return float(abs(np.corrcoef(values, ratings)[0, 1]))


def _steps(column: int, edges: Column, means: Column) -> Forest:
    """One tree a step up or down, and one leaf alone for the first mean."""
    steps = len(edges)
    roots = np.concatenate(([0], 1 + 3 * np.arange(steps))).astype(np.int32)
    left, right = np.arange(1 + 3 * steps), np.arange(1 + 3 * steps)
    left[roots[1:]], right[roots[1:]] = roots[1:] + 1, roots[1:] + 2
    threshold, value = np.zeros(1 + 3 * steps), np.zeros(1 + 3 * steps)
    threshold[roots[1:]] = edges
    value[0], value[roots[1:] + 2] = means[0], np.diff(means)
    feature = np.zeros(1 + 3 * steps, dtype=np.int16)
    feature[roots[1:]] = column
    return Forest(
        roots=roots,
        feature=feature,
        threshold=threshold,
        nan_left=np.ones(1 + 3 * steps, dtype=np.bool_),
        left=left.astype(np.int32),
        right=right.astype(np.int32),
        value=value,
        depth=np.array(1, dtype=np.int32),
    )
