"""Evaluate many short games while engines are killed at random: nothing lost, nothing changed.

    python tests/soak_engines.py [--games 2000] [--seconds-between-kills 3] [--workers 2]

Every game must come back exactly once, with the evaluations that it has in a run without kills,
and no engine may be left, not even as a zombie. The exit code says whether that held.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import chess
import psutil

from engines.evals import EngineFailure, GameEvals, PositionSequence, SearchLimit
from engines.pool import EnginePool

Outcome = GameEvals | EngineFailure


def main() -> int:
    flags = parsed_flags()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    games = [random_game(seed) for seed in range(flags.games)]
    calm, calm_seconds, _ = evaluated(games, flags, kills=False)
    shot_at, seconds, kills = evaluated(games, flags, kills=True)
    left = psutil.Process().children(recursive=True)
    faults = {
        "not evaluated exactly once": sum(
            [outcome.game_id for outcome in shot_at].count(game.game_id) != 1 for game in games
        ),
        "set aside": sum(isinstance(outcome, EngineFailure) for outcome in shot_at),
        "with other evaluations": len({*calm} ^ {*shot_at}) // 2,
        "processes left": len(left),
    }
    print(f"{len(games)} games, {calm_seconds:.0f} s; with {kills} engines killed {seconds:.0f} s")
    print(", ".join(f"{what}: {count}" for what, count in faults.items()))
    return 1 if any(faults.values()) else 0


def evaluated(
    games: Sequence[PositionSequence], flags: argparse.Namespace, *, kills: bool
) -> tuple[list[Outcome], float, int]:
    """What came back, the seconds it took, and how many engines were killed."""
    limit = SearchLimit(nodes_per_position=flags.nodes)
    # As many kills may hit one game as there are: here a game is at fault by no fault of its own.
    with EnginePool(flags.engine, workers=flags.workers, limit=limit, max_tries=100) as pool:
        started_at = time.monotonic()
        with killer(flags.seconds_between_kills if kills else None) as killed:
            outcomes = list(pool.evaluate(games))
        return outcomes, time.monotonic() - started_at, len(killed)


@contextmanager
def killer(seconds_between: float | None) -> Iterator[list[int]]:
    """Kills one of this process's engines every now and then; yields whom it has killed."""
    killed: list[int] = []
    done = threading.Event()
    chance = random.Random(1)

    def kill_some() -> None:
        while not done.wait(chance.uniform(0, 2 * (seconds_between or 0.0))):
            engines = psutil.Process().children()
            if engines:
                victim = chance.choice(engines)
                victim.kill()
                killed.append(victim.pid)

    thread = threading.Thread(target=kill_some, name="killer", daemon=True)
    if seconds_between is not None:
        thread.start()
    try:
        yield killed
    finally:
        done.set()
        if thread.ident is not None:
            thread.join()


def random_game(seed: int) -> PositionSequence:
    chance = random.Random(seed)
    board = chess.Board()
    for _ in range(chance.randint(4, 24)):
        if board.is_game_over():
            break
        board.push(chance.choice(list(board.legal_moves)))
    return PositionSequence(
        game_id=f"random {seed}",
        start_fen=chess.STARTING_FEN,
        moves_uci=tuple(move.uci() for move in board.move_stack),
    )


def parsed_flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Kill engines at random; nothing may be lost.")
    parser.add_argument("--engine", type=Path, default=Path("/usr/games/stockfish"))
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds-between-kills", type=float, default=3.0)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
