"""One engine by itself, without a pool: what its own `bench` reaches, and what a search counts."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Literal, TypeAlias

from config.errors import EngineNotFound
from config.language import _
from engines.evals import PositionSequence, SearchLimit
from engines.stockfish import Stockfish

UciOptions: TypeAlias = tuple[tuple[str, str | int | bool], ...]
BenchEvaluation: TypeAlias = Literal["NNUE", "mixed"]

_BENCH_TIMEOUT_SECONDS = 120.0
_POSITION_TIMEOUT_SECONDS = 600.0
_NODES_PER_SECOND = re.compile(r"^Nodes/second\s*:\s*(\d+)", re.MULTILINE)


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
        benches = [stack.enter_context(_process(setup.path)) for _number in range(processes)]
        for bench in benches:
            _send(bench, script)
        reached = [_nodes_per_second(bench) for bench in benches]
    known = [nodes for nodes in reached if nodes is not None]
    return sum(known) if len(known) == processes else None


def search_alone(
    setup: EngineSetup,
    sequences: Iterable[PositionSequence],
    *,
    limit: SearchLimit,
    enough_seconds: float,
    clock: Callable[[], float],
) -> Searched:
    """Search whole games as the pool does, until `enough_seconds` went by or all are done.

    Last position first, hash cleared between games: the nodes are those that a pool's engine
    searches. `go nodes N` searches some more than N, or fewer where nothing is left to search.
    Raises EngineNotFound, EngineDied, EngineHung, SettingsError, InputError.
    """
    games = positions = 0
    started_at = clock()
    with Stockfish(
        setup.path, hash_mebibytes=setup.hash_mebibytes, options=setup.options
    ) as engine:
        ready_at = clock()
        for sequence in sequences:
            games += 1
            positions += len(sequence.moves_uci) + 1
            engine.evaluate(sequence, limit, _POSITION_TIMEOUT_SECONDS)
            if clock() - ready_at >= enough_seconds:
                break
        seconds = clock() - ready_at
        nodes = engine.nodes_searched
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


# --- its process ----------------------------------------------------------------------------


@contextmanager
def _process(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A running engine; gone at the end of the block, whatever it is doing."""
    try:
        engine = subprocess.Popen(
            [str(path.absolute())],
            stdin=PIPE,
            stdout=DEVNULL,
            stderr=PIPE,
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
