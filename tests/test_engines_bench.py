"""What a bench measures: of a pool, on clocks of the test's own, and of real engine processes."""

import itertools
import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

import chess
import pytest
from fake_uci_engine import processes_of, searches_of, write_fake_engine

from config.errors import EngineDied, EngineError, EngineNotFound, IllegalMove
from engines.alone import EngineSetup, Searched, bench_nodes_per_second, search_alone
from engines.bench import (
    BenchResult,
    BudgetFigures,
    Clocks,
    Pool,
    games_for,
    measure_pool,
    peak_mebibytes,
    repeated,
    system_clocks,
)
from engines.evals import EngineFailure, EngineId, GameEvals, PositionSequence, SearchLimit
from engines.pool import EnginePool

LIMIT = SearchLimit(nodes_per_position=1000)
_FOUND = shutil.which("stockfish", path=os.pathsep.join(["/usr/games", os.environ["PATH"]]))
STOCKFISH = Path(_FOUND or "stockfish")
MATED = "fools mate"


def game(plies: int, game_id: str = "game") -> PositionSequence:
    moves = ("g1f3", "g8f6", "f3g1", "f6g8")
    return PositionSequence(
        game_id=game_id,
        start_fen=chess.STARTING_FEN,
        moves_uci=tuple(itertools.islice(itertools.cycle(moves), plies)),
    )


def fools_mate() -> PositionSequence:
    return replace(game(0, MATED), moves_uci=("f2f3", "e7e5", "g2g4", "d8h4"))


ALONE = Searched(games=1, positions=10, nodes=9000, seconds=0.5, start_seconds=0.25)


class Ticking:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class ScriptedPool:
    """Every game takes so many seconds of the wall, one after another."""

    def __init__(self, wall: Ticking, seconds: Iterable[float], failing: str = "") -> None:
        self.workers = 2
        self._wall = wall
        self._seconds = seconds
        self._failing = failing

    def evaluate(
        self, sequences: Iterable[PositionSequence]
    ) -> Iterator[GameEvals | EngineFailure]:
        for sequence, seconds in zip(sequences, self._seconds, strict=True):
            self._wall.now += seconds
            if sequence.game_id == self._failing:
                yield EngineFailure(game_id=sequence.game_id, reason="it crashed")
            else:
                yield GameEvals(
                    game_id=sequence.game_id,
                    engine=EngineId(name="scripted"),
                    limit=LIMIT,
                    evals=(),
                    best_moves_uci=(),
                )
        self._wall.now += 1.0  # its engines end


def measured(
    pool_seconds: list[float], *, children_cpu: float | None, failing: str = ""
) -> tuple[BudgetFigures, int]:
    """The figures, and how often a game was reported."""
    wall = Ticking()
    own_cpu = iter([3.0, 3.5])
    children = iter([10.0, None if children_cpu is None else 10.0 + children_cpu])
    reported: list[None] = []

    def opened(_: SearchLimit) -> AbstractContextManager[Pool]:
        return nullcontext(ScriptedPool(wall, pool_seconds, failing))

    figures = measure_pool(
        [game(9, f"game {number}") for number in range(len(pool_seconds))],
        limit=LIMIT,
        open_pool=opened,
        alone=ALONE,
        clocks=Clocks(
            wall=wall, own_cpu=lambda: next(own_cpu), children_cpu=lambda: next(children)
        ),
        on_game=lambda: reported.append(None),
    )
    return figures, len(reported)


def test_a_run_is_timed_from_its_first_game_to_the_end_of_its_engines() -> None:
    figures, reported = measured([4.0, 2.0, 3.0], children_cpu=15.0)
    assert figures.wall_seconds == 10.0
    assert (figures.games, figures.positions, reported) == (3, 30, 3)
    assert figures.games_per_minute == 18.0
    assert figures.positions_per_second == 3.0
    assert figures.nodes_per_second == 3.0 * 900
    assert figures.busy_share == 0.75
    assert figures.own_cpu_milliseconds_per_position == pytest.approx(500 / 30)


def test_the_wait_for_the_last_games_is_that_of_each_worker_s_last_one() -> None:
    figures, _ = measured([4.0, 2.0, 3.0], children_cpu=15.0)
    # One worker has nothing more to do after 6 of the 10 seconds, the other after 9.
    assert figures.idle_at_end_share == pytest.approx((4.0 + 1.0) / 20.0)


def test_where_the_system_does_not_tell_the_engines_time_they_are_not_said_to_be_busy() -> None:
    figures, _ = measured([1.0], children_cpu=None)
    assert figures.busy_share is None


def test_a_game_without_evaluations_ends_the_bench() -> None:
    with pytest.raises(EngineError, match="game 1 was not evaluated: it crashed"):
        measured([1.0, 1.0], children_cpu=1.0, failing="game 1")


@pytest.mark.parametrize(("together", "share"), [(5400, 0.5), (None, None)])
def test_the_pool_is_held_against_its_engines_by_themselves(
    together: int | None, share: float | None
) -> None:
    figures, _ = measured([4.0, 2.0, 3.0], children_cpu=15.0)
    result = BenchResult(
        engine=EngineId(name="scripted"),
        cores=2,
        workers=2,
        hash_mebibytes=64,
        alone_nodes_per_second=together,
        together_nodes_per_second=together,
        budgets=(("fast", figures),),
        peak_mebibytes=None,
    )
    assert result.engine_bound(figures) == share


def test_as_many_games_are_taken_as_the_engines_need_for_the_time() -> None:
    shipped = [game(9, "one"), game(19, "two")]
    chosen = games_for(3.0, shipped, workers=2, alone=ALONE)  # 20 positions a second each
    assert sum(len(one.moves_uci) + 1 for one in chosen) == 120
    assert len({one.game_id for one in chosen}) == len(chosen) == 8


def test_no_worker_of_a_slow_machine_is_without_games() -> None:
    slow = replace(ALONE, seconds=1000.0)
    assert len(games_for(1.0, [game(9)], workers=3, alone=slow)) == 6


def test_no_games_repeated_are_no_games() -> None:
    assert list(repeated([])) == []


# --- real processes -------------------------------------------------------------------------


def searched(engine: Path, *games: PositionSequence, enough_seconds: float = 60.0) -> Searched:
    return search_alone(
        EngineSetup(path=engine, hash_mebibytes=1),
        games,
        limit=LIMIT,
        enough_seconds=enough_seconds,
        clock=time.perf_counter,
    )


def test_nodes_are_what_the_engine_counts_and_finished_positions_count_none(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path)  # one node a search, by its own account
    found = searched(engine, game(3), fools_mate())
    assert (found.games, found.positions, found.nodes) == (2, 9, 8)
    assert searches_of(engine) == 8
    assert processes_of(engine) == []


def test_a_search_is_over_with_the_game_in_which_its_time_is(tmp_path: Path) -> None:
    found = searched(write_fake_engine(tmp_path), game(3), game(3), enough_seconds=0.0)
    assert found.games == 1


def test_an_engine_alone_is_told_what_a_pool_tells_it(tmp_path: Path) -> None:
    log = tmp_path / "log"
    setup = EngineSetup(
        path=write_fake_engine(tmp_path, "--log", str(log)),
        hash_mebibytes=7,
        options=(("Contempt", 5),),
    )
    search_alone(setup, [game(1)], limit=LIMIT, enough_seconds=9.0, clock=time.perf_counter)
    lines = log.read_text().splitlines()
    assert {"setoption name Hash value 7", "setoption name Contempt value 5"} <= set(lines)
    assert [line for line in lines if line.startswith(("position", "go"))] == [
        "position startpos moves g1f3",
        "go nodes 1000",
        "position startpos",
        "go nodes 1000",
    ]


def test_an_engine_that_dies_while_its_nodes_are_counted_is_named(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path, "--exit-at", "2")
    with pytest.raises(EngineDied, match="fake-engine died at game game, position 2"):
        searched(engine, game(3))
    assert processes_of(engine) == []


def test_an_engine_that_refuses_to_start_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineDied, match="fake-engine died while it started"):
        searched(write_fake_engine(tmp_path, "--refuse"), game(3))


def test_no_engine_is_left_after_an_illegal_move(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path)
    with pytest.raises(IllegalMove, match="ply 1"):
        searched(engine, replace(game(0), moves_uci=("e2e5",)))
    assert processes_of(engine) == []


def test_what_is_no_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineNotFound, match="cannot be started"):
        bench_nodes_per_second(EngineSetup(path=tmp_path / "none", hash_mebibytes=1), processes=1)


@pytest.mark.parametrize("arguments", [(), ("--refuse",)])
def test_an_engine_without_the_bench_command_has_no_figure(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    engine = write_fake_engine(tmp_path, *arguments)
    setup = EngineSetup(path=engine, hash_mebibytes=1)
    assert bench_nodes_per_second(setup, processes=2) is None
    assert processes_of(engine) == []


def test_a_pool_s_engines_and_this_process_are_measured_by_the_system(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    engine = write_fake_engine(tmp_path)
    games = [game(3, "one"), game(3, "two")]
    figures = measure_pool(
        games,
        limit=LIMIT,
        open_pool=lambda limit: EnginePool(engine, workers=2, limit=limit),
        alone=ALONE,
        clocks=system_clocks(),
    )
    # Python, as this engine is, needs CPU time to start; more than its cores nobody can use.
    assert figures.engines_cpu_seconds is not None
    assert figures.engines_cpu_seconds > 0
    assert figures.own_cpu_seconds > 0
    assert (peak_mebibytes() or 0) > 1


@pytest.mark.stockfish
@pytest.mark.skipif(_FOUND is None, reason="no Stockfish on this machine")
def test_stockfish_counts_the_nodes_that_its_own_bench_counts(tmp_path: Path) -> None:
    """`bench` on a file of positions says how many nodes its searches were in all."""
    one = replace(game(0), moves_uci=("e2e4", "c7c5", "g1f3"))
    board, fens = chess.Board(), [chess.STARTING_FEN]
    for move in one.moves_uci:
        board.push_uci(move)
        fens.append(board.fen(en_passant="fen"))
    positions = tmp_path / "positions.fen"
    positions.write_text("\n".join(reversed(fens)) + "\n")
    command = [STOCKFISH, "bench", "1", "1", "1000", positions, "nodes"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    (total,) = [line for line in printed.splitlines() if line.startswith("Nodes searched")]
    found = searched(STOCKFISH, one)
    # What it prints last it prints a node or so before its end.
    assert found.nodes == pytest.approx(int(total.split(":")[1]), rel=0.005)
