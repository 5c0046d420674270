import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import chess
import pytest
from fake_uci_engine import processes_of, searches_of, write_fake_engine

from config.errors import EngineDied, EngineError, EngineHung, EngineNotFound, SettingsError
from engines.crew import GAMES_IN_TURN, urgency
from engines.evals import Centipawns, EngineFailure, GameEvals, PositionSequence, SearchLimit
from engines.find import USUAL_FOLDERS
from engines.pool import EnginePool, exponential_back_off

LIMIT = SearchLimit(nodes_per_position=300)
TRIAL = 1  # entering a pool takes one search


def at_once(failures: int) -> float:
    return 0.0


def game(game_id: str, moves: str) -> PositionSequence:
    return PositionSequence(
        game_id=game_id, start_fen=chess.STARTING_FEN, moves_uci=tuple(moves.split())
    )


GAMES = [
    game("short", "e2e4"),
    game("long", "e2e4 e7e5 g1f3 b8c6 f1b5"),
    game("none", ""),
    game("middle", "d2d4 d7d5 c2c4"),
]


def fake_pool(
    folder: Path, *faults: str, workers: int = 1, deadline_seconds: float = 20
) -> tuple[Path, EnginePool]:
    engine = write_fake_engine(folder, *faults)
    pool = EnginePool(
        engine, workers=workers, limit=LIMIT, deadline_seconds=deadline_seconds, back_off=at_once
    )
    return engine, pool


def game_ids(outcomes: list[GameEvals | EngineFailure]) -> list[str]:
    return [outcome.game_id for outcome in outcomes]


def failures(outcomes: list[GameEvals | EngineFailure]) -> dict[str, str]:
    return {out.game_id: out.reason for out in outcomes if isinstance(out, EngineFailure)}


# --- work that goes well -------------------------------------------------------------------


def test_every_game_comes_back_and_the_longest_first(tmp_path: Path) -> None:
    engine, pool = fake_pool(tmp_path)
    with pool:
        outcomes = list(pool.evaluate(GAMES))
    assert game_ids(outcomes) == ["long", "middle", "short", "none"]
    assert failures(outcomes) == {}
    assert processes_of(engine) == []


def test_a_short_game_is_not_put_off_for_ever_by_longer_ones_that_keep_coming() -> None:
    short = urgency(game("short", "e2e4"), arrival=1)
    longer = [urgency(game("longer", "e2e4 e7e5"), arrival=number) for number in range(2, 300)]
    assert sum(one < short for one in longer) == GAMES_IN_TURN - 1


def test_nothing_to_do_is_done_at_once(tmp_path: Path) -> None:
    engine, pool = fake_pool(tmp_path, workers=4)
    with pool:
        assert list(pool.evaluate([])) == []
    assert searches_of(engine) == TRIAL


def test_no_more_engines_are_started_than_there_are_games(tmp_path: Path) -> None:
    engine, pool = fake_pool(tmp_path, "--late", "0.3", workers=4)
    with pool:
        outcomes = pool.evaluate(GAMES[:2])
        next(outcomes)
        assert len(processes_of(engine)) <= 2
        outcomes.close()


def test_workers_work_at_the_same_time(tmp_path: Path) -> None:
    _, pool = fake_pool(tmp_path, "--late", "1", workers=4)
    games = [game(str(number), "") for number in range(4)]
    with pool:
        started_at = time.monotonic()
        assert len(list(pool.evaluate(games))) == 4
    assert time.monotonic() - started_at < 4


def test_a_pool_can_be_used_again(tmp_path: Path) -> None:
    _, pool = fake_pool(tmp_path, workers=2)
    with pool:
        first, second = ({*pool.evaluate(GAMES)} for _ in range(2))
    assert first == second


def test_a_pool_knows_its_engine(tmp_path: Path) -> None:
    _, pool = fake_pool(tmp_path)
    with pytest.raises(RuntimeError):
        _ = pool.engine_id
    with pool:
        assert pool.engine_id.name == "Fake 1.0"


def test_a_deadline_is_derived_from_the_engines_speed(tmp_path: Path) -> None:
    """0.2 s for the trial's 20,000 nodes make 10 s for a million: several times that is fair."""
    engine = write_fake_engine(tmp_path, "--late", "0.2")
    with EnginePool(engine, workers=1, limit=SearchLimit(nodes_per_position=10**6)) as pool:
        assert pool.deadline_seconds > 100
    with EnginePool(engine, workers=1, limit=LIMIT, deadline_seconds=7) as pool:
        assert pool.deadline_seconds == 7


def test_a_derived_deadline_is_never_short(tmp_path: Path) -> None:
    with EnginePool(write_fake_engine(tmp_path), workers=1, limit=LIMIT) as pool:
        assert pool.deadline_seconds >= 30


# --- engines that fail ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault", ["--hang-at", "--crash-at", "--exit-at", "--nonsense-at", "--no-score-at"]
)
def test_a_game_is_tried_again_when_its_engine_fails(tmp_path: Path, fault: str) -> None:
    engine, pool = fake_pool(tmp_path, fault, "4", workers=2, deadline_seconds=1.5)
    with pool:
        outcomes = list(pool.evaluate(GAMES))
    assert failures(outcomes) == {}
    assert sorted(game_ids(outcomes)) == sorted(sequence.game_id for sequence in GAMES)
    assert searches_of(engine) > TRIAL + sum(len(sequence.moves_uci) + 1 for sequence in GAMES)
    assert processes_of(engine) == []


def test_a_game_that_every_engine_dies_on_is_set_aside_and_the_rest_goes_on(
    tmp_path: Path,
) -> None:
    engine, pool = fake_pool(tmp_path, "--crash-on", "f1b5", workers=2)
    with pool:
        outcomes = list(pool.evaluate(GAMES))
    assert len(outcomes) == len(GAMES)
    [(game_id, reason)] = failures(outcomes).items()
    assert game_id == "long"
    assert "died at game long, position 5" in reason
    assert reason.endswith("(tried 3 times)")
    assert processes_of(engine) == []


@pytest.mark.parametrize("max_tries", [1, 2, 5])
def test_a_hopeless_game_is_tried_as_often_as_asked(tmp_path: Path, max_tries: int) -> None:
    engine = write_fake_engine(tmp_path, "--crash-on", "e2e4")
    waits: list[int] = []

    def back_off(failures: int) -> float:
        waits.append(failures)
        return 0.0

    with EnginePool(engine, workers=1, limit=LIMIT, max_tries=max_tries, back_off=back_off) as pool:
        outcomes = list(pool.evaluate([game("hopeless", "e2e4")]))
    assert failures(outcomes)["hopeless"].endswith(f"(tried {max_tries} times)")
    assert searches_of(engine) == TRIAL + max_tries
    assert waits == list(range(1, max_tries))


def test_an_impossible_game_is_set_aside_without_a_second_try(tmp_path: Path) -> None:
    engine, pool = fake_pool(tmp_path)
    with pool:
        outcomes = list(pool.evaluate([game("wrong", "e2e5"), game("right", "")]))
    assert failures(outcomes) == {
        "wrong": "game wrong, ply 1: 'e2e5' is not a legal move there; "
        "correct it or leave the game out"
    }
    assert searches_of(engine) == TRIAL + 1


@pytest.mark.parametrize(
    ("faults", "error"),
    [
        (["--refuse"], EngineDied),
        (["--crash-at", "1"], EngineDied),
        (["--hang-at", "1"], EngineHung),
    ],
)
def test_an_engine_that_does_not_work_at_all_is_an_error(
    tmp_path: Path, faults: list[str], error: type[EngineError]
) -> None:
    engine, pool = fake_pool(tmp_path, *faults, deadline_seconds=0.5)
    with pytest.raises(error), pool:
        pass
    assert processes_of(engine) == []


def test_a_missing_engine_is_an_error(tmp_path: Path) -> None:
    with (
        pytest.raises(EngineNotFound),
        EnginePool(tmp_path / "nowhere", workers=1, limit=LIMIT),
    ):
        pass


def test_a_wrong_option_is_an_error(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path)
    with (
        pytest.raises(SettingsError, match="Skil"),
        EnginePool(engine, workers=1, limit=LIMIT, options=[("Skil Level", 3)]),
    ):
        pass


def test_an_engine_that_cannot_be_started_any_more_is_an_error(tmp_path: Path) -> None:
    engine, pool = fake_pool(tmp_path, "--crash-at", "3", workers=2)
    with pool:
        engine.unlink()
        with pytest.raises(EngineNotFound):
            list(pool.evaluate(GAMES))


def test_back_off_grows_and_stays_bounded() -> None:
    waits = [exponential_back_off(failures) for failures in range(1, 2000)]
    assert waits[:4] == [0.5, 1, 2, 4]
    assert waits == sorted(waits)
    assert max(waits) == 30


@pytest.mark.parametrize("wrong", [{"workers": 0}, {"workers": 1, "max_tries": 0}])
def test_a_pool_needs_workers_and_tries(tmp_path: Path, wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError):
        EnginePool(tmp_path / "engine", limit=LIMIT, **wrong)


# --- stopping in the middle ----------------------------------------------------------------


def assert_stops_promptly(engine: Path, started_at: float) -> None:
    assert time.monotonic() - started_at < 5
    assert processes_of(engine) == []
    assert not [thread for thread in threading.enumerate() if "engine worker" in thread.name]


def test_closing_the_iterator_early_stops_all_engines(tmp_path: Path) -> None:
    engine, pool = fake_pool(tmp_path, "--hang-at", "4", workers=2, deadline_seconds=3600)
    with pool:
        outcomes = pool.evaluate([*GAMES, game("last", "")])
        next(outcomes)
        started_at = time.monotonic()
        outcomes.close()
        assert_stops_promptly(engine, started_at)


def test_leaving_the_pool_stops_all_engines_of_an_abandoned_iterator(tmp_path: Path) -> None:
    engine, pool = fake_pool(tmp_path, "--hang-at", "4", workers=2, deadline_seconds=3600)
    with pool:
        outcomes = pool.evaluate(GAMES)
        next(outcomes)
        started_at = time.monotonic()
    assert_stops_promptly(engine, started_at)
    with pytest.raises(EngineDied, match="was stopped before its end"):
        list(outcomes)


def test_stopping_does_not_wait_for_a_back_off(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path, "--crash-on", "e2e4")
    with EnginePool(engine, workers=2, limit=LIMIT, back_off=lambda _: 3600) as pool:
        outcomes = pool.evaluate([game("hopeless", "e2e4"), game("fine", "")])
        assert next(outcomes).game_id == "fine"
        started_at = time.monotonic()
    assert_stops_promptly(engine, started_at)


def test_stopping_does_not_wait_for_an_engine_that_is_starting(tmp_path: Path) -> None:
    engine, pool = fake_pool(tmp_path)
    with pool:
        write_fake_engine(tmp_path, "--no-uciok")
        outcomes = pool.evaluate(GAMES)
        threading.Timer(0.5, pool.__exit__, (None, None, None)).start()
        started_at = time.monotonic()
        with pytest.raises(EngineDied):
            next(outcomes)
        assert_stops_promptly(engine, started_at)


def test_an_error_of_the_caller_stops_all_engines(tmp_path: Path) -> None:
    engine, pool = fake_pool(tmp_path, "--hang-at", "4", workers=2, deadline_seconds=3600)
    started_at = time.monotonic()
    with pytest.raises(ZeroDivisionError), pool:
        for _ in pool.evaluate(GAMES):
            raise ZeroDivisionError
    assert_stops_promptly(engine, started_at)


HANGING_PROGRAM = """
import signal
import sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever began the tests may ignore it
sys.path.insert(0, {root!r})
from pathlib import Path
import chess
from engines.evals import PositionSequence, SearchLimit
from engines.pool import EnginePool
games = [
    PositionSequence(game_id=str(i), start_fen=chess.STARTING_FEN, moves_uci=()) for i in range(4)
]
limit = SearchLimit(nodes_per_position=1)
with EnginePool(Path({engine!r}), workers=2, limit=limit, deadline_seconds=3600) as pool:
    for outcome in pool.evaluate(games):
        print(outcome.game_id, flush=True)
"""


def test_ctrl_c_in_a_terminal_leaves_no_engine(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path, "--hang-at", "3")
    script = tmp_path / "program.py"
    root = str(Path(__file__).parents[1])
    script.write_text(HANGING_PROGRAM.format(root=root, engine=str(engine)))
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as program:
        assert program.stdout is not None
        for _ in range(3):
            program.stdout.readline()
        started_at = time.monotonic()
        os.killpg(program.pid, signal.SIGINT)  # as a terminal does: to the whole group
        try:
            program.wait(timeout=10)
        finally:
            program.kill()
    assert program.returncode == -signal.SIGINT
    assert_stops_promptly(engine, started_at)


# --- the real engine -----------------------------------------------------------------------


def random_game(seed: int) -> PositionSequence:
    chance = random.Random(seed)
    board = chess.Board()
    for _ in range(chance.randint(0, 24)):
        if board.is_game_over():
            break
        board.push(chance.choice(list(board.legal_moves)))
    return game(f"random {seed}", " ".join(move.uci() for move in board.move_stack))


@pytest.mark.stockfish
def test_the_evaluations_do_not_depend_on_the_number_of_workers() -> None:
    found = [folder / "stockfish" for folder in USUAL_FOLDERS]
    engine = next((path for path in found if path.exists()), None)
    if engine is None:
        pytest.skip("no Stockfish is installed here")
    games = [random_game(seed) for seed in range(8)]
    limit = SearchLimit(nodes_per_position=2_500)  # enough for some positions to get fewer
    results = []
    for workers in (1, 2, 4):
        with EnginePool(engine, workers=workers, limit=limit) as pool:
            results.append({outcome.game_id: outcome for outcome in pool.evaluate(games)})
        games.reverse()
    assert results[0] == results[1] == results[2]
    assert all(isinstance(outcome, GameEvals) for outcome in results[0].values())
    assert any(
        isinstance(evaluation, Centipawns) and evaluation.value
        for outcome in results[0].values()
        if isinstance(outcome, GameEvals)
        for evaluation in outcome.evals
    )
