"""One engine by itself, without a pool: what its own `bench` reaches, and what a search counts."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Literal, TypeAlias

from config.errors import EngineDied, EngineNotFound
from config.language import _
from engines.evals import PositionSequence
from engines.positions import Position, final_board, positions_backwards

UciOptions: TypeAlias = tuple[tuple[str, str | int | bool], ...]
BenchEvaluation: TypeAlias = Literal["NNUE", "mixed"]

_BENCH_TIMEOUT_SECONDS = 120.0
_GAME_TIMEOUT_SECONDS = 600.0
_NODES_PER_SECOND = re.compile(r"^Nodes/second\s*:\s*(\d+)", re.MULTILINE)
_NODES = re.compile(r" nodes (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSetup:
    """A UCI engine and what it is told; it always has one thread."""

    path: Path
    hash_mebibytes: int
    options: UciOptions = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """`positions` (those that the rules finished too), and the nodes that the engine counted.

    `seconds` are those of the searches; `start_seconds` went by before the engine was ready.
    """

    games: int
    positions: int
    nodes: int
    seconds: float
    start_seconds: float

    @property
    def nodes_per_position(self) -> float:
        """Nodes searched for a position, on average."""
        return self.nodes / self.positions


def bench_nodes_per_second(
    setup: EngineSetup, *, processes: int, evaluation: BenchEvaluation = "NNUE"
) -> int | None:
    """What `processes` engines reach at once, all together, in Stockfish's own `bench`.

    Fifty positions to depth 13. Stockfish 15.1, and others that still have a classical
    evaluation, use it for every other position ("mixed", their default), which makes that bench
    half as fast again; games are searched with the network. None where an engine does not know
    that command (it is Stockfish's, not UCI's). Raises EngineNotFound.
    """
    # Fed by standard input, not as arguments, so that the options hold.
    command = f"bench {setup.hash_mebibytes} 1 13 default depth {evaluation}"
    script = "\n".join([*_option_lines(setup.options), command, "quit", ""])
    with ExitStack() as stack:
        benches = [
            stack.enter_context(_process(setup.path, stdout=DEVNULL, stderr=PIPE))
            for _ in range(processes)
        ]
        for bench in benches:
            _send(bench, script)
        reached = [_nodes_per_second(bench) for bench in benches]
    known = [nodes for nodes in reached if nodes is not None]
    return sum(known) if len(known) == processes else None


def search_alone(
    setup: EngineSetup,
    sequences: Iterable[PositionSequence],
    *,
    nodes_per_position: int,
    enough_seconds: float,
    clock: Callable[[], float],
) -> Searched:
    """Search whole games as the pool does, until `enough_seconds` went by or all are done.

    Last position first, hash cleared between games: the nodes are those that a pool's engine
    searches. `go nodes N` searches some more than N, or fewer where nothing is left to search.
    Raises EngineNotFound, EngineDied, InputError.
    """
    games = positions = nodes = 0
    started_at = clock()
    with _process(setup.path, stdout=PIPE, stderr=DEVNULL) as engine:
        _begin(engine, setup)
        ready_at = clock()
        for sequence in sequences:
            games += 1
            positions += len(sequence.moves_uci) + 1
            nodes += _nodes_of_game(engine, setup.path, sequence, nodes_per_position)
            if clock() - ready_at >= enough_seconds:
                break
        seconds = clock() - ready_at
    return Searched(
        games=games,
        positions=positions,
        nodes=nodes,
        seconds=seconds,
        start_seconds=ready_at - started_at,
    )


# --- Stockfish's own bench ------------------------------------------------------------------


def _nodes_per_second(bench: subprocess.Popen[str]) -> int | None:
    try:
        _, printed = bench.communicate(timeout=_BENCH_TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    found = _NODES_PER_SECOND.search(printed)
    return int(found[1]) if found else None


# --- searching games ------------------------------------------------------------------------


def _begin(engine: subprocess.Popen[str], setup: EngineSetup) -> None:
    own: UciOptions = (
        ("Threads", 1),
        ("Hash", setup.hash_mebibytes),
        ("UCI_AnalyseMode", True),
    )
    _send(engine, "\n".join(["uci", *_option_lines(setup.options + own), "isready", ""]))
    with _deadline(engine):
        _read_until(engine, setup.path, "readyok")


def _nodes_of_game(
    engine: subprocess.Popen[str], path: Path, sequence: PositionSequence, nodes_per_position: int
) -> int:
    chess960 = _option_lines((("UCI_Chess960", sequence.chess960),))
    with _deadline(engine):
        _send(engine, "\n".join([*chess960, "ucinewgame", "isready", ""]))
        _read_until(engine, path, "readyok")
        return sum(
            _nodes_of_position(engine, path, position, nodes_per_position)
            for position in positions_backwards(final_board(sequence))
            if position.finished is None
        )


def _nodes_of_position(
    engine: subprocess.Popen[str], path: Path, position: Position, nodes_per_position: int
) -> int:
    _send(engine, f"{position.command}\ngo nodes {nodes_per_position}\n")
    return _read_until(engine, path, "bestmove")


def _read_until(engine: subprocess.Popen[str], path: Path, word: str) -> int:
    """The nodes that the engine spoke of last before a line that begins with `word`."""
    nodes = 0
    for line in engine.stdout or ():
        if line.startswith(word):
            return nodes
        if line.startswith("info ") and (found := _NODES.search(line)):
            nodes = int(found[1])
    raise EngineDied(
        _(
            "{path} ended, or gave no answer for {game_timeout_seconds} s, while its nodes "
            "were counted; start it in a terminal to see why"
        ).format(path=path, game_timeout_seconds=f"{_GAME_TIMEOUT_SECONDS:g}")
    )


@contextmanager
def _deadline(engine: subprocess.Popen[str]) -> Iterator[None]:
    """Kills the engine when the block takes too long: whoever reads then sees its end."""
    timer = threading.Timer(_GAME_TIMEOUT_SECONDS, engine.kill)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


# --- the process ----------------------------------------------------------------------------


@contextmanager
def _process(path: Path, *, stdout: int, stderr: int) -> Iterator[subprocess.Popen[str]]:
    """A running engine; gone at the end of the block, whatever it is doing."""
    try:
        engine = subprocess.Popen(
            [str(path.absolute())],
            stdin=PIPE,
            stdout=stdout,
            stderr=stderr,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise EngineNotFound(
            _("{path} cannot be started ({error}); give another path").format(
                path=path, error=error.strerror
            )
        ) from error
    with engine:
        try:
            yield engine
        finally:
            engine.kill()


def _send(engine: subprocess.Popen[str], text: str) -> None:
    """To an engine that is gone nothing is said: whoever reads its answer notices."""
    assert engine.stdin is not None, "an engine is started with a pipe"  # noqa: S101
    try:
        engine.stdin.write(text)
        engine.stdin.flush()
    except BrokenPipeError:
        with suppress(BrokenPipeError):
            engine.stdin.close()


def _option_lines(options: UciOptions) -> Iterator[str]:
    for name, value in options:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        yield f"setoption name {name} value {text}"
