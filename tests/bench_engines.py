"""Movelo's engine pool beside Stockfish's own bench and beside the plain loop, in one run.

    python tests/bench_engines.py FILE [--games 40] [--nodes 10000] [--rounds 3]

FILE holds games as Lichess exports them; the first ones without evaluations are taken. Every round
measures, one after another, on all cores unless --workers says otherwise:

    (a) `stockfish bench` (depth 13, the pool's hash), as many processes at once as workers, with
        the network throughout as games are searched; then as it is by default, where Stockfish
        15.1 uses its classical evaluation, which is faster, for every other position: the pool
        cannot come near that one, it is shown but is not what the target is held against;
    (b) the pool, on all the games;
    (c) the loop that other programs use: one engine with default settings, python-chess's
        `engine.analyse(board, Limit(nodes=N))` for each position in game order, on the same games.

What the pool's engines count as nodes is taken from the same searches in one engine, beforehand:
they are the same nodes, as the hash is cleared between games. Others at work on the machine spoil
the figures: their share of its time is shown. The exit code says whether the targets were
reached, all rounds together.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[1]))

import chess
import chess.engine
import psutil

from engines.alone import EngineSetup, Searched, bench_nodes_per_second, search_alone
from engines.bench import BudgetFigures, measure_pool, peak_mebibytes, system_clocks
from engines.cores import usable_cores
from engines.evals import USUAL_HASH_MEBIBYTES, PositionSequence, SearchLimit
from engines.pool import EnginePool
from pipeline.fetch.files import read_games
from pipeline.records import Game
from pipeline.replay import replay

ENGINE_BOUND_TARGET = 0.90
BUSY_TARGET = 0.97
SPEEDUP_TARGET_PER_CORE = 1.1
"""2.2 times the plain loop on 2 cores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """`others` is the share of the machine's CPU time that other processes took in each part."""

    bench_nodes_per_second: int
    mixed_bench_nodes_per_second: int
    pool: BudgetFigures
    plain_games_per_minute: float
    others: tuple[float, float, float]

    @property
    def engine_bound(self) -> float:
        return self.pool.nodes_per_second / self.bench_nodes_per_second

    @property
    def of_mixed_bench(self) -> float:
        return self.pool.nodes_per_second / self.mixed_bench_nodes_per_second

    @property
    def speedup(self) -> float:
        return self.pool.games_per_minute / self.plain_games_per_minute

    @property
    def busy(self) -> float:
        return self.pool.busy_share or 0.0


def main() -> int:
    flags = parsed_flags()
    setup = EngineSetup(path=flags.engine, hash_mebibytes=USUAL_HASH_MEBIBYTES)
    games = games_without_evals(flags.file, flags.games)
    alone = nodes_of(games, setup, flags)
    print(
        f"{len(games)} games, {alone.positions} positions, {flags.nodes:,} nodes asked for and "
        f"{alone.nodes_per_position:,.0f} searched for each; {flags.workers} engines, "
        f"ready after {alone.start_seconds:.2f} s each"
    )
    rounds = []
    for number in range(1, flags.rounds + 1):
        rounds.append(measured_round(games, setup, alone, flags))
        print(f"round {number}: {described(rounds[-1:])}", flush=True)
    print(f"all: {described(rounds)}")
    print(f"main process, peak: {peak_mebibytes():.0f} MiB")
    return 0 if reached(rounds, flags.workers) else 1


def measured_round(
    games: Sequence[PositionSequence],
    setup: EngineSetup,
    alone: Searched,
    flags: argparse.Namespace,
) -> Round:
    with others_share() as during_bench:
        bench = bench_nodes_per_second(setup, processes=flags.workers)
        mixed = bench_nodes_per_second(setup, processes=flags.workers, evaluation="mixed")
    with others_share() as during_pool:
        pool = measure_pool(
            games,
            limit=same_nodes(flags),
            open_pool=lambda limit: EnginePool(flags.engine, workers=flags.workers, limit=limit),
            alone=alone,
            clocks=system_clocks(),
        )
    with others_share() as during_loop:
        plain = plain_games_per_minute(games, flags)
    if bench is None or mixed is None:
        raise SystemExit(f"{flags.engine} does not know Stockfish's bench command")
    return Round(
        bench_nodes_per_second=bench,
        mixed_bench_nodes_per_second=mixed,
        pool=pool,
        plain_games_per_minute=plain,
        others=(during_bench[0], during_pool[0], during_loop[0]),
    )


def plain_games_per_minute(games: Sequence[PositionSequence], flags: argparse.Namespace) -> float:
    limit = chess.engine.Limit(nodes=flags.nodes)
    started_at = time.perf_counter()
    with chess.engine.SimpleEngine.popen_uci(str(flags.engine)) as engine:
        for game in games:
            board = chess.Board(game.start_fen)
            engine.analyse(board, limit)
            for move in game.moves_uci:
                board.push_uci(move)
                if not board.is_game_over():
                    engine.analyse(board, limit)
    return 60 * len(games) / (time.perf_counter() - started_at)


def same_nodes(flags: argparse.Namespace) -> SearchLimit:
    """As many for each position as the plain loop spends: movelo itself spares some."""
    return SearchLimit(nodes_per_position=flags.nodes).with_all_nodes()


def nodes_of(
    games: Sequence[PositionSequence], setup: EngineSetup, flags: argparse.Namespace
) -> Searched:
    """Every game's nodes, counted by as many engines as there are workers."""

    def counted(part: Sequence[PositionSequence]) -> Searched:
        return search_alone(
            setup,
            part,
            limit=same_nodes(flags),
            enough_seconds=float("inf"),
            clock=time.perf_counter,
        )

    parts = [part for n in range(flags.workers) if (part := games[n :: flags.workers])]
    with ThreadPoolExecutor(len(parts)) as threads:
        found = list(threads.map(counted, parts))
    return Searched(
        games=len(games),
        positions=sum(one.positions for one in found),
        nodes=sum(one.nodes for one in found),
        seconds=sum(one.seconds for one in found),
        start_seconds=fmean(one.start_seconds for one in found),
    )


def described(rounds: Sequence[Round]) -> str:
    """The figures of some rounds, on average."""
    pools = [one.pool for one in rounds]
    own_cpu = fmean(pool.own_cpu_seconds / pool.wall_seconds for pool in pools)
    others = [fmean(shares) for shares in zip(*(one.others for one in rounds), strict=True)]
    return "\n    ".join(
        [
            f"nodes/s, pool ÷ bench: {fmean(one.engine_bound for one in rounds):.3f}"
            f" = {fmean(pool.nodes_per_second for pool in pools):,.0f}"
            f" ÷ {fmean(one.bench_nodes_per_second for one in rounds):,.0f};"
            f" ÷ default bench, with mixed evaluations:"
            f" {fmean(one.of_mixed_bench for one in rounds):.3f}",
            f"games/minute, pool ÷ plain loop: {fmean(one.speedup for one in rounds):.2f}"
            f" = {fmean(pool.games_per_minute for pool in pools):.1f}"
            f" ÷ {fmean(one.plain_games_per_minute for one in rounds):.1f}",
            f"engines busy: {fmean(one.busy for one in rounds):.1%}"
            f" of {fmean(pool.wall_seconds for pool in pools):.1f} s × workers;"
            f" idle at the end {fmean(pool.idle_at_end_share for pool in pools):.1%}",
            f"main process: {own_cpu:.1%} of a core,"
            f" {fmean(pool.own_cpu_milliseconds_per_position for pool in pools):.2f} ms a position",
            "others at work on the machine (bench, pool, loop): "
            + ", ".join(f"{share:.1%}" for share in others),
        ]
    )


def reached(rounds: Sequence[Round], workers: int) -> bool:
    return (
        fmean(one.engine_bound for one in rounds) >= ENGINE_BOUND_TARGET
        and fmean(one.busy for one in rounds) >= BUSY_TARGET
        and fmean(one.speedup for one in rounds) >= SPEEDUP_TARGET_PER_CORE * workers
    )


@contextmanager
def others_share() -> Iterator[list[float]]:
    """What processes that are not ours took of the machine's CPU time; known at the block's end.

    Ours are this one and its children, which have all ended by then.
    """
    share: list[float] = []
    busy, ours, started_at = machine_busy_seconds(), own_cpu_seconds(), time.perf_counter()
    yield share
    wait_for_children()
    seconds = (time.perf_counter() - started_at) * (psutil.cpu_count() or 1)
    foreign = machine_busy_seconds() - busy - (own_cpu_seconds() - ours)
    share.append(max(0.0, foreign / seconds))


def wait_for_children() -> None:
    """What a child took counts as ours once it is reaped, which python-chess leaves to a thread."""
    give_up_at = time.monotonic() + 5
    while psutil.Process().children() and time.monotonic() < give_up_at:
        time.sleep(0.01)


def machine_busy_seconds() -> float:
    times = psutil.cpu_times()._asdict()
    not_busy = ("idle", "iowait", "guest", "guest_nice")  # guests are in user and nice already
    return sum(seconds for name, seconds in times.items() if name not in not_busy)


def own_cpu_seconds() -> float:
    times = psutil.Process().cpu_times()
    return float(sum(times[:4]))  # user and system, its own and its children's


def games_without_evals(file: Path, wanted: int) -> list[PositionSequence]:
    """The first ones of ordinary chess."""
    found = read_games(file, stdin=sys.stdin.buffer)
    plain = (game for game in found if isinstance(game, Game) and not game.source_evals)
    sequences = (replay(game).positions() for game in plain)
    chosen = list(islice((one for one in sequences if not one.chess960), wanted))
    if len(chosen) < wanted:
        raise SystemExit(f"{file} holds only {len(chosen)} games without evaluations")
    return chosen


def parsed_flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The engine pool beside bench and plain loop.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--engine", type=Path, default=Path("/usr/games/stockfish"))
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=usable_cores())
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
