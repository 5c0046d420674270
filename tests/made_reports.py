"""Reports about invented people, for the tests of the displays.

`made_player_report(12)` is the whole thing with 12 games; every other builder makes one
record. All take any field of their record by name.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import chess
import numpy as np
from simulated_accounts import Peculiar, simulated_accounts
from simulated_humans import simulated_likelihoods

from engines.evals import LICHESS_ANALYSIS, Color, EngineId, SearchLimit
from pipeline.differences.find import differences_of
from pipeline.records import (
    Clock,
    Differences,
    Division,
    Explanation,
    GameAnalysis,
    GamePlayer,
    GameReport,
    Judgement,
    MoveScore,
    NoEstimate,
    Opening,
    OpponentCounts,
    Phase,
    PlayerReport,
    RatingPoint,
    ResultEstimate,
    ScoreLuck,
    SetAside,
    SideReport,
    SideSummary,
    SpeedReport,
    SpeedTrends,
    StrengthRange,
    Trend,
    TrendDifference,
    TrendPoint,
)
from pipeline.strength.explain import explain

STOCKFISH = EngineId(name="Stockfish 15.1", network="nn-ad9b42354671.nnue")
LIMIT = SearchLimit(nodes_per_position=100_000)
FIRST_DAY = datetime(2026, 1, 3, 18, 30, tzinfo=UTC)

_OPPONENTS = (
    "Marwin_Quell", "tilda-ost", "Koppernik7", "OldPawnBroker", "zugzwangerine", "Iris_of_Lund",
    "b2b4andpray", "SlowRook", "nachtspringer", "elena_vant", "TheQuietMove", "halfopenfile",
)  # fmt: skip
_OPENINGS = (
    ("C50", "Italian Game: Giuoco Pianissimo", "e4 e5 Nf3 Nc6 Bc4 Bc5 d3 Nf6 O-O d6 c3 a6"),
    ("B22", "Sicilian Defense: Alapin Variation", "e4 c5 c3 d5 exd5 Qxd5 d4 Nf6 Nf3 e6 Be3"),
    ("D02", "Queen's Pawn Game: London System", "d4 d5 Nf3 Nf6 Bf4 e6 e3 c5 c3 Nc6 Nbd2 Bd6"),
    ("B01", "Scandinavian Defense: Mieses-Kotroc Variation", "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 c6"),
    ("C02", "French Defense: Advance Variation", "e4 e6 d4 d5 e5 c5 c3 Nc6 Nf3 Qb6 a3 Nh6"),
    ("E60", "King's Indian Defense", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6 d5 Ne7"),
)
_STATUSES = ("resign", "mate", "outoftime", "resign", "resign")


def made_strength(median: float = 1650, **fields: Any) -> StrengthRange:
    """A range of one blitz game, 310 points wide."""
    made = StrengthRange(
        scale="lichess_blitz", low=median - 158, median=median, high=median + 152,
        coverage=0.8, games=1, moves=34, games_with_human_model=1,
    )  # fmt: skip
    return replace(made, **fields)


def made_result(**fields: Any) -> ResultEstimate:
    """20 blitz games, two of which without an expectation."""
    made = ResultEstimate(
        scale="lichess_blitz", games=20, wins=11, draws=3, losses=6, score=12.5,
        expected_score=10.43, games_with_expectation=18, score_with_expectation=11.5,
        average_opponent_rating=1655.4, performance_low=1641.2, performance_rating=1734.8,
        performance_high=1828.9, coverage=0.8,
        luck=ScoreLuck(
            score_or_luckier_probability=0.3842, score_or_unluckier_probability=0.7094,
            equals_draw_probability=0.1711,
        ),
        opponents=OpponentCounts(
            counted=20, provisional=2, bots=1, computer=0, anonymous=1, unrated=0,
            without_result=0,
        ),
    )  # fmt: skip
    return replace(made, **fields)


def made_trend_points(
    start: float, end: float, half_width: float, days: int = 24
) -> tuple[TrendPoint, ...]:
    """A straight line over 70 days, two games every third day; none for a week in the middle."""
    made = []
    for number in range(days):
        share = number / (days - 1)
        median, half = start + share * (end - start), half_width * (1.3 - share * (1 - share))
        made.append(
            TrendPoint(
                at=FIRST_DAY + timedelta(days=round(70 * share)), low=median - half,
                median=median, high=median + half, games=0 if number in (11, 12) else 2,
            )
        )  # fmt: skip
    return tuple(made)


@cache
def made_differences(games: int = 120) -> Differences:
    """Of somebody who loses won games on time."""
    player = Peculiar(flags_when_winning=0.4)
    found = differences_of(simulated_accounts(games, 1, player))
    assert isinstance(found, Differences)
    return found


def made_trends(**fields: Any) -> SpeedTrends:
    """Blitz: the results rise from 1620 to 1700, the moves from 1700 to 1800."""
    made = SpeedTrends(
        scale="lichess_blitz", step="day",
        results=Trend(
            scale="lichess_blitz", coverage=0.8, games=44, walk_points=84.2,
            points=made_trend_points(1620, 1700, 70),
        ),
        moves=Trend(
            scale="lichess_blitz", coverage=0.8, games=44, walk_points=91.7,
            points=made_trend_points(1700, 1800, 60),
        ),
        difference=TrendDifference(
            coverage=0.8, games=44, low=-4.2, median=88.1, high=181.3,
            moves_above_probability=0.893, points=made_trend_points(80, 100, 92),
        ),
        ratings=tuple(
            RatingPoint(at=FIRST_DAY + timedelta(days=day), rating=1640 + day + 12 * (day % 3))
            for day in range(0, 71, 3)
        ),
    )  # fmt: skip
    return replace(made, **fields)


def made_speed_report(**fields: Any) -> SpeedReport:
    """Blitz, both views present, their ranges overlapping."""
    made = SpeedReport(
        speed="blitz", scale="lichess_blitz", games=20, first_game_at=FIRST_DAY,
        last_game_at=FIRST_DAY + timedelta(days=70), rating_first=1652, rating_last=1698,
        result=made_result(),
        strength=made_strength(
            1748, low=1701.4, high=1794.6, games=18, moves=612, games_with_human_model=18
        ),
        trends=made_trends(), differences=made_differences(),
        accuracy_percent=84.37, average_centipawn_loss=38.6,
    )  # fmt: skip
    return replace(made, **fields)


def made_move(**fields: Any) -> MoveScore:
    """White's quiet first move."""
    made = MoveScore(
        ply=1, color="white", san="e4", move_uci="e2e4", win_percent_before=52.0,
        win_percent_after=51.5, centipawn_loss=5, accuracy_percent=98.8, judgement=None,
        phase=Phase.OPENING, legal_move_count=20, is_best_move=True, best_move_san="e4",
        gives_check=False, captures=False,
    )  # fmt: skip
    return replace(made, **fields)


def made_moves(seed: int = 1, plies: int = 62) -> tuple[MoveScore, ...]:
    """An opening, then random legal moves; the chances wander and sometimes fall."""
    chance = random.Random(seed)
    board, white_win, moves = chess.Board(), 52.0, []
    opening = _OPENINGS[seed % len(_OPENINGS)][2].split()
    while len(moves) < plies and not board.is_game_over():
        played = opening[len(moves)] if len(moves) < len(opening) else _any_move(board, chance)
        move = _scored(board, played, white_win, _lost(chance, len(moves), len(opening)), chance)
        after = move.win_percent_after
        white_win = after if move.color == "white" else 100 - after
        board.push_san(played)
        moves.append(move)
    return tuple(moves)


def _any_move(board: chess.Board, chance: random.Random) -> str:
    moves = sorted(board.legal_moves, key=str)
    captures = [move for move in moves if board.is_capture(move)]
    return board.san(chance.choice(captures if captures and chance.random() < 0.3 else moves))


def _lost(chance: random.Random, ply: int, opening: int) -> float:
    if ply < opening:
        return chance.random()
    return chance.choice((0.0, 0.2, 0.5, 1.0, 1.5, 3.0, 4.0, 6.5, 12.0, 24.0))


def _scored(
    board: chess.Board, san: str, white_win: float, lost: float, chance: random.Random
) -> MoveScore:
    before = white_win if board.turn else 100 - white_win
    after = max(2.0, before - lost)
    best = san if lost < 1 else _any_move(board, chance)
    return made_move(
        ply=board.ply() + 1, color="white" if board.turn else "black", san=san,
        move_uci=board.parse_san(san).uci(), win_percent_before=before, win_percent_after=after,
        centipawn_loss=round(9 * (before - after)), accuracy_percent=_accuracy(before - after),
        judgement=_judgement(before - after), is_best_move=best == san, best_move_san=best,
        legal_move_count=board.legal_moves.count(), gives_check="+" in san, captures="x" in san,
        phase=Phase.OPENING if board.ply() < 20 else Phase.MIDDLEGAME,
    )  # fmt: skip


def _accuracy(lost: float) -> float:
    """https://lichess.org/page/accuracy."""
    return min(100.0, max(0.0, 103.1668 * math.exp(-0.04354 * lost) - 3.1669 + 1))


def _judgement(lost: float) -> Judgement | None:
    for least, judgement in (
        (15, Judgement.BLUNDER),
        (10, Judgement.MISTAKE),
        (5, Judgement.INACCURACY),
    ):
        if lost >= least:
            return judgement
    return None


def made_summary(moves: tuple[MoveScore, ...], color: Color) -> SideSummary:
    """The summary that belongs to `moves`."""
    own = [move for move in moves if move.color == color]
    count = {word: sum(move.judgement is word for move in own) for word in Judgement}
    return SideSummary(
        moves=len(own),
        accuracy_percent=sum(m.accuracy_percent for m in own) / len(own) if own else None,
        average_centipawn_loss=sum(m.centipawn_loss for m in own) // len(own) if own else None,
        inaccuracies=count[Judgement.INACCURACY],
        mistakes=count[Judgement.MISTAKE],
        blunders=count[Judgement.BLUNDER],
    )


def made_explanation(
    moves: tuple[MoveScore, ...], color: Color, *, level: float = 1650, seed: int = 1
) -> Explanation:
    """What spoke for and against, had somebody of 1650 chosen as the model says they do."""
    analysis = GameAnalysis(
        game_id="made", engine=STOCKFISH, limit=LIMIT, moves=moves,
        white=made_summary(moves, "white"), black=made_summary(moves, "black"),
        division=Division(middlegame=20, endgame=None),
    )  # fmt: skip
    human = simulated_likelihoods(
        {"white": 1650.0, "black": 1650.0}, np.random.default_rng(seed), plies=len(moves)
    )
    return explain(human, analysis, color, level=level)


def made_side(moves: tuple[MoveScore, ...], color: Color, **fields: Any) -> SideReport:
    """One side of a game with `moves`."""
    made = SideReport(
        player=GamePlayer(name="Rosalind_Vey", rating=1698, rating_diff=6), score=1.0,
        expected_score=0.54, strength=made_strength(), explanation=made_explanation(moves, color),
        summary=made_summary(moves, color),
    )  # fmt: skip
    return replace(made, **fields)


def made_game_report(seed: int = 1, **fields: Any) -> GameReport:
    """A blitz game of Rosalind_Vey's; the seed chooses opponent, colour, result, moves."""
    chance = random.Random(seed)
    moves = made_moves(seed, plies=chance.randint(38, 96))
    own_color: Color = "white" if seed % 2 else "black"
    other: Color = "black" if seed % 2 else "white"
    score, rating = chance.choice((1.0, 1.0, 0.5, 0.0, 0.0)), chance.randint(1540, 1790)
    expected = 1 / (1 + 10 ** ((rating - 1698) / 400))
    level, own_level = chance.gauss(1680, 110), chance.gauss(1730, 110)
    own = made_side(
        moves, own_color, score=score, expected_score=expected, strength=made_strength(own_level)
    )
    opponent = made_side(
        moves, other, score=1 - score, expected_score=1 - expected, strength=made_strength(level),
        player=GamePlayer(name=_OPPONENTS[seed % len(_OPPONENTS)], rating=rating, rating_diff=-6),
    )  # fmt: skip
    eco, opening, line = _OPENINGS[seed % len(_OPENINGS)]
    made = GameReport(
        id=f"made{seed:04d}", url=f"https://lichess.org/made{seed:04d}",
        created_at=FIRST_DAY + timedelta(days=70, hours=-29 * seed), speed="blitz",
        variant="standard", rated=True, color=own_color,
        status="draw" if score == 0.5 else _STATUSES[seed % len(_STATUSES)],
        opening=Opening(eco=eco, name=opening, ply=len(line.split())),
        clock=Clock(initial_seconds=300, increment_seconds=3), plies=len(moves),
        engine=STOCKFISH if seed % 3 else LICHESS_ANALYSIS, limit=LIMIT if seed % 3 else None,
        white=own if own_color == "white" else opponent,
        black=opponent if own_color == "white" else own, human_model_missing=False, moves=moves,
        moves_san=tuple(move.san for move in moves),
    )  # fmt: skip
    return replace(made, **fields)


def made_alone(seed: int = 1, **fields: Any) -> GameReport:
    """A game that only Stockfish looked at, for want of the human-move model."""
    game, strength = made_game_report(seed), made_strength(games_with_human_model=0)
    without = NoEstimate(reason="the human-move model had no part in this range")
    white, black = (
        replace(side, strength=strength, explanation=without) for side in (game.white, game.black)
    )
    alone = {"white": white, "black": black, "human_model_missing": True}
    return replace(game, **(alone | fields))


def made_short_game(seed: int = 900, **fields: Any) -> GameReport:
    """A game of three plies against an anonymous player: nothing to estimate from."""
    moves, few = made_moves(seed, plies=3), NoEstimate(reason="too few moves outside the opening")
    own = made_side(moves, "white", strength=few, explanation=few, expected_score=None)
    opponent = made_side(
        moves, "black", strength=few, explanation=few, expected_score=None, score=0.0,
        player=GamePlayer(),
    )  # fmt: skip
    short = {
        "white": own, "black": opponent, "color": "white", "moves": moves, "plies": 3,
        "moves_san": tuple(move.san for move in moves),
    }  # fmt: skip
    return made_game_report(seed, **(short | fields))


def made_player_report(game_count: int = 12, **fields: Any) -> PlayerReport:
    """Blitz with both views and rapid with results only; the last game is a short one."""
    played = (made_game_report(seed) for seed in range(1, game_count))
    few = NoEstimate(reason="too few analysed moves")
    rapid = made_speed_report(
        speed="rapid", scale="lichess_rapid", games=4, rating_first=1803, rating_last=1799,
        result=made_result(
            scale="lichess_rapid", games=4, wins=2, draws=0, losses=2, score=2.0,
            expected_score=1.8, games_with_expectation=4, score_with_expectation=2.0,
            performance_low=1610.0, performance_rating=1801.0, performance_high=1994.0,
        ),
        strength=few, trends=NoEstimate(reason="too few days with games"),
        differences=made_differences(4),
        accuracy_percent=None, average_centipawn_loss=None,
    )  # fmt: skip
    made = PlayerReport(
        player="Rosalind_Vey", created_at=FIRST_DAY + timedelta(days=71), movelo_version="0.1.0",
        model_name="movelo-blitz-rapid-2026-09", speeds=(made_speed_report(), rapid),
        games=(*played, made_short_game()) if game_count else (),
        set_aside=(
            SetAside(where="game Ab3kQ9zz of 2026-02-01", reason="variant: crazyhouse"),
            SetAside(where="game x81LmnoP of 2026-01-20", reason="variant: crazyhouse"),
            SetAside(where="games.pgn, line 812", reason="illegal move 14. Qxh9"),
        ),
        notes=("The list of games was cut by Lichess after 12 games; run movelo again for more.",),
    )  # fmt: skip
    return replace(made, **fields)
