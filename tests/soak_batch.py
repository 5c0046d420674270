"""A batch on PostgreSQL and a Dask cluster whose every part is shot at: nothing lost or changed.

    python tests/soak_batch.py [--players 60] [--games 8] [--nodes 3000]

Workers are killed all the time, and one of the processes that make reports in each run; once each
the Dask scheduler is started anew, PostgreSQL is, and the batch itself is killed; Lichess answers
429 and cuts its streams. `movelo batch` is run until all is well. Then every game must be there
once, evaluated once, and every estimate, table and page must be what a calm run on one machine
makes. The exit code says whether that held.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

import pandas
import psutil
import sqlalchemy as sa
from bench_cluster import dask_process, wait_until
from fake_lichess import Cut, EndedInsideLine, FakeLichess, HangUp, too_many_requests
from made_batch import player_games, report_processes_of
from postgresql_server import PostgresqlServer, _programs

_MOST_RUNS = 40
_ADDRESS = "127.0.0.1"


def main() -> int:
    flags = parsed_flags()
    names = [f"P{number:03d}x" for number in range(flags.players)]
    with FakeLichess() as lichess, TemporaryDirectory() as place:
        for name in names:
            lichess.add_player(name, games=player_games(name, flags.games, plies=flags.plies))
        lichess.teams["soak"] = names
        calm = Movelo(Path(place) / "calm", lichess, flags)
        assert calm.batch() == 0, calm.said()
        print(f"calm: {len(names)} players, {calm.seconds:.0f} s")
        with shot_at(Path(place) / "shot-at", lichess, flags) as (movelo, shooting):
            runs = until_all_is_well(movelo, shooting)
            faults = compared(calm, movelo, flags)
    print(f"shot at: exit codes {runs}, {movelo.seconds:.0f} s; {shooting.told()}")
    print(", ".join(f"{what}: {count}" for what, count in faults.items()))
    return 1 if any(faults.values()) or runs[-1] != 0 or not shooting.is_complete else 0


@dataclass
class Movelo:
    """`movelo batch` in processes of its own, in a folder and a store of its own."""

    folder: Path
    lichess: FakeLichess
    flags: argparse.Namespace
    environment: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    seconds: float = 0.0
    began_at: float = 0.0

    def batch(self) -> int:
        self.folder.mkdir(exist_ok=True)
        self.began_at = time.monotonic()
        command = ["batch", "--team", "soak", "--out", "out", "--nodes", str(self.flags.nodes)]
        with (self.folder / "said").open("ab") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "pipeline.cli", *command],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                env={**os.environ, **self._own_environment(), **self.environment},
            )
            code = self.process.wait()
        self.seconds += time.monotonic() - self.began_at
        return code

    def is_at_work(self, seconds: float) -> bool:
        """For so long already: it is not waiting for the one that was killed before."""
        is_running = self.process is not None and self.process.poll() is None
        return is_running and time.monotonic() - self.began_at > seconds

    def said(self) -> str:
        return (self.folder / "said").read_text()

    def _own_environment(self) -> dict[str, str]:
        return {
            "MOVELO_DATA": str(self.folder / "data"),
            "MOVELO_CONFIG": str(self.folder / "movelo.toml"),
            "MOVELO_LICHESS__BASE_URL": self.lichess.base_url,
            "MOVELO_STRENGTH__HUMAN_MODEL": "false",
            "NO_PROXY": _ADDRESS,
            "TZ": "UTC",
        }


class Shooting:
    """What is killed and started anew, and how often it was."""

    def __init__(self, movelo: Movelo, server: PostgresqlServer, dask: Dask) -> None:
        self._movelo = movelo
        self._server = server
        self._dask = dask
        self._chance = random.Random(1)
        self.workers = self.schedulers = self.databases = self.batches = self.reporters = 0
        self.over = threading.Event()

    @property
    def is_complete(self) -> bool:
        shot = (self.workers, self.schedulers, self.databases, self.batches, self.reporters)
        return all(shot)

    def told(self) -> str:
        return (
            f"killed {self.workers} workers, {self.schedulers} schedulers, "
            f"{self.databases} databases, {self.batches} batches, "
            f"{self.reporters} processes that make reports"
        )

    def run(self, seconds_between: float) -> None:
        big = [self._shoot_database, self._shoot_scheduler, self._shoot_batch]
        while not self.over.wait(self._chance.uniform(0.5, 1.5) * seconds_between):
            self._dask.start_missing()
            if self._movelo.is_at_work(seconds_between):
                self._shoot(big)

    def run_at_reporters(self) -> None:
        """One of each run's, once it has worked for a moment."""
        last: subprocess.Popen[bytes] | None = None
        while not self.over.wait(0.5):
            process = self._movelo.process
            with suppress(psutil.Error):
                if process is not last and process is not None and process.poll() is None:
                    for victim in report_processes_of(process.pid)[:1]:
                        victim.kill()
                        self.reporters += 1
                        last = process

    def _shoot(self, big: list[Callable[[], None]]) -> None:
        """A worker, and after each the next of those that are shot once."""
        if big and self.workers > 3 - len(big):
            big.pop(0)()
        else:
            self.workers += self._dask.kill_worker(self._chance)

    def _shoot_database(self) -> None:
        self._server.stop()
        time.sleep(2)
        self._server.start()
        self.databases += 1

    def _shoot_scheduler(self) -> None:
        self._dask.restart_scheduler()
        self.schedulers += 1

    def _shoot_batch(self) -> None:
        assert self._movelo.process is not None
        self._movelo.process.send_signal(signal.SIGKILL)
        self.batches += 1


class Dask:
    """A scheduler on a port that stays, and two workers."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind((_ADDRESS, 0))
            self._port = probe.getsockname()[1]
        self.address = f"tcp://{_ADDRESS}:{self._port}"
        self._scheduler = self._new_scheduler()
        self._workers = [self._new_worker() for _ in range(2)]

    def kill_worker(self, chance: random.Random) -> int:
        alive = [worker for worker in self._workers if worker.poll() is None]
        for victim in chance.sample(alive, min(1, len(alive))):
            victim.kill()
        return min(1, len(alive))

    def restart_scheduler(self) -> None:
        self._scheduler.kill()
        self._scheduler.wait()
        self._scheduler = self._new_scheduler()

    def start_missing(self) -> None:
        alive = [w if w.poll() is None else self._new_worker() for w in self._workers]
        self._workers = alive

    def stop(self) -> None:
        for process in (*self._workers, self._scheduler):
            process.kill()
            process.wait()

    def _new_scheduler(self) -> subprocess.Popen[bytes]:
        where = ("--host", _ADDRESS, "--port", str(self._port), "--no-dashboard")
        forgiving = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "100"}
        scheduler = dask_process("scheduler", *where, **forgiving)
        wait_until(self._answers)
        return scheduler

    def _new_worker(self) -> subprocess.Popen[bytes]:
        how = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "20")
        return dask_process("worker", self.address, *how)

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((_ADDRESS, self._port)) == 0


@contextmanager
def shot_at(
    folder: Path, lichess: FakeLichess, flags: argparse.Namespace
) -> Iterator[tuple[Movelo, Shooting]]:
    programs = _programs()
    assert programs is not None, "PostgreSQL is not installed here"
    with PostgresqlServer(programs) as server:
        dask = Dask()
        movelo = Movelo(folder, lichess, flags)
        movelo.environment = {
            "MOVELO_DATABASE_URL": server.database(),
            "MOVELO_CLUSTER__ADDRESS": dask.address,
        }
        shooting = Shooting(movelo, server, dask)
        threads = [
            threading.Thread(target=shooting.run, args=(flags.seconds_between,), daemon=True),
            threading.Thread(target=shooting.run_at_reporters, daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            yield movelo, shooting
        finally:
            shooting.over.set()
            for thread in threads:
                thread.join()
            dask.stop()


def until_all_is_well(movelo: Movelo, shooting: Shooting) -> list[int]:
    """The exit codes of the runs; everything that is to be shot has been at the end."""
    codes: list[int] = []
    while (not codes or codes[-1] != 0 or not shooting.is_complete) and len(codes) < _MOST_RUNS:
        hurt(movelo.lichess)
        if codes and codes[-1] == 0:  # done before all was shot
            made_again(movelo.folder / "out")
        codes.append(movelo.batch())
        print(f"  run {len(codes)}: exit code {codes[-1]}; {shooting.told()}", flush=True)
        time.sleep(0 if codes[-1] == 0 else 5)
    shooting.over.set()
    codes.append(movelo.batch())
    return codes


def made_again(out: Path) -> None:
    """Have every report made again, from what is evaluated."""
    for file in (out / "reports").glob("*.html"):
        file.unlink()


def hurt(lichess: FakeLichess) -> None:
    wait = too_many_requests(retry_after="1")
    lichess.faults.games = [wait, Cut(after_bytes=2500), HangUp(), EndedInsideLine(4000)]
    lichess.faults.roster = [EndedInsideLine(30)]


def compared(calm: Movelo, movelo: Movelo, flags: argparse.Namespace) -> dict[str, int]:
    """What is not as it should be, counted."""
    engine = sa.create_engine(
        movelo.environment["MOVELO_DATABASE_URL"].replace("postgresql://", "postgresql+psycopg://")
    )
    with engine.connect() as connection:
        counted = (
            connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one()
            for table in ("games", "evaluations")
        )
        games, evaluations = counted
    engine.dispose()
    expected = flags.players * flags.games
    tables = [pandas.read_parquet(one.folder / "out" / "games") for one in (calm, movelo)]
    return {
        "games missing or twice": abs(games - expected),
        "evaluations missing or twice": abs(evaluations - expected),
        "rows missing or twice": abs(len(tables[1]) - expected),
        "other rows": 0 if tables[0].equals(tables[1]) else 1,
        "players with other estimates": sum(
            ours != theirs for ours, theirs in zip(estimates(calm), estimates(movelo), strict=True)
        ),
    }


def estimates(movelo: Movelo) -> list[dict[str, object]]:
    lines = (movelo.folder / "out" / "summary.ndjson").read_text().splitlines()
    return [{**json.loads(line), "made_at": None} for line in lines]


def parsed_flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--players", type=int, default=60)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--plies", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--seconds-between", type=float, default=6.0)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
