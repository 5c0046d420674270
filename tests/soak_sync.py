"""Fetch very many games from a Lichess that cuts, throttles and fails at random: all are there.

    python tests/soak_sync.py [--games 200000] [--database URL] [--seed 1]

The games come over HTTP into a store, in a process of its own, which is started again whenever it
gives up. Waits are passed over. In the end the store must have every game exactly once; the exit
code says whether that held. Without a database it is a SQLite file in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from fake_lichess import (
    Cut,
    FakeLichess,
    Fault,
    HangUp,
    bad_gateway,
    html_page,
    too_many_requests,
)
from made_games import random_export_game

from config.errors import LichessError
from pipeline.arrivals import Arrivals
from pipeline.fetch.lichess import Lichess
from pipeline.fetch.session import lichess_session
from pipeline.fetched import Fetched, LeftOut, judged
from pipeline.progress import Silent
from pipeline.records import Game
from pipeline.selection import Selection
from pipeline.store import Store
from pipeline.sync import sync
from pipeline.waiting import StoredWaits

NAME = "Quillfeather"
LAST_GAME_AT_MS = 1_790_000_000_000
MS_BETWEEN_GAMES = 1_200_000
DIFFERENT_GAMES = 300
MOST_STARTS = 1_000
SELECTION = Selection(player=NAME, speeds=("blitz",))


def main() -> int:
    flags = parsed_flags()
    if flags.child:
        return fetch(flags.child, flags.database)
    with tempfile.TemporaryDirectory() as folder:
        where = flags.database or str(Path(folder) / "store.sqlite")
        return soak(flags.games, where, random.Random(flags.seed))


def soak(games: int, where: str, chance: random.Random) -> int:
    started_at = time.monotonic()
    told: list[dict[str, Any]] = []
    with ManyGames(games, chance) as lichess:
        while len(told) < MOST_STARTS:
            told.append(started(lichess.base_url, where))
            print(f"start {len(told)}: {json.dumps(told[-1])}", file=sys.stderr, flush=True)
            if told[-1]["error"] is None:
                break
        requests, faults = len(lichess.seen), lichess.faults_made
    seconds = time.monotonic() - started_at
    ids = set(stored_ids(where))
    expected = {soak_id(number) for number in range(games)}
    new = sum(one["new"] for one in told)
    print(
        f"{games:,} games, {games / seconds:,.0f} games/s; peak"
        f" {max(one['peak_mebibytes'] for one in told):.0f} MiB; {len(told)} starts,"
        f" {requests:,} requests, {faults:,} of them failed; in the store: {len(ids):,} games,"
        f" {len(expected - ids):,} missing, {len(ids - expected):,} unknown, {new:,} counted as new"
    )
    return 0 if ids == expected and new == games else 1


def started(base_url: str, where: str) -> dict[str, Any]:
    """What one start of the fetching process tells."""
    command = [sys.executable, __file__, "--child", base_url, "--database", where]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def fetch(base_url: str, where: str) -> int:
    """In the process of its own: like `movelo sync`, without its terminal."""
    fetched = Fetched(player=NAME)
    clock = FastClock()
    session = lichess_session(
        token=None,
        user_agent="movelo-soak (nobody@example.org)",
        connect_timeout_seconds=10,
        read_timeout_seconds=60,
    )
    with session, opened(where) as store:
        client = Lichess(
            session,
            base_url=base_url,
            sleep=clock.sleep,
            on_notice=lambda _: None,
            waits=StoredWaits(store, base_url, clock=clock),
        )
        arrivals = Arrivals(look_at=lambda record: fetched.look_at(record, SELECTION))
        try:
            for _ in arriving(client, store, arrivals):
                pass
        except LichessError as error:
            fetched.error = str(error)
    told = {
        "new": arrivals.new,
        "came_again": arrivals.known,
        "peak_mebibytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "error": fetched.error,
    }
    print(json.dumps(told))
    return 0


def arriving(client: Lichess, store: Store, arrivals: Arrivals) -> Iterator[Game]:
    def wanted(record: Any) -> Game | None:
        found = judged(record, SELECTION)
        return None if isinstance(found, LeftOut) else found

    began = client.account(NAME).created_at
    return sync(
        NAME,
        source=client,
        store=store,
        wanted=wanted,
        last=0,
        since=None,
        until=None,
        now=datetime.now(UTC),
        progress=Silent(),
        began=began,
        arrivals=arrivals,
    )


def opened(where: str) -> Store:
    return Store(where if "://" in where else Path(where))


def stored_ids(where: str) -> Iterator[str]:
    with opened(where) as store:
        for record in store.games_of(NAME.casefold()):
            yield json.loads(record)["id"]


def soak_id(number: int) -> str:
    return f"{number:08d}"


class FastClock:
    """Runs as fast as it has to: who sleeps wakes up at once."""

    def __init__(self) -> None:
        self._ahead_seconds = 0.0

    def __call__(self) -> float:
        return time.time() + self._ahead_seconds

    def sleep(self, seconds: float) -> None:
        self._ahead_seconds += seconds


class ManyGames(FakeLichess):
    """Makes the games as they are asked for, and faults by chance."""

    def __init__(self, games: int, chance: random.Random) -> None:
        super().__init__()
        self._games = games
        self._first_at_ms = LAST_GAME_AT_MS - (games - 1) * MS_BETWEEN_GAMES
        self._chance = chance
        self._made = [random_export_game(seed, plies=60) for seed in range(DIFFERENT_GAMES)]
        self.faults_made = 0
        self.add_player(NAME)
        self.accounts[NAME.lower()]["count"]["all"] = games
        self.accounts[NAME.lower()]["createdAt"] = self._first_at_ms - 1

    def export(self, name: str, query: dict[str, str]) -> list[dict[str, Any]]:
        since = int(query.get("since", 0)) - self._first_at_ms
        until = int(query.get("until", 2**62)) - self._first_at_ms
        oldest = max(0, -(-since // MS_BETWEEN_GAMES))
        newest = min(self._games - 1, until // MS_BETWEEN_GAMES)
        # The faults are those of the next request: half of them fail, some for long.
        self.faults.games[:] = self.faults.games or list(self._next_faults())
        return [self._game(number) for number in range(newest, oldest - 1, -1)]

    def _next_faults(self) -> Iterable[Fault]:
        if self._chance.random() < 0.5:
            return ()
        times = 8 if self._chance.random() < 0.04 else 1
        faults = [self._fault() for _ in range(times)]
        self.faults_made += times
        return faults

    def _fault(self) -> Fault:
        kinds: list[Fault] = [
            Cut(self._chance.randrange(6_000_000)),
            Cut(self._chance.randrange(60_000)),
            HangUp(),
            bad_gateway(),
            html_page(),
            too_many_requests(body=self._chance.random() < 0.5),
            too_many_requests(retry_after=str(self._chance.randrange(1, 90))),
        ]
        return self._chance.choice(kinds)

    def _game(self, number: int) -> dict[str, Any]:
        created_at_ms = self._first_at_ms + number * MS_BETWEEN_GAMES
        made = self._made[number % DIFFERENT_GAMES]
        return made | {"id": soak_id(number), "createdAt": created_at_ms}


def parsed_flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--database", metavar="URL", help="PostgreSQL, empty")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", metavar="ADDRESS", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
