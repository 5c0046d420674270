"""What a Dask cluster makes of one and of two workers, and what it costs beside the work.

    python tests/bench_cluster.py [--seconds 12] [--plies 40] [--nodes 10000] [--rounds 2]

Less than three minutes on two cores. Scheduler and workers are processes of their own; each worker
has one thread and one engine. The first part measures games a minute with one worker and with
two, in turn, and beside it the same with one and two engines of the local pool, which shows what
the machine itself makes of a second engine. The rate is that of some seconds in the middle, in
which all workers have games.

The second part has games evaluated whose evaluations are known already, so that nothing is
searched: what remains is the client's, the scheduler's and the workers' CPU time for each game.
From that follows how many games a second one scheduler can hand out.

The exit code says whether two workers reached 0.95 of twice the rate of one. Others at work on
the machine spoil that: the load is shown.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from pathlib import Path
from queue import SimpleQueue
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import psutil
from made_games import random_export_game

from engines.cluster import Cluster
from engines.evals import USUAL_HASH_MEBIBYTES, Centipawns, KnownEval, PositionSequence, SearchLimit
from engines.look_ahead import look_ahead
from engines.pool import EnginePool
from pipeline.fetch.export import game_from_export
from pipeline.replay import replay

TARGET = 0.95
MONTH_GAMES = 90_000_000
WORKERS = 40
_GAMES_AHEAD = 200
"""As the pipeline begins at once."""

Rate = float
"""Games a minute."""


def main() -> int:
    flags = parsed_flags()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    games = made_games(_GAMES_AHEAD, flags.plies)
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with TemporaryDirectory() as folder, ExitStack() as stack:
        one = stack.enter_context(dask_processes(Path(folder) / "one", workers=1))
        two = stack.enter_context(dask_processes(Path(folder) / "two", workers=2))
        ratio, rate_of_one = measure_scaling(one, two, games, flags)
        overhead = measure_overhead(two, made_games(flags.free_games, flags.plies), flags)
    print(described_overhead(overhead))
    print(estimate(overhead, seconds_per_game=60 / rate_of_one))
    return 0 if ratio >= TARGET else 1


# --- one worker and two ----------------------------------------------------------------------


def measure_scaling(
    one: DaskProcesses, two: DaskProcesses, games: Sequence[PositionSequence], flags: Any
) -> tuple[float, Rate]:
    """The rate of two workers as a share of twice that of one, and the latter."""
    rates: dict[str, list[Rate]] = {"1": [], "2": [], "pool 1": [], "pool 2": []}
    for _round in range(flags.rounds):
        rates["1"].append(cluster_rate(one, games, flags))
        rates["2"].append(cluster_rate(two, games, flags))
        rates["pool 1"].append(pool_rate(1, games, flags))
        rates["pool 2"].append(pool_rate(2, games, flags))
        print("games a minute:", {name: round(found[-1], 1) for name, found in rates.items()})
    mean = {name: fmean(found) for name, found in rates.items()}
    ratio = mean["2"] / (2 * mean["1"])
    print(
        f"two workers reach {ratio:.3f} of twice one worker's games a minute (to reach: {TARGET}); "
        f"the local pool's engines {mean['pool 2'] / (2 * mean['pool 1']):.3f}; "
        f"cluster ÷ pool: {mean['1'] / mean['pool 1']:.3f} with one, "
        f"{mean['2'] / mean['pool 2']:.3f} with two"
    )
    return ratio, mean["1"]


def cluster_rate(dask: DaskProcesses, games: Sequence[PositionSequence], flags: Any) -> Rate:
    with evaluating(dask, flags) as evaluated:
        return steady_rate(evaluated(games), dask.workers, flags.seconds)


def pool_rate(workers: int, games: Sequence[PositionSequence], flags: Any) -> Rate:
    limit = SearchLimit(nodes_per_position=flags.nodes)
    with EnginePool(flags.engine, workers=workers, limit=limit) as pool:
        return steady_rate(pool.evaluate(games), workers, flags.seconds)


def steady_rate(outcomes: Iterator[object], workers: int, seconds: float) -> Rate:
    """Without the start of engines, and long before the games run out."""
    for _first in islice(outcomes, workers):
        started_at = time.perf_counter()
    done_at = list(takewhile(lambda at: at < started_at + seconds, times_of(outcomes)))
    if not done_at:
        raise SystemExit(f"no game was finished within {seconds:g} s: give it more --seconds")
    return 60 * len(done_at) / (done_at[-1] - started_at)


def times_of(outcomes: Iterator[object]) -> Iterator[float]:
    for _outcome in outcomes:
        yield time.perf_counter()


# --- what it costs ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Overhead:
    """For each game: CPU milliseconds, and milliseconds by the clock with all of them at work."""

    client: float
    scheduler: float
    workers: float
    wall: float


def measure_overhead(
    dask: DaskProcesses, games: Sequence[PositionSequence], flags: Any
) -> Overhead:
    free = [all_known(game) for game in games]
    with evaluating(dask, flags) as evaluated:
        list(evaluated(free[:_GAMES_AHEAD]))
        before, started_at = dask.cpu_seconds(), time.perf_counter()
        list(evaluated(free))
        seconds, after = time.perf_counter() - started_at, dask.cpu_seconds()
    client, scheduler, workers = (
        1000 * (late - early) / len(free) for early, late in zip(before, after, strict=True)
    )
    wall = 1000 * seconds / len(free)
    return Overhead(client=client, scheduler=scheduler, workers=workers, wall=wall)


def all_known(game: PositionSequence) -> PositionSequence:
    level = KnownEval(eval=Centipawns(0), best_move_uci=None)
    return replace(game, known=tuple((n, level) for n in range(len(game.moves_uci) + 1)))


def described_overhead(overhead: Overhead) -> str:
    return (
        "without any search, for each game: "
        f"client {overhead.client:.2f} ms of CPU, scheduler {overhead.scheduler:.2f} ms, "
        f"workers {overhead.workers:.2f} ms (replaying its moves among it), "
        f"{overhead.wall:.2f} ms by the clock, on {os.cpu_count()} cores together"
    )


def estimate(overhead: Overhead, *, seconds_per_game: float) -> str:
    """Where the scheduler, or this one client, becomes the limit."""
    slowest = max(overhead.scheduler, overhead.client)
    limit = 1000 / slowest
    threads = limit * seconds_per_game
    lines = [
        f"{limit:,.0f} games a second are what one scheduler and one client can do; at "
        f"{seconds_per_game:.2f} s a game, as here, that keeps {threads:,.0f} threads busy"
    ]
    for threads_each in (1, 8, 32):
        rate = WORKERS * threads_each / seconds_per_game
        days = MONTH_GAMES / min(rate, limit) / 86_400
        lines.append(
            f"{WORKERS} workers of {threads_each} threads: {rate:,.0f} games a second, "
            f"{rate / limit:.0%} of that; {MONTH_GAMES:,} games take {days:,.1f} days"
        )
    return "\n".join(lines)


# --- the processes ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class DaskProcesses:
    address: str
    workers: int
    scheduler_process: psutil.Process
    worker_processes: tuple[psutil.Process, ...]

    def cpu_seconds(self) -> tuple[float, float, float]:
        """Of this process, of the scheduler's, of the workers' without their engines."""
        return (
            own_seconds(psutil.Process()),
            own_seconds(self.scheduler_process),
            sum(own_seconds(process) for process in self.worker_processes),
        )


def own_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@contextmanager
def dask_processes(folder: Path, *, workers: int) -> Iterator[DaskProcesses]:
    """A scheduler and its workers, as somebody would start them by hand."""
    folder.mkdir()
    place = folder / "scheduler.json"
    common = ("--scheduler-file", str(place), "--no-dashboard")
    scheduler = dask_process("scheduler", "--host", "127.0.0.1", "--port", "0", *common)
    started = [scheduler]
    try:
        for _worker in range(workers):
            started.append(dask_process("worker", "--nthreads", "1", "--no-nanny", *common))
        wait_until(lambda: place.exists() and "tcp://" in place.read_text())
        yield DaskProcesses(
            address=place.read_text().split('"address": "')[1].split('"')[0],
            workers=workers,
            scheduler_process=psutil.Process(scheduler.pid),
            worker_processes=tuple(psutil.Process(process.pid) for process in started[1:]),
        )
    finally:
        for process in started:
            process.kill()
            process.wait()


def dask_process(role: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{role}", *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    give_up_at = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > give_up_at:
            raise SystemExit("the cluster did not start")
        time.sleep(0.1)


@contextmanager
def evaluating(
    dask: DaskProcesses, flags: Any
) -> Iterator[Callable[[Sequence[PositionSequence]], Iterator[object]]]:
    finished: SimpleQueue[Any] = SimpleQueue()
    limit = SearchLimit(nodes_per_position=flags.nodes)
    with (
        Cluster(dask.address, workers=1, wait_seconds=60, say=lambda _sentence: None) as cluster,
        cluster.evaluator(
            finished.put,
            engine=flags.engine,
            limit=limit,
            hash_mebibytes=USUAL_HASH_MEBIBYTES,
            options=(),
        ) as crew,
    ):
        yield lambda games: look_ahead(games, crew.submit, finished, at_most=_GAMES_AHEAD)


def made_games(count: int, plies: int) -> list[PositionSequence]:
    """All of one length, so that the rate is steady."""
    records = (random_export_game(seed, plies=plies) for seed in range(count))
    return [replay(game_from_export(record, where="a bench")).positions() for record in records]


def parsed_flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="One worker, two workers, and the cost of Dask.")
    parser.add_argument("--engine", type=Path, default=Path("/usr/games/stockfish"))
    parser.add_argument("--seconds", type=float, default=12, help="of each measurement")
    parser.add_argument("--free-games", type=int, default=1500)
    parser.add_argument("--plies", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
