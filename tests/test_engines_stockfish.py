import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import chess
import psutil
import pytest
from fake_uci_engine import processes_of, searches_of, write_fake_engine

from config.errors import (
    EngineDied,
    EngineError,
    EngineHung,
    EngineNotFound,
    IllegalMove,
    InputError,
    SettingsError,
)
from engines.evals import (
    Centipawns,
    EngineId,
    Eval,
    GameEvals,
    KnownEval,
    Mate,
    PositionSequence,
    SearchLimit,
)
from engines.find import USUAL_FOLDERS
from engines.stockfish import Stockfish

FEW_NODES = SearchLimit(nodes_per_position=500)
SCHOLARS_MATE = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"


def real_engine() -> Path | None:
    found = (folder / "stockfish" for folder in USUAL_FOLDERS)
    return next((path for path in found if path.exists()), None)


REAL_ENGINE = real_engine() or Path("stockfish")
needs_stockfish = [
    pytest.mark.stockfish,
    pytest.mark.skipif(real_engine() is None, reason="no Stockfish is installed here"),
]


def game(moves: str, start_fen: str = chess.STARTING_FEN, **more: bool) -> PositionSequence:
    return PositionSequence(
        game_id="Ab12Cd34", start_fen=start_fen, moves_uci=tuple(moves.split()), **more
    )


def evaluate(engine: Path, sequence: PositionSequence, deadline_seconds: float = 20) -> GameEvals:
    with Stockfish(engine) as stockfish:
        return stockfish.evaluate(sequence, FEW_NODES, deadline_seconds)


# --- what is sent to the engine ------------------------------------------------------------


def sent(log: Path, command: str) -> list[str]:
    return [line for line in log.read_text().splitlines() if line.split()[0] == command]


def test_positions_are_sent_last_to_first_as_start_and_moves(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path, "--log", str(tmp_path / "log"))
    evaluate(engine, game("e2e4 e7e5"))
    assert sent(tmp_path / "log", "position") == [
        "position startpos moves e2e4 e7e5",
        "position startpos moves e2e4",
        "position startpos",
    ]
    assert set(sent(tmp_path / "log", "go")) == {"go nodes 500"}


def test_the_engine_forgets_a_game_before_the_next(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path, "--log", str(tmp_path / "log"))
    with Stockfish(engine) as stockfish:
        for moves in ("e2e4", "d2d4 d7d5"):
            stockfish.evaluate(game(moves), FEW_NODES, 20)
    assert len(sent(tmp_path / "log", "ucinewgame")) == 2


def test_it_is_told_hash_and_options(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path, "--log", str(tmp_path / "log"))
    with Stockfish(engine, hash_mebibytes=32, options=[("Contempt", 7)]):
        pass
    assert sorted(sent(tmp_path / "log", "setoption")) == [
        "setoption name Contempt value 7",
        "setoption name Hash value 32",
    ]


def test_a_finished_position_never_reaches_the_engine(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path)
    evals = evaluate(engine, game(SCHOLARS_MATE))
    assert evals.evals[-1] == Mate("white", 0)
    assert evals.best_moves_uci[-1] is None
    assert searches_of(engine) == len(SCHOLARS_MATE.split())


def test_what_others_know_never_reaches_the_engine(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path, "--log", str(tmp_path / "log"))
    opening = KnownEval(eval=Centipawns(33), best_move_uci="e2e4")
    won = KnownEval(eval=Mate("black", 3), best_move_uci=None)
    sequence = replace(game("e2e4 e7e5"), known=((0, opening), (2, won)))
    evals = evaluate(engine, sequence)
    assert (evals.evals[0], evals.best_moves_uci[0]) == (Centipawns(33), "e2e4")
    assert (evals.evals[2], evals.best_moves_uci[2]) == (Mate("black", 3), None)
    assert sent(tmp_path / "log", "position") == ["position startpos moves e2e4"]


def test_a_game_that_is_over_before_it_starts_needs_no_search(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path)
    evals = evaluate(engine, game("", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"))
    assert evals.evals == (Centipawns(0),)
    assert searches_of(engine) == 0


@pytest.mark.parametrize(
    ("sequence", "error"),
    [
        (game("", "8/8/8/8/8/8/8/K7 w - - 0 1"), InputError),
        (game("", "k7/8/8/8/8/QQQQQQQQ/QQQQQQQQ/K7 w - - 0 1"), InputError),
        (game("e2e4 e2e4"), IllegalMove),
    ],
)
def test_an_impossible_game_never_reaches_the_engine(
    tmp_path: Path, sequence: PositionSequence, error: type[InputError]
) -> None:
    engine = write_fake_engine(tmp_path)
    with pytest.raises(error, match="game Ab12Cd34"):
        evaluate(engine, sequence)
    assert searches_of(engine) == 0


# --- what comes back -----------------------------------------------------------------------


def test_a_game_without_moves_has_one_evaluation(tmp_path: Path) -> None:
    evals = evaluate(write_fake_engine(tmp_path), game(""))
    assert len(evals.evals) == len(evals.best_moves_uci) == 1
    assert evals.engine == EngineId(name="Fake 1.0", network="nn-fake.nnue")
    assert evals.limit == FEW_NODES


def test_an_engine_without_chess960_is_not_given_such_a_game(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path, "--bare")
    with pytest.raises(EngineDied, match="does not know Chess960"):
        evaluate(engine, game("", chess.STARTING_FEN, chess960=True))
    assert searches_of(engine) == 0


@pytest.mark.parametrize(("mate", "evaluation"), [(3, Mate("black", 3)), (-2, Mate("white", 2))])
def test_a_mate_for_the_side_to_move_is_seen_from_white(
    tmp_path: Path, mate: int, evaluation: Eval
) -> None:
    engine = write_fake_engine(tmp_path, "--mate", str(mate))
    black_to_move = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert evaluate(engine, game("", black_to_move)).evals == (evaluation,)


def test_a_bound_is_no_score(tmp_path: Path) -> None:
    sequence = game("e2e4 e7e5")
    exact = evaluate(write_fake_engine(tmp_path), sequence)
    bounds = evaluate(write_fake_engine(tmp_path, "--bounds", name="bounds"), sequence)
    assert bounds.evals == exact.evals


def test_a_long_game_is_evaluated_to_its_end(tmp_path: Path) -> None:
    moves = there_and_back(400)
    evals = evaluate(write_fake_engine(tmp_path), game(moves))
    assert len(evals.evals) == 401
    assert all(isinstance(evaluation, Centipawns) for evaluation in evals.evals)


def there_and_back(plies: int) -> str:
    """Knights walk, with a pawn move now and then, so that nothing is repeated five times."""
    board = chess.Board()
    pawn_moves = [f"{file}{rank}{file}{rank + 1}" for rank in (2, 3) for file in "abcdefgh"]
    for ply in range(plies):
        walk = ("b1a3", "b8a6", "a3b1", "a6b8")[ply % 4]
        move = pawn_moves.pop(0) if ply % 28 == 0 and pawn_moves else None
        legal = {candidate.uci() for candidate in board.legal_moves}
        board.push_uci(move if move in legal else walk if walk in legal else min(legal))
    return " ".join(move.uci() for move in board.move_stack)


def test_an_engine_without_a_name_is_called_by_its_file(tmp_path: Path) -> None:
    with Stockfish(write_fake_engine(tmp_path, "--no-name", "--bare")) as stockfish:
        assert stockfish.engine_id == EngineId(name="fake-engine", network=None)


def test_another_network_is_another_engine(tmp_path: Path) -> None:
    with Stockfish(write_fake_engine(tmp_path), options=[("EvalFile", "my.nnue")]) as stockfish:
        assert stockfish.engine_id.network == "my.nnue"


# --- engines that fail ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "error", "sentence"),
    [
        (
            ["--hang-at", "2"],
            EngineHung,
            "gave no answer within 0.5 s at game Ab12Cd34, position 1",
        ),
        (["--crash-at", "2"], EngineDied, r"died at game Ab12Cd34, position 1 \(exit code -11\)"),
        (["--exit-at", "3"], EngineDied, r"died at game Ab12Cd34, position 0 \(exit code 1\)"),
        (["--nonsense-at", "1"], EngineDied, "made no sense at game Ab12Cd34, position 2"),
        (["--no-score-at", "1"], EngineDied, "without a score"),
        (["--no-move-at", "1"], EngineDied, "without a move"),
        (["--mate", "0"], EngineDied, "sees a mate on the board"),
        (["--late", "30"], EngineHung, "gave no answer"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_failing_engine_is_an_error_that_names_the_position(
    tmp_path: Path, fault: list[str], error: type[EngineError], sentence: str
) -> None:
    engine = write_fake_engine(tmp_path, *fault)
    started_at = time.monotonic()
    with pytest.raises(error, match=sentence):
        evaluate(engine, game("e2e4 e7e5"), deadline_seconds=0.5 if error is EngineHung else 20)
    assert time.monotonic() - started_at < 10
    assert processes_of(engine) == []


@pytest.mark.parametrize("fault", ["--nonsense-at", "--crash-at", "--no-move-at"])
def test_a_failing_engine_leaves_no_trace_in_the_log(
    tmp_path: Path, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    """asyncio writes an error that nobody takes with its traceback, right into a terminal."""
    with pytest.raises(EngineDied):
        evaluate(write_fake_engine(tmp_path, fault, "1"), game("e2e4 e7e5"))
    assert [record.getMessage() for record in caplog.records if record.levelno > 10] == []


@pytest.mark.parametrize(
    ("fault", "error", "sentence"),
    [
        (["--refuse"], EngineDied, r"\(exit code 3\): libmissing.so: not found"),
        (["--no-uciok"], EngineHung, "did not answer as a UCI engine within 0.5 s"),
        (["--no-readyok"], EngineHung, "did not answer as a UCI engine within 0.5 s"),
    ],
)
def test_an_engine_that_does_not_start_is_an_error(
    tmp_path: Path, fault: list[str], error: type[EngineError], sentence: str
) -> None:
    engine = write_fake_engine(tmp_path, *fault)
    seconds = 0.5 if error is EngineHung else 20
    with pytest.raises(error, match=sentence):
        Stockfish(engine, start_timeout_seconds=seconds).start()
    assert processes_of(engine) == []


def test_a_missing_engine_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(EngineNotFound, match=f"there is no engine at {tmp_path}/nowhere"):
        Stockfish(tmp_path / "nowhere").start()


@pytest.mark.parametrize("mode", [0o644, 0o755])
def test_a_file_that_is_no_program_cannot_be_started(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "notes"
    file.write_bytes(b"\x00\x01 not a program")
    file.chmod(mode)
    with pytest.raises(EngineDied, match="notes cannot be started"):
        Stockfish(file).start()


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (("Skil Level", 3), "Skil Level"),
        (("Contempt", 1000), "Contempt"),
        (("MultiPV", 3), "MultiPV"),
        (("Threads", 4), "Threads is set by movelo"),
    ],
)
def test_an_option_that_the_engine_cannot_have_is_a_wrong_setting(
    tmp_path: Path, option: tuple[str, int], sentence: str
) -> None:
    engine = write_fake_engine(tmp_path)
    with pytest.raises(SettingsError, match=sentence):
        Stockfish(engine, options=[option]).start()
    assert processes_of(engine) == []


def test_a_killed_engine_is_dead_at_once_and_leaves_no_process(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path)
    with Stockfish(engine) as stockfish:
        assert len(processes_of(engine)) == 1
        stockfish.kill()
        with pytest.raises(EngineDied):
            stockfish.evaluate(game("e2e4"), FEW_NODES, 20)
    assert processes_of(engine) == []


def test_a_pause_of_movelo_and_its_engine_is_not_held_against_the_engine(tmp_path: Path) -> None:
    """Ctrl-Z and fg, or a computer that has no time for either of them."""
    engine = write_fake_engine(tmp_path, "--late", "2")
    code = PAUSED_SEARCH.format(root=str(Path(__file__).parents[1]), engine=str(engine))
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    engine_id = int(child.stdout.readline())
    time.sleep(0.5)
    stopped = [psutil.Process(engine_id), psutil.Process(child.pid)]
    for process in stopped:
        process.suspend()
    time.sleep(5)
    child_first = stopped[::-1]  # it finds the deadline passed, and the engine silent
    for process in child_first:
        process.resume()
        time.sleep(0.2)
    assert child.communicate(timeout=20)[0] == "evaluated\n"
    assert child.returncode == 0


def test_what_an_engine_started_ends_with_it(tmp_path: Path) -> None:
    inner = write_fake_engine(tmp_path)
    wrapper = tmp_path / "wrapper"
    wrapper.write_text(f"#!/bin/sh\n'{inner}'\nexit $?\n")
    wrapper.chmod(0o755)
    with Stockfish(wrapper) as stockfish:
        assert stockfish.engine_id.name == "Fake 1.0"
        assert len(processes_of(inner)) == 1
    assert processes_of(inner) == []


def test_an_engine_that_was_never_started_can_be_closed(tmp_path: Path) -> None:
    stockfish = Stockfish(write_fake_engine(tmp_path))
    stockfish.close()
    with pytest.raises(EngineDied, match="is not running"):
        stockfish.evaluate(game(""), FEW_NODES, 20)


# --- the real engine -----------------------------------------------------------------------


class TestRealStockfish:
    pytestmark = needs_stockfish

    def test_it_says_who_it_is(self) -> None:
        with Stockfish(REAL_ENGINE) as stockfish:
            assert stockfish.engine_id.name.startswith("Stockfish")
            assert str(stockfish.engine_id.network).endswith(".nnue")

    def test_it_sees_the_mate_coming_and_the_mate_itself(self) -> None:
        evals = evaluate(REAL_ENGINE, game(SCHOLARS_MATE))
        assert evals.evals[-2:] == (Mate("white", 1), Mate("white", 0))
        assert evals.best_moves_uci[-2:] == ("h5f7", None)

    def test_black_may_be_first_to_move(self) -> None:
        queen_up_for_black = "3qk3/8/8/8/8/8/4P3/4K3 b - - 0 1"
        evals = evaluate(REAL_ENGINE, game("d8d5", queen_up_for_black))
        assert [side_ahead(evaluation) for evaluation in evals.evals] == ["black", "black"]

    def test_a_draw_by_repetition_is_seen_from_the_moves(self) -> None:
        """Black, about to be mated, can bring a position back for the third time."""
        mate_in_one_for_white = "6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1"
        shuffle = "d1d2 g8h8 d2d1"
        repeated = evaluate(REAL_ENGINE, game(f"{shuffle} h8g8 {shuffle}", mate_in_one_for_white))
        alone = evaluate(REAL_ENGINE, game("", "7k/5ppp/8/8/8/8/5PPP/3Q2K1 b - - 3 2"))
        assert alone.evals[0] != Centipawns(0)
        assert repeated.evals[-1] == Centipawns(0)
        assert repeated.best_moves_uci[-1] == "h8g8"

    def test_chess960_castling_is_understood_both_ways(self) -> None:
        fen = "r2k3r/8/8/8/8/8/8/1R1K1R2 w FBha - 0 1"
        evals = evaluate(REAL_ENGINE, game("d1f1 d8a8", fen, chess960=True))
        board = chess.Board(fen, chess960=True)
        for best_move_uci, played in zip(evals.best_moves_uci, ["d1f1", "d8a8", None], strict=True):
            assert best_move_uci is not None
            assert chess.Move.from_uci(best_move_uci) in board.legal_moves
            if played:
                board.push_uci(played)

    def test_the_same_game_has_the_same_evaluations_whatever_came_before(self) -> None:
        sequence = game("e2e4 c7c5 g1f3 d7d6 d2d4 c5d4")
        with Stockfish(REAL_ENGINE) as stockfish:
            first = stockfish.evaluate(sequence, FEW_NODES, 20)
            stockfish.evaluate(game(SCHOLARS_MATE), FEW_NODES, 20)
            assert stockfish.evaluate(sequence, FEW_NODES, 20) == first
        assert evaluate(REAL_ENGINE, sequence) == first

    def test_an_endless_search_is_cut_at_its_deadline(self) -> None:
        endless = SearchLimit(nodes_per_position=10**15)
        with Stockfish(REAL_ENGINE) as stockfish, pytest.raises(EngineHung):
            stockfish.evaluate(game(""), endless, 0.3)

    def test_the_engine_quits_when_movelo_is_killed(self, tmp_path: Path) -> None:
        """Nobody can clean up after SIGKILL; Stockfish sees its input end."""
        script = tmp_path / "search.py"
        script.write_text(
            SEARCH_FOR_EVER.format(
                engine=repr(str(REAL_ENGINE)), root=repr(str(Path(__file__).parents[1]))
            )
        )
        with subprocess.Popen(
            [sys.executable, str(script)], stdout=subprocess.PIPE, text=True
        ) as movelo:
            assert movelo.stdout is not None
            engine_id = movelo.stdout.readline().strip()
            movelo.kill()
        assert engine_id.isdigit()
        wait_until_gone(int(engine_id))


def side_ahead(evaluation: Eval | None) -> str:
    if isinstance(evaluation, Mate):
        return evaluation.winner
    assert evaluation is not None
    return "white" if evaluation.value > 0 else "black"


PAUSED_SEARCH = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from engines.evals import PositionSequence, SearchLimit
from engines.stockfish import Stockfish
import chess
with Stockfish(Path({engine!r})) as stockfish:
    print(stockfish.process_id, flush=True)
    game = PositionSequence(game_id="1", start_fen=chess.STARTING_FEN, moves_uci=())
    stockfish.evaluate(game, SearchLimit(nodes_per_position=500), 3)
    print("evaluated")
"""
SEARCH_FOR_EVER = """
import sys
sys.path.insert(0, {root})
from pathlib import Path
from engines.evals import PositionSequence, SearchLimit
from engines.stockfish import Stockfish
import chess
with Stockfish(Path({engine})) as stockfish:
    print(stockfish.process_id, flush=True)
    game = PositionSequence(game_id="1", start_fen=chess.STARTING_FEN, moves_uci=())
    stockfish.evaluate(game, SearchLimit(nodes_per_position=10**15), 3600)
"""


def wait_until_gone(process_id: int) -> None:
    for _ in range(100):
        if not psutil.pid_exists(process_id):
            return
        time.sleep(0.05)
    raise AssertionError(f"process {process_id} is still there")
