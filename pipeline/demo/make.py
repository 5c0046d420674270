"""How the shipped demonstration games were made: `python -m pipeline.demo.make STOCKFISH FILE`.

Stockfish plays itself at limited strength (UCI_Elo); ratings, clocks and names are invented.
The engine's weak play is random, so every run makes other games.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import chess

from engines.evals import Centipawns, Color, Eval, PositionSequence, SearchLimit
from engines.stockfish import Stockfish
from pipeline.demo.games import DEMO_PLAYER
from pipeline.elo.expected import expected_score
from pipeline.fetch.export import game_to_export
from pipeline.records import Clock, Game, GamePlayer, Opening

LIMIT = SearchLimit(nodes_per_position=20_000)
MAX_PLIES = 240
RESIGN_CENTIPAWNS = 900
FACTOR_K = 40
"""As for a new account: the rating follows the growing strength quickly."""

OPENINGS = (
    ("e4 e5 Nf3 Nc6 Bc4", "C50", "Italian Game"),
    ("e4 e5 Nf3 Nc6 Bb5", "C60", "Ruy Lopez"),
    ("e4 c5 Nf3 d6 d4", "B50", "Sicilian Defense"),
    ("e4 e6 d4 d5", "C00", "French Defense"),
    ("e4 c6 d4 d5", "B12", "Caro-Kann Defense"),
    ("d4 d5 c4 e6", "D30", "Queen's Gambit Declined"),
    ("d4 Nf6 c4 g6", "E60", "King's Indian Defense"),
    ("d4 d5 Bf4", "D00", "Queen's Pawn Game: Accelerated London System"),
    ("c4 e5", "A20", "English Opening: King's English Variation"),
)
SPEEDS = (("blitz", 300, 3), ("rapid", 600, 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pairing:
    """One game to be played; `strengths` are UCI_Elo, `ratings` are what the record says."""

    number: int
    speed: str
    clock: Clock
    created_at: datetime
    strengths: dict[Color, int]
    names: dict[Color, str]
    ratings: dict[Color, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Played:
    opening: Opening
    moves_san: tuple[str, ...]
    clocks_centiseconds: tuple[int, ...]
    winner: Color | None
    status: str


def main() -> None:
    """Play the games and write them as Lichess would export them, one JSON object a line."""
    engine_path, file = Path(sys.argv[1]), Path(sys.argv[2])
    lines = [json.dumps(game_to_export(game)) for game in play_all(engine_path, games=28, seed=11)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def play_all(engine_path: Path, *, games: int, seed: int) -> Iterator[Game]:
    """The demo player gets better from 1450 to 1750, and the rating follows slowly."""
    rng = random.Random(seed)  # noqa: S311 (nothing secret)
    own_rating = {speed: 1500 + 60 * index for index, (speed, _, _) in enumerate(SPEEDS)}
    for number in range(games):
        speed, initial_seconds, increment_seconds = SPEEDS[rng.random() < 0.4]
        own: Color = "white" if number % 2 else "black"
        other: Color = "black" if own == "white" else "white"
        level = 1450 + 300 * number // games
        opponent = level + rng.randrange(-150, 151, 25)
        pairing = _Pairing(
            number=number,
            speed=speed,
            clock=Clock(initial_seconds=initial_seconds, increment_seconds=increment_seconds),
            created_at=datetime(2026, 9, 1, 18, tzinfo=UTC)
            + timedelta(days=3 * number, minutes=rng.randrange(240)),
            strengths={own: level, other: max(1320, opponent)},
            names={own: DEMO_PLAYER, other: f"demo-engine-{opponent}"},
            ratings={own: own_rating[speed], other: opponent + rng.randrange(-30, 31)},
        )
        game = _rated(pairing, _play(engine_path, pairing, rng))
        own_rating[speed] += game.player(own).rating_diff or 0
        yield game


def _play(engine_path: Path, pairing: _Pairing, rng: random.Random) -> _Played:
    moves, eco, name = rng.choice(OPENINGS)
    board = chess.Board()
    for san in moves.split():
        board.push_san(san)
    opening = Opening(eco=eco, name=name, ply=len(board.move_stack))
    evals: list[Eval | None] = []
    with ExitStack() as stack:
        engines = {
            color: stack.enter_context(_limited(engine_path, strength))
            for color, strength in pairing.strengths.items()
        }
        while not (board.is_game_over(claim_draw=True) or _resigns(board, evals)):
            evaluation, move_uci = _choice(engines[_to_move(board)], board)
            evals.append(evaluation)
            board.push_uci(move_uci)
            if len(board.move_stack) >= MAX_PLIES:
                break
    winner, status = _outcome(board, evals)
    return _Played(
        opening=opening,
        moves_san=tuple(_san(board)),
        clocks_centiseconds=tuple(_clocks(pairing.clock, len(board.move_stack), rng)),
        winner=winner,
        status=status,
    )


def _limited(engine_path: Path, uci_elo: int) -> Stockfish:
    return Stockfish(engine_path, options=(("UCI_LimitStrength", True), ("UCI_Elo", uci_elo)))


def _choice(engine: Stockfish, board: chess.Board) -> tuple[Eval | None, str]:
    """What a limited engine plays is its "best move", however it evaluates."""
    here = PositionSequence(game_id="demo", start_fen=board.fen(), moves_uci=())
    found = engine.evaluate(here, LIMIT, deadline_seconds=60)
    move_uci = found.best_moves_uci[0]
    assert move_uci is not None, "the game is not over"  # noqa: S101
    return found.evals[0], move_uci


def _resigns(board: chess.Board, evals: list[Eval | None]) -> bool:
    """Whoever is to move gives up after three looks at a lost position."""
    own = evals[-6::2] if len(evals) >= 6 else []
    sign = 1 if board.turn == chess.WHITE else -1
    return len(own) == 3 and all(
        isinstance(e, Centipawns) and sign * e.value < -RESIGN_CENTIPAWNS for e in own
    )


def _outcome(board: chess.Board, evals: list[Eval | None]) -> tuple[Color | None, str]:
    outcome = board.outcome(claim_draw=True)
    if outcome is not None:
        if outcome.winner is None:
            stalemate = outcome.termination is chess.Termination.STALEMATE
            return None, "stalemate" if stalemate else "draw"
        return ("white" if outcome.winner == chess.WHITE else "black"), "mate"
    if _resigns(board, evals):
        return ("black" if board.turn == chess.WHITE else "white"), "resign"
    return None, "draw"


def _clocks(clock: Clock, plies: int, rng: random.Random) -> Iterator[int]:
    """Centiseconds left after each ply; nobody thinks longer than a fifth of what is left."""
    left = [float(clock.initial_seconds)] * 2
    typical_seconds = (clock.initial_seconds + 40 * clock.increment_seconds) / 60
    for ply in range(plies):
        if ply >= 2:
            thought = min(rng.lognormvariate(0, 0.8) * typical_seconds, left[ply % 2] / 5)
            left[ply % 2] += clock.increment_seconds - thought
        yield round(left[ply % 2] * 100)


def _rated(pairing: _Pairing, played: _Played) -> Game:
    white, black = (pairing.ratings[color] for color in ("white", "black"))
    score = {"white": 1.0, "black": 0.0, None: 0.5}[played.winner]
    change = round(FACTOR_K * (score - expected_score(white, black)))
    return Game(
        id=f"demo{pairing.number:04}",
        variant="standard",
        speed=pairing.speed,
        rated=True,
        created_at=pairing.created_at,
        white=GamePlayer(name=pairing.names["white"], rating=white, rating_diff=change),
        black=GamePlayer(name=pairing.names["black"], rating=black, rating_diff=-change),
        winner=played.winner,
        status=played.status,
        source="demonstration: engines of limited strength",
        clock=pairing.clock,
        opening=played.opening,
        moves_san=played.moves_san,
        clocks_centiseconds=played.clocks_centiseconds,
    )


def _san(board: chess.Board) -> Iterator[str]:
    replayed = chess.Board()
    for move in board.move_stack:
        yield replayed.san(move)
        replayed.push(move)


def _to_move(board: chess.Board) -> Color:
    return "white" if board.turn == chess.WHITE else "black"


if __name__ == "__main__":
    main()
