"""Evaluate many short games on two Dask workers that are killed at random: nothing lost.

    python tests/soak_cluster.py [--games 1500] [--seconds-between-kills 10] [--no-nanny]

Every game must come back exactly once, with the evaluations that the local pool finds, and no
engine may be left. Killed workers are started again, by their nannies or, with --no-nanny, by
this script, under another address. The exit code says whether that held.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import psutil
from bench_cluster import dask_process, wait_until
from soak_engines import random_game

from engines.cluster import Cluster
from engines.evals import (
    USUAL_HASH_MEBIBYTES,
    EngineFailure,
    GameEvals,
    PositionSequence,
    SearchLimit,
)
from engines.look_ahead import look_ahead
from engines.pool import EnginePool

Outcome = GameEvals | EngineFailure

_MARK = "MOVELO_SOAK"


def main() -> int:
    flags = parsed_flags()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    games = [random_game(seed) for seed in range(flags.games)]
    limit = SearchLimit(nodes_per_position=flags.nodes)
    with EnginePool(flags.engine, workers=2, limit=limit) as pool:
        calm = list(pool.evaluate(games))
    with TemporaryDirectory() as folder, two_workers(Path(folder), flags) as (address, workers):
        started_at = time.monotonic()
        shot_at, killed = evaluated(address, workers, games, flags)
        seconds = time.monotonic() - started_at
    times = Counter(outcome.game_id for outcome in shot_at)
    faults = {
        "not evaluated exactly once": sum(times[game.game_id] != 1 for game in games),
        "set aside": sum(isinstance(outcome, EngineFailure) for outcome in shot_at),
        "with other evaluations": len({*calm} ^ {*shot_at}) // 2,
        "engines left": engines_left(),
    }
    print(f"{len(games)} games in {seconds:.0f} s, {len(killed)} workers killed")
    print(", ".join(f"{what}: {count}" for what, count in faults.items()))
    return 1 if any(faults.values()) or not killed else 0


def evaluated(
    address: str, workers: Workers, games: Sequence[PositionSequence], flags: argparse.Namespace
) -> tuple[list[Outcome], list[int]]:
    """What came back, and the processes that were killed meanwhile."""
    finished: SimpleQueue[Any] = SimpleQueue()
    limit = SearchLimit(nodes_per_position=flags.nodes)
    with (
        Cluster(address, workers=2, wait_seconds=60, say=print) as cluster,
        cluster.evaluator(
            finished.put,
            engine=flags.engine,
            limit=limit,
            hash_mebibytes=USUAL_HASH_MEBIBYTES,
            options=(),
        ) as crew,
        killer(workers, flags.seconds_between_kills) as killed,
    ):
        return list(look_ahead(games, crew.submit, finished, at_most=500)), killed


class Workers:
    """Two `dask worker` processes; `start_missing` starts those that are gone again."""

    def __init__(self, place: Path, *, nanny: bool) -> None:
        self._arguments = ["--nthreads", "1", "--no-dashboard", "--scheduler-file", str(place)]
        self._nanny = nanny
        self._started = [self._start() for _ in range(2)]

    def start_missing(self) -> None:
        self._started = [p if p.poll() is None else self._start() for p in self._started]

    def alive(self) -> list[psutil.Process]:
        """The processes that work; with nannies, those that they watch."""
        started = [psutil.Process(p.pid) for p in self._started if p.poll() is None]
        if not self._nanny:
            return started
        children = [child for nanny in started for child in nanny.children()]
        return [child for child in children if "spawn_main" in " ".join(child.cmdline())]

    def stop(self) -> None:
        for process in self._started:
            process.terminate()
        for process in self._started:
            process.wait(30)

    def _start(self) -> Any:
        how = [] if self._nanny else ["--no-nanny"]
        return dask_process("worker", *self._arguments, *how, **{_MARK: str(os.getpid())})


@contextmanager
def two_workers(folder: Path, flags: argparse.Namespace) -> Iterator[tuple[str, Workers]]:
    """With a scheduler that forgives: a game may be hit as often as workers are killed."""
    place = folder / "scheduler.json"
    scheduler = dask_process(
        "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
        "--scheduler-file", str(place), DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="100",
    )  # fmt: skip
    workers = Workers(place, nanny=not flags.no_nanny)
    try:
        wait_until(lambda: place.exists() and "tcp://" in place.read_text())
        yield place.read_text().split('"address": "')[1].split('"')[0], workers
    finally:
        workers.stop()
        scheduler.kill()
        scheduler.wait()


@contextmanager
def killer(workers: Workers, seconds_between: float) -> Iterator[list[int]]:
    """Kills a worker every now and then; yields whom it has killed."""
    killed: list[int] = []
    done = threading.Event()
    chance = random.Random(1)

    def kill_some() -> None:
        while not done.wait(chance.uniform(seconds_between / 2, seconds_between * 1.5)):
            workers.start_missing()
            there = workers.alive()
            if there:
                victim = chance.choice(there)
                victim.kill()
                killed.append(victim.pid)

    thread = threading.Thread(target=kill_some, name="killer", daemon=True)
    thread.start()
    try:
        yield killed
    finally:
        done.set()
        thread.join()


def engines_left() -> int:
    """Engines that workers of this script started: they have its mark in their environment."""
    mark = str(os.getpid())
    processes = psutil.process_iter(["environ", "cmdline"])
    marked = [p for p in processes if (p.info["environ"] or {}).get(_MARK) == mark]
    return sum("distributed" not in " ".join(p.info["cmdline"] or ()) for p in marked)


def parsed_flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Kill Dask workers; nothing may be lost.")
    parser.add_argument("--engine", type=Path, default=Path("/usr/games/stockfish"))
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--seconds-between-kills", type=float, default=10.0)
    parser.add_argument("--no-nanny", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
