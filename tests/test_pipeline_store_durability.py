"""Whatever ends a process, and however many there are: what was confirmed is kept, once."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from postgresql_server import PostgresqlServer

from engines.evals import Centipawns, EngineId, GameEvals, PositionSequence, SearchLimit
from pipeline.spans import Span
from pipeline.store import Store, StoredGame

pytest_plugins = ["postgresql_server"]

ROOT = Path(__file__).parent.parent
ENGINE = EngineId(name="made")
LIMIT = SearchLimit(nodes_per_position=100)

# Forks a writer for every number that it reads: starting Python anew takes too long.
WRITERS = """
import itertools, os, sys
from test_pipeline_store_durability import Store, place, write_step

if "://" in sys.argv[1]:
    import psycopg
    import sqlalchemy.dialects.postgresql.psycopg
for line in sys.stdin:
    told, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.read(told, 1)
        with Store(place(sys.argv[1])) as store:
            for step in itertools.count(int(line)):
                write_step(store, step)
                print(step, flush=True)
    print("pid", pid, flush=True)
    os.write(tell, b"!")
    os.waitpid(pid, 0)
    print("dead", flush=True)
"""
GAMES_A_STEP = 3


def place(text: str) -> Path | str:
    return text if "://" in text else Path(text)


def game(id: str, created_at_ms: int) -> StoredGame:
    record = json.dumps({"id": id, "moves": "e4 e5 " * 200})
    return StoredGame(
        id=id, created_at_ms=created_at_ms, white_id="ann", black_id=None, record_json=record
    )


def positions(step: int) -> PositionSequence:
    return PositionSequence(game_id=f"{step}-0", start_fen=str(step), moves_uci=("e2e4",))


def evals(step: int) -> GameEvals:
    return GameEvals(
        game_id=f"{step}-0",
        engine=ENGINE,
        limit=LIMIT,
        evals=(Centipawns(step), None),
        best_moves_uci=(None, None),
    )


def write_step(store: Store, step: int) -> None:
    store.add_games(game(f"{step}-{n}", step) for n in range(GAMES_A_STEP))
    store.add_evals(positions(step), evals(step))
    store.set_fetched_spans("ann", [Span(0, step)])


def environment() -> dict[str, str]:
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    return {**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"}


def start(script: str, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(),
    )


def killed_at_random(writers: "subprocess.Popen[str]", step: int, chance: random.Random) -> int:
    """The step with which to go on: nothing before it was not confirmed."""
    assert writers.stdin is not None and writers.stdout is not None
    print(step, file=writers.stdin, flush=True)
    pid = int(writers.stdout.readline().removeprefix("pid"))
    for _ in range(chance.choice((0, 1, 3))):
        assert int(writers.stdout.readline()) == step
        step += 1
    time.sleep(chance.uniform(0, 0.05))
    os.kill(pid, signal.SIGKILL)
    while (line := writers.stdout.readline()) != "dead\n":
        assert int(line) == step
        step += 1
    return step


def test_a_process_that_is_killed_at_any_moment_loses_nothing_that_it_confirmed(
    store_url: Path | str, run_sql: Callable[..., list[tuple[object]]]
) -> None:
    chance, step = random.Random(0), 0
    with start(WRITERS, str(store_url)) as writers:
        for _ in range(25):
            step = killed_at_random(writers, step, chance)
        _, err = writers.communicate()
    assert err == "" and step > 25
    with Store(store_url) as store:
        ids = [json.loads(record)["id"] for record in store.games_of("ann")]
        assert len(ids) == len(set(ids))
        confirmed = {f"{n}-{k}" for n in range(step) for k in range(GAMES_A_STEP)}
        unconfirmed = set(ids) - confirmed
        assert confirmed <= set(ids)
        assert unconfirmed in (set(), {f"{step}-{k}" for k in range(GAMES_A_STEP)})
        assert all(store.evals(positions(n), ENGINE, LIMIT) == evals(n) for n in range(step))
        assert store.fetched_spans("ann") in ((Span(0, step - 1),), (Span(0, step),))
        write_step(store, step)
        assert store.count_games_of("ann") == GAMES_A_STEP * (step + 1)
    if isinstance(store_url, Path):
        assert run_sql(store_url, "PRAGMA integrity_check") == [("ok",)]


SAME_GAMES = """
import random, sys
from test_pipeline_store_durability import Span, Store, evals, game, place, positions

with Store(place(sys.argv[1])) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    chance = random.Random(sys.argv[2])
    for _ in range(8):
        numbers = chance.sample(range(200), 40)
        store.add_games(game(str(n), n) for n in numbers)
        for n in numbers[:5]:
            store.add_evals(positions(n), evals(n))
        store.set_fetched_spans("ann", [Span(n, n) for n in numbers])
        assert store.count_games_of("ann") >= 40
    store.add_games(game(str(n), n) for n in chance.sample(range(200), 200))
"""


def test_processes_that_write_the_same_at_once_wait_for_each_other(store_url: Path | str) -> None:
    with Store(store_url):
        pass
    writers = [start(SAME_GAMES, str(store_url), str(seed)) for seed in range(3)]
    for writer in writers:
        assert writer.stdout is not None and writer.stdout.readline() == "ready\n"
    for writer in writers:
        print("go", file=writer.stdin, flush=True)
    told = [writer.communicate(timeout=120) for writer in writers]
    assert [err for _, err in told] == [""] * 3
    with Store(store_url) as store:
        ids = [json.loads(record)["id"] for record in store.games_of("ann")]
        assert ids == [str(n) for n in reversed(range(200))]
        assert len(store.fetched_spans("ann")) == 40


def test_who_writes_waits_for_who_writes_already(tmp_path: Path) -> None:
    """Longer than it would take to give up at once, shorter than it waits."""
    file = tmp_path / "store.sqlite"
    holder = (
        "import sqlite3, sys, time; other = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "other.execute('BEGIN IMMEDIATE'); print('held', flush=True); time.sleep(1); "
        "other.execute('COMMIT')"
    )
    with Store(file) as store, start(holder, str(file)) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        began = time.monotonic()
        write_step(store, 1)
        assert time.monotonic() - began > 0.5
        assert store.count_games_of("ann") == GAMES_A_STEP


def test_who_notes_what_was_fetched_waits_for_who_is_noting_it(
    postgresql: PostgresqlServer,
) -> None:
    import psycopg

    url = postgresql.database()
    with Store(url) as store, psycopg.connect(url) as other, ThreadPoolExecutor(1) as pool:
        other.execute("INSERT INTO fetched_spans VALUES ('ann', 1, 5)")
        noting = pool.submit(store.set_fetched_spans, "ann", [Span(1, 9)])
        time.sleep(0.3)
        assert not noting.done()
        other.commit()
        noting.result(timeout=30)
        assert store.fetched_spans("ann") == (Span(1, 9),)


def test_a_server_that_is_restarted_meanwhile_is_taken_up_again(
    postgresql: PostgresqlServer,
) -> None:
    with Store(postgresql.database()) as store:
        write_step(store, 1)
        postgresql.stop()
        postgresql.start()
        assert store.count_games_of("ann") == GAMES_A_STEP
        postgresql.stop()
        postgresql.start()
        write_step(store, 2)
        assert store.count_games_of("ann") == 2 * GAMES_A_STEP
