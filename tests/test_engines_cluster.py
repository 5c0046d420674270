"""A Dask cluster of two worker processes: games in, each once out, whatever becomes of a worker."""

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from typing import Any, cast

import chess
import numpy as np
import pytest
from distributed import Client, LocalCluster
from fake_uci_engine import processes_of, write_fake_engine
from made_games import random_export_game
from made_maia import write_made_model

from config.errors import EngineError, SettingsError
from config.settings import load_settings
from engines import cluster_check, cluster_client
from engines.cluster import Cluster
from engines.cluster_client import Connection
from engines.cluster_engines import EngineShelf
from engines.cluster_facts import common_facts, refusal
from engines.cluster_workers import WorkerWatch
from engines.evals import EngineFailure, GameEvals, PositionSequence, SearchLimit
from engines.find import USUAL_FOLDERS
from engines.human_likelihoods import HumanLikelihoods
from engines.look_ahead import look_ahead
from engines.maia_install import installed_model_path
from engines.maia_pool import HumanMoveFailure, MaiaPool, network_id
from engines.pool import EnginePool
from engines.stockfish import Stockfish
from pipeline.cli import cluster_choice
from pipeline.cli.cluster_choice import cluster_room
from pipeline.fetch.export import game_from_export
from pipeline.replay import replay

LIMIT = SearchLimit(nodes_per_position=300)
FATAL = "h7h5"

Outcome = GameEvals | EngineFailure


def silent(_sentence: str) -> None: ...


def game(game_id: str, moves: str) -> PositionSequence:
    return PositionSequence(
        game_id=game_id, start_fen=chess.STARTING_FEN, moves_uci=tuple(moves.split())
    )


def random_games(count: int, plies: int = 8) -> list[PositionSequence]:
    records = (random_export_game(seed, plies=plies) for seed in range(count))
    return [replay(game_from_export(record, where="a test")).positions() for record in records]


@pytest.fixture(scope="module")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where this process and all workers look for what is installed."""
    folder = tmp_path_factory.mktemp("data")
    model = installed_model_path(folder)
    model.parent.mkdir(parents=True)
    write_made_model(model)
    engine = write_fake_engine(folder, name="found-engine")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MOVELO_DATA", str(folder))
        patch.setenv("STOCKFISH_PATH", str(engine))
        yield folder


@pytest.fixture(scope="module")
def dask_cluster(data_folder: Path) -> Iterator[Any]:
    """Somebody else's cluster: its scheduler's address is all that movelo is told."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit=0, dashboard_address=":0", silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture
def cluster(dask_cluster: Any) -> Iterator[Cluster]:
    with connected(dask_cluster) as found:
        yield found


@contextmanager
def connected(dask_cluster: Any, *, wait_seconds: float = 30) -> Iterator[Cluster]:
    address = dask_cluster.scheduler_address
    if dask_cluster.worker_spec:
        wait_until(lambda: len(dask_cluster.scheduler.workers) >= len(dask_cluster.worker_spec))
    with Cluster(address, workers=2, wait_seconds=wait_seconds, say=silent) as cluster:
        yield cluster


@contextmanager
def evaluating(
    cluster: Cluster, engine: Path | None, limit: SearchLimit = LIMIT
) -> Iterator[Callable[[Sequence[PositionSequence]], Iterator[Outcome]]]:
    finished: SimpleQueue[Outcome | BaseException] = SimpleQueue()
    with cluster.evaluator(
        finished.put, engine=engine, limit=limit, hash_mebibytes=16, options=()
    ) as crew:
        yield lambda games: look_ahead(games, crew.submit, finished, at_most=500)


def evaluated(cluster: Cluster, engine: Path | None, games: Sequence[PositionSequence]) -> Any:
    with evaluating(cluster, engine) as outcomes:
        return list(outcomes(games))


def evaluated_here(
    engine: Path, games: Sequence[PositionSequence], limit: SearchLimit = LIMIT
) -> list[Outcome]:
    with EnginePool(engine, workers=1, limit=limit, hash_mebibytes=16) as pool:
        return list(pool.evaluate(games))


def failures(outcomes: Sequence[Outcome]) -> dict[str, str]:
    return {out.game_id: out.reason for out in outcomes if isinstance(out, EngineFailure)}


def worker_process_ids(dask_cluster: Any) -> dict[str, int]:
    with Client(dask_cluster.scheduler_address, set_as_default=False) as client:
        found: dict[str, int] = client.run(os.getpid)
        return found


@contextmanager
def another_worker(dask_cluster: Any, folder: Path, **environment: str) -> Iterator[str]:
    """A worker that somebody started with another environment: its address."""
    there = {*dask_cluster.scheduler.workers}
    arguments = [dask_cluster.scheduler_address, "--no-nanny", "--nthreads", "1", "--no-dashboard"]
    process = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", *arguments],
        env={**os.environ, **environment},
        cwd=folder,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: len(dask_cluster.scheduler.workers) > len(there))
        (address,) = {*dask_cluster.scheduler.workers} - there
        yield address
    finally:
        process.kill()
        process.wait()
        wait_until(lambda: {*dask_cluster.scheduler.workers} == there)


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    give_up_at = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < give_up_at, "it never came to that"
        time.sleep(0.05)


# --- work that goes well ---------------------------------------------------------------------


def test_every_game_comes_back_once_with_the_evaluations_of_the_local_pool(
    cluster: Cluster, tmp_path: Path
) -> None:
    engine = write_fake_engine(tmp_path)
    games = random_games(30)
    outcomes = evaluated(cluster, engine, games)
    assert sorted(o.game_id for o in outcomes) == sorted(g.game_id for g in games)
    assert {*outcomes} == {*evaluated_here(engine, games)}


def test_each_worker_keeps_one_engine_open_and_none_is_left_at_the_end(
    dask_cluster: Any, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    engine = write_fake_engine(tmp_path, "--log", str(log))
    with connected(dask_cluster) as cluster:
        evaluated(cluster, engine, random_games(12))
        assert len(processes_of(engine)) == 2
        evaluated(cluster, engine, random_games(12))
    assert processes_of(engine) == []
    starts = log.read_text().splitlines().count("uci")
    assert starts <= 4, "one to try it and one to work with, on each of two workers"


def test_stockfish_finds_the_same_on_a_cluster_as_here(cluster: Cluster) -> None:
    engine = next((f / "stockfish" for f in USUAL_FOLDERS if (f / "stockfish").exists()), None)
    if engine is None:
        pytest.skip("no Stockfish here")
    games, limit = random_games(6, plies=20), SearchLimit(nodes_per_position=1000)
    with evaluating(cluster, engine, limit) as outcomes:
        assert {*outcomes(games)} == {*evaluated_here(engine, games, limit)}


def test_workers_find_their_own_engine_unless_one_is_named(cluster: Cluster) -> None:
    finished: SimpleQueue[Any] = SimpleQueue()
    with cluster.evaluator(
        finished.put, engine=None, limit=LIMIT, hash_mebibytes=16, options=()
    ) as crew:
        assert (crew.engine_id.name, crew.engine_id.network) == ("Fake 1.0", "nn-fake.nnue")


def test_the_dashboard_shows_stages_and_not_a_group_for_every_game(
    dask_cluster: Any, tmp_path: Path
) -> None:
    games = [game(game_id, "e2e4") for game_id in ("AbCdEfGh", "some-local-game", "x,'(y)")]
    with connected(dask_cluster) as cluster:
        evaluated(cluster, write_fake_engine(tmp_path), games)
        read(cluster, games)
    names = {str(prefix) for prefix in dask_cluster.scheduler.task_prefixes}
    assert names == {"check", "evaluate", "read-human"}


def test_the_scheduler_is_given_few_games_at_once_and_forgets_them(
    dask_cluster: Any, tmp_path: Path
) -> None:
    scheduler, most = dask_cluster.scheduler, 0
    engine = write_fake_engine(tmp_path)
    with connected(dask_cluster) as cluster, evaluating(cluster, engine) as outcomes:
        for _outcome in outcomes([game(f"{n}", "e2e4") for n in range(150)]):
            most = max(most, len(scheduler.tasks))
        assert 2 <= most < 40
        wait_until(lambda: not scheduler.tasks)


# --- games and engines that fail -------------------------------------------------------------


def test_a_game_that_is_itself_at_fault_is_named_and_the_others_are_evaluated(
    cluster: Cluster, tmp_path: Path
) -> None:
    games = [game("bad", "e2e5"), game("good", "e2e4")]
    outcomes = evaluated(cluster, write_fake_engine(tmp_path), games)
    assert "game bad, ply 1: 'e2e5' is not a legal move" in failures(outcomes)["bad"]
    assert len(outcomes) == 2


def test_a_game_that_engines_die_on_is_tried_on_both_workers_then_set_aside(
    dask_cluster: Any, cluster: Cluster, tmp_path: Path
) -> None:
    engine = write_fake_engine(tmp_path, "--crash-on", FATAL)
    games = [game("fatal", f"e2e4 {FATAL}"), *(game(f"{n}", "d2d4") for n in range(4))]
    outcomes = evaluated(cluster, engine, games)
    reasons = failures(outcomes)
    assert {*reasons} == {"fatal"}
    assert "died at game fatal, position 2" in reasons["fatal"]
    assert "tried 3 times, the last on tcp://" in reasons["fatal"]
    assert len(outcomes) == 5


def test_engines_that_cannot_be_started_any_more_end_the_run(
    cluster: Cluster, tmp_path: Path
) -> None:
    engine = write_fake_engine(tmp_path, "--crash-on", FATAL)
    with evaluating(cluster, engine) as outcomes:
        engine.rename(tmp_path / "elsewhere")
        with pytest.raises(EngineError, match=r"tcp://.*there is no engine at"):
            list(outcomes([game("fatal", f"e2e4 {FATAL}")]))


# --- workers that fail -----------------------------------------------------------------------


def test_a_worker_that_is_killed_loses_nothing(
    dask_cluster: Any, cluster: Cluster, tmp_path: Path
) -> None:
    engine = write_fake_engine(tmp_path, "--late", "0.01")
    games = random_games(40)
    victim, *_others = worker_process_ids(dask_cluster).values()
    outcomes: list[Outcome] = []
    with evaluating(cluster, engine) as outcomes_of:
        for outcome in outcomes_of(games):
            outcomes.append(outcome)
            if len(outcomes) == 5:
                os.kill(victim, signal.SIGKILL)
    assert sorted(o.game_id for o in outcomes) == sorted(g.game_id for g in games)
    assert {*outcomes} == {*evaluated_here(write_fake_engine(tmp_path, name="calm"), games)}
    assert victim not in worker_process_ids(dask_cluster).values()


def test_a_game_that_kills_its_workers_is_set_aside_with_its_name(
    dask_cluster: Any, cluster: Cluster, tmp_path: Path
) -> None:
    fake = write_fake_engine(tmp_path)
    engine = tmp_path / "murderous-engine"
    engine.write_text(
        f'#!/bin/sh\nwhile read -r line; do case "$line" in *{FATAL}*) kill -9 $PPID;; esac; '
        f'echo "$line"; done | "{fake}"\n'
    )
    engine.chmod(0o755)
    scheduler = dask_cluster.scheduler
    patient, scheduler.allowed_failures = scheduler.allowed_failures, 0
    try:
        reasons = failures(evaluated(cluster, engine, [game("deadly", f"e2e4 {FATAL}")]))
    finally:
        scheduler.allowed_failures = patient
    assert "a worker of the cluster died while it worked on it, at tcp://" in reasons["deadly"]
    wait_until(lambda: len(scheduler.workers) == 2)


def test_a_worker_with_another_engine_evaluates_nothing_and_is_named_whenever_it_came(
    dask_cluster: Any, tmp_path: Path
) -> None:
    odd_engine = write_fake_engine(tmp_path, "--no-name", name="other-engine")
    outcomes: list[Outcome] = []
    with (
        connected(dask_cluster) as cluster,
        evaluating(cluster, None) as outcomes_of,
        another_worker(dask_cluster, tmp_path, STOCKFISH_PATH=str(odd_engine)) as odd,
    ):
        with pytest.raises(EngineError, match=f"{odd}: its engine is other-engine and not Fake"):
            outcomes.extend(outcomes_of(random_games(100)))
        with connected(dask_cluster) as later, pytest.raises(EngineError) as refused:
            evaluated(later, None, random_games(1))
    assert {o.engine.name for o in outcomes if isinstance(o, GameEvals)} <= {"Fake 1.0"}
    assert f"{odd}: its engine is other-engine and not Fake 1.0" in str(refused.value)
    assert str(refused.value).count("tcp://") == 1


def test_a_worker_without_an_engine_says_how_to_get_one(dask_cluster: Any, tmp_path: Path) -> None:
    with (
        connected(dask_cluster) as cluster,
        pytest.raises(EngineError, match=r"tcp://.*says .*nowhere, which is not there"),
    ):
        evaluated(cluster, tmp_path / "nowhere", random_games(1))


def test_a_worker_without_movelo_says_so_and_goes_on_living(
    dask_cluster: Any, tmp_path: Path
) -> None:
    (tmp_path / "engines").mkdir()
    (tmp_path / "engines" / "__init__.py").touch()
    with (
        connected(dask_cluster) as cluster,
        another_worker(dask_cluster, tmp_path, PYTHONPATH=str(tmp_path)) as bare,
        pytest.raises(EngineError, match=f"{bare}: it has no movelo of this kind .*; install mov"),
    ):
        try:
            evaluated(cluster, None, random_games(1))
        finally:
            assert bare in dask_cluster.scheduler.workers


def test_another_movelo_on_the_workers_is_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_check, "version", lambda: "99.0")
    monkeypatch.setattr("engines.cluster.version", lambda: "99.0")
    with pytest.raises(EngineError, match=r"its movelo is .* and not 99\.0"):
        evaluated(cluster, None, random_games(1))


# --- a cluster that is not there, or not any more --------------------------------------------


def test_a_cluster_that_grows_with_its_work_begins_from_nothing(data_folder: Path) -> None:
    with LocalCluster(
        n_workers=0, threads_per_worker=1, memory_limit=0, dashboard_address=":0", silence_logs=50
    ) as growing:
        with (
            connected(growing, wait_seconds=0.3) as cluster,
            pytest.raises(EngineError, match=r"has had no worker for 0\.3 s; start some"),
        ):
            evaluated(cluster, None, random_games(1))
        growing.adapt(minimum=0, maximum=1, interval="200ms")
        with connected(growing) as cluster:
            assert len(evaluated(cluster, None, random_games(3))) == 3


def test_nobody_at_the_address_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_client, "_CONNECT_SECONDS", 0.3)
    with (
        Cluster("tcp://127.0.0.1:9", workers=1, wait_seconds=1, say=silent) as cluster,
        pytest.raises(EngineError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
    ):
        evaluated(cluster, None, random_games(1))


def test_a_scheduler_that_is_lost_ends_the_run_and_keeps_what_was_received(
    data_folder: Path, tmp_path: Path
) -> None:
    engine = write_fake_engine(tmp_path, "--late", "0.05")
    received: list[Outcome] = []
    with (
        scheduler_process(tmp_path) as (scheduler, address),
        Cluster(address, workers=1, wait_seconds=30, say=silent) as cluster,
        evaluating(cluster, engine) as outcomes,
        pytest.raises(EngineError, match=f"the Dask scheduler at {address} is lost; what was"),
    ):
        for outcome in outcomes(random_games(50)):
            received.append(outcome)
            if len(received) == 3:
                scheduler.kill()
    assert 3 <= len(received) < 50
    wait_until(lambda: processes_of(engine) == [])


@contextmanager
def scheduler_process(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A scheduler of its own with one worker, in processes of their own."""
    place = folder / "scheduler.json"
    common = ["--scheduler-file", str(place), "--no-dashboard"]
    commands = [
        ["dask_scheduler", "--port", "0", "--host", "127.0.0.1", *common],
        ["dask_worker", "--nthreads", "1", "--no-nanny", "--death-timeout", "60", *common],
    ]
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{name}", *arguments], stderr=subprocess.DEVNULL
        )
        for name, *arguments in commands
    ]
    try:
        wait_until(place.exists)
        wait_until(lambda: "tcp://" in place.read_text())
        yield processes[0], place.read_text().split('"address": "')[1].split('"')[0]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_leaving_in_the_middle_stops_engines_on_the_workers(
    dask_cluster: Any, tmp_path: Path
) -> None:
    engine = write_fake_engine(tmp_path, "--late", "30", name="slow-engine")
    quick = write_fake_engine(tmp_path, name="quick-engine")
    switch = tmp_path / "switching-engine"
    switch.write_text(f'#!/bin/sh\n[ -e "{tmp_path}/slow" ] && exec "{engine}"\nexec "{quick}"\n')
    switch.chmod(0o755)
    started_at = 0.0
    with (
        pytest.raises(KeyboardInterrupt),
        connected(dask_cluster) as cluster,
        evaluating(cluster, engine=switch) as outcomes,
    ):
        for _outcome in outcomes([game("quick", "e2e4"), *random_games(6)]):
            started_at = time.monotonic()
            raise KeyboardInterrupt
    assert time.monotonic() - started_at < 10
    wait_until(lambda: processes_of(switch) == [] and processes_of(quick) == [])
    wait_until(lambda: not dask_cluster.scheduler.tasks)


# --- the human-move model --------------------------------------------------------------------


def read(
    cluster: Cluster, games: Sequence[PositionSequence], network: str | None = None
) -> list[HumanLikelihoods | HumanMoveFailure]:
    model = cluster.human_model("cpu", network=network)
    assert model is not None
    finished: SimpleQueue[Any] = SimpleQueue()
    with model, model.crew(finished.put) as crew:
        return list(look_ahead(games, crew.submit, finished, at_most=500))


def test_moves_are_read_as_the_model_here_reads_them(cluster: Cluster, data_folder: Path) -> None:
    games = random_games(6, plies=16)
    path = installed_model_path(data_folder)
    with MaiaPool(path, workers=1) as pool:
        here = {found.game_id: found for found in pool.likelihoods(games)}
    there = read(cluster, games, network_id(path))
    assert len(there) == len(games)
    for found in there:
        expected = here[found.game_id]
        assert isinstance(found, HumanLikelihoods)
        assert isinstance(expected, HumanLikelihoods)
        for name in ("plies", "log_probabilities", "expected_scores", "expected_squares"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


def test_the_workers_network_is_known_where_none_is_installed_here(
    cluster: Cluster, data_folder: Path
) -> None:
    model = cluster.human_model("cpu", network=None)
    assert model is not None
    assert model.network == network_id(installed_model_path(data_folder))


def test_another_human_move_model_on_the_workers_is_refused(cluster: Cluster) -> None:
    with pytest.raises(EngineError, match=r"model is maia3-5m \w+ and not of-this-machine"):
        read(cluster, random_games(1), "of-this-machine")


def test_workers_without_a_human_move_model_are_none_or_refused(
    dask_cluster: Any, data_folder: Path
) -> None:
    path = installed_model_path(data_folder)
    path.rename(path.with_suffix(".away"))
    try:
        with connected(dask_cluster) as cluster:
            assert cluster.human_model("cpu", network=None) is None
        with (
            connected(dask_cluster) as cluster,
            pytest.raises(EngineError, match="its human-move model is none and not maia3"),
        ):
            read(cluster, random_games(1), "maia3")
    finally:
        path.with_suffix(".away").rename(path)


# --- pieces ----------------------------------------------------------------------------------


def test_a_cluster_of_one_s_own_starts_and_leaves_nothing(
    data_folder: Path, tmp_path: Path
) -> None:
    engine, said = write_fake_engine(tmp_path), list[str]()
    before = {child.pid for child in multiprocessing.active_children()}
    with Cluster("local", workers=1, wait_seconds=60, say=said.append) as cluster:
        assert said == [], "nothing is started before somebody evaluates"
        assert len(evaluated(cluster, engine, random_games(3))) == 3
        assert re.fullmatch(r"On the Dask cluster at tcp://\S+; its dashboard is \S+", said[0])
        assert {child.pid for child in multiprocessing.active_children()} > before
    assert processes_of(engine) == []
    assert {child.pid for child in multiprocessing.active_children()} == before


class FakeConnection:
    """Of a cluster whose workers a test lists."""

    status = "running"
    scheduler = None

    def __init__(self) -> None:
        self.threads: dict[str, int] = {}

    def nthreads(self) -> dict[str, int]:
        return self.threads


def test_work_waits_for_workers_only_so_long() -> None:
    connection, now = FakeConnection(), [0.0]
    watch = WorkerWatch(
        cast(Connection, connection), without_workers_seconds=60, clock=lambda: now[0]
    )
    connection.threads = {"tcp://a:1": 8}
    watch.look(is_work_waiting=True)
    connection.threads = {}
    for now[0] in (10.0, 60.0):
        watch.look(is_work_waiting=True)
    now[0] = 63.0
    watch.look(is_work_waiting=False)
    now[0] = 124.0
    with pytest.raises(EngineError, match="has had no worker for 60 s"):
        watch.look(is_work_waiting=True)


def test_more_tasks_are_sent_to_more_threads_and_a_second_try_goes_elsewhere() -> None:
    connection = FakeConnection()
    watch = WorkerWatch(cast(Connection, connection), without_workers_seconds=60)
    few = watch.most_in_flight
    connection.threads = {"tcp://a:1": 32, "tcp://b:1": 32}
    watch.look(is_work_waiting=True)
    assert 64 < watch.most_in_flight < 640
    assert few < 64
    assert watch.others_than(()) == []
    assert watch.others_than(("tcp://a:1",)) == ["tcp://b:1"]
    assert watch.others_than(("tcp://a:1", "tcp://b:1")) == []


def test_engines_that_nobody_needs_any_more_are_closed(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path)
    shelf = EngineShelf(
        lambda: Stockfish(engine), back_off=lambda failures: 0.0, kept_idle_seconds=0.3
    )
    for number in range(2):
        shelf.evaluate(game(f"{number}", "e2e4"), LIMIT, 20)
        assert len(processes_of(engine)) == 1
    wait_until(lambda: processes_of(engine) == [])
    assert isinstance(shelf.evaluate(game("again", "e2e4"), LIMIT, 20), GameEvals)
    shelf.stop()
    assert processes_of(engine) == []


# --- what is said, and what is imported ------------------------------------------------------

ALIKE = (("movelo", "1"), ("engine", "Stockfish 17"), ("network", "nn-1.nnue"))
OTHER = (("movelo", "1"), ("engine", "Stockfish 16"), ("network", "nn-0.nnue"))


def test_workers_that_are_alike_are_not_refused() -> None:
    assert refusal({"a": ALIKE, "b": ALIKE}, ALIKE) is None


def test_a_refusal_names_only_those_that_differ_from_most() -> None:
    found = {"tcp://a:1": OTHER, "tcp://b:1": ALIKE, "tcp://c:1": ALIKE}
    said = refusal(found, common_facts(found))
    assert said is not None
    assert "tcp://a:1: its engine is Stockfish 16 and not Stockfish 17" in said
    assert "tcp://b:1" not in said


def test_a_refusal_of_many_stays_readable() -> None:
    said = refusal({f"tcp://w{n}:1": OTHER for n in range(40)}, ALIKE)
    assert said is not None
    assert "and 35 more" in said


@pytest.mark.parametrize("address", ["10.0.0.1:8786", "http://cluster", "lokal"])
def test_what_is_no_scheduler_s_address_is_refused_at_once(address: str) -> None:
    with (
        pytest.raises(SettingsError, match="write it as tcp://HOST:8786, or local"),
        cluster_room(address, load_settings(), LIMIT, workers=1, say=silent),
    ):
        pass


def test_without_dask_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = ["distributed"]
    monkeypatch.setattr(
        cluster_choice, "find_spec", lambda name: None if name in missing else find_spec(name)
    )
    with (
        pytest.raises(SettingsError, match=r"pip install 'movelo\[cluster\]'"),
        cluster_room("local", load_settings(), LIMIT, workers=1, say=silent),
    ):
        pass


def test_dask_is_imported_only_when_asked_for() -> None:
    code = "import sys, pipeline.cli.workshop; print({'dask', 'distributed'} & {*sys.modules})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"
