"""One UCI engine process, asked for the evaluations of whole games.

The only module that imports chess.engine. Deadlines are kept here, because python-chess has
none for a search limited by nodes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

import chess
import chess.engine

from config.errors import EngineDied, EngineHung, EngineNotFound, SettingsError
from engines.evals import EngineId, Eval, GameEvals, KnownEval, PositionSequence, SearchLimit
from engines.positions import Position, final_board, positions_backwards
from engines.process import exit_hint, kill_group
from engines.uci_answers import best_move_in, is_exact_score, score_in

EngineOptions: TypeAlias = Iterable[tuple[str, str | int | bool]]
_Answers: TypeAlias = dict[int, tuple[Eval, str | None]]
"""Evaluation and best move by the position's number; no move where the game is over."""

_log = logging.getLogger(__name__)
_SECONDS_TO_DIE = 5.0
_LATE_SECONDS = 1.0
_OWN_OPTIONS = frozenset(
    {"threads", "hash", "multipv", "ponder", "uci_analysemode", "uci_chess960", "uci_variant"}
)


class Stockfish:
    """A UCI engine with one thread, alive between `start` and `close` (or in a `with`).

    Used by one thread at a time, outside any running event loop; only `kill` may be called
    from elsewhere. The engine leads a process group of its own, so that Ctrl-C in a terminal
    reaches movelo alone. Should movelo be killed, the engine's standard input ends, on which
    Stockfish stops searching and quits.
    """

    def __init__(
        self,
        path: Path,
        *,
        hash_mebibytes: int = 64,
        options: EngineOptions = (),
        start_timeout_seconds: float = 30.0,
    ) -> None:
        self._path = path
        self._hash_mebibytes = hash_mebibytes
        self._options = dict(options)
        self._start_timeout_seconds = start_timeout_seconds
        self._runner = asyncio.Runner()
        self._transport: asyncio.SubprocessTransport | None = None
        self._engine: _Protocol | None = None
        self._killed = False

    def __enter__(self) -> Stockfish:
        self.start()
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the process and wait until it is ready.

        Raises EngineNotFound, EngineDied, EngineHung, or SettingsError for an option that the
        engine does not know; no process is left then.
        """
        try:
            self._runner.run(self._start())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process, whatever it is doing, and wait until it is gone."""
        self.kill()
        if self._engine is not None and self._transport is not None:
            self._runner.run(_end(self._transport, self._engine))
        self._engine = None
        self._runner.close()

    def kill(self) -> None:
        """End the process at once; a search under way raises EngineDied. From any thread."""
        self._killed = True
        if self._transport is not None and self._transport.get_returncode() is None:
            kill_group(self._transport.get_pid())

    @property
    def engine_id(self) -> EngineId:
        """The name that the engine states, and the network it uses if it tells."""
        engine = self._running()
        option = engine.options.get("EvalFile")
        network = self._options.get("EvalFile", option.default if option else None)
        named = network not in (None, "", "<empty>")
        return EngineId(
            name=engine.id.get("name") or self._path.name, network=str(network) if named else None
        )

    def evaluate(
        self, sequence: PositionSequence, limit: SearchLimit, deadline_seconds: float
    ) -> GameEvals:
        """Evaluate every position of a game, each within `deadline_seconds`.

        From the last position to the first, so that the hash already knows what follows; the
        hash is cleared first, so that no other game matters. A position is sent as the start
        and the moves, so that repetitions count. Finished and known ones are not sent at all.
        Raises InputError (an illegal position or move), EngineDied, EngineHung; after the
        last two the engine is of no use any more.
        """
        engine_id = self.engine_id
        board = final_board(sequence)
        found = self._runner.run(self._searched(sequence, board, limit, deadline_seconds))
        answers = [found[number] for number in range(len(sequence.moves_uci) + 1)]
        return GameEvals(
            game_id=sequence.game_id,
            engine=engine_id,
            limit=limit,
            evals=tuple(evaluation for evaluation, _ in answers),
            best_moves_uci=tuple(move_uci for _, move_uci in answers),
        )

    # --- starting --------------------------------------------------------------------------

    async def _start(self) -> None:
        engine = await self._spawn()
        try:
            async with asyncio.timeout(self._start_timeout_seconds):
                await engine.initialize()
                await engine.configure(self._configuration(engine))
                await engine.ping()
        except TimeoutError as error:
            raise EngineHung(
                f"{self._path} did not answer as a UCI engine within "
                f"{self._start_timeout_seconds:g} s; is it one?"
            ) from error
        except chess.engine.EngineTerminatedError as error:
            raise self._died("while it started") from error
        except chess.engine.EngineError as error:
            raise SettingsError(f"engine options: {self._path} refuses them: {error}") from error

    async def _spawn(self) -> _Protocol:
        path = self._path.absolute()  # a bare name would be looked up on PATH
        try:
            self._transport, self._engine = await _Protocol.popen(str(path), setpgrp=True)
        except OSError as error:
            if not path.exists():
                raise EngineNotFound(f"there is no engine at {path}; give another path") from error
            raise EngineDied(
                f"{path} cannot be started ({error.strerror}); is it a program for this machine?"
            ) from error
        if self._killed:
            self.kill()
        return self._engine

    def _configuration(self, engine: _Protocol) -> dict[str, str | int | bool]:
        for name in self._options:
            if name.lower() in _OWN_OPTIONS:
                raise SettingsError(f"engine options: {name} is set by movelo; remove it")
        own = {"Threads": 1, "Hash": self._hash_mebibytes, "UCI_AnalyseMode": True}
        return self._options | {name: v for name, v in own.items() if name in engine.options}

    # --- searching -------------------------------------------------------------------------

    async def _searched(
        self,
        sequence: PositionSequence,
        board: chess.Board,
        limit: SearchLimit,
        deadline_seconds: float,
    ) -> _Answers:
        engine = self._running()
        search = _GameSearch(engine, board, limit, dict(sequence.known))
        searching = asyncio.create_task(engine.communicate(lambda _: search))
        searching.add_done_callback(_take_note)
        awaited: set[asyncio.Future[Any]] = {searching, engine.returncode}
        while (seconds := search.seconds_left(deadline_seconds)) > 0:
            due_at = engine.loop.time() + seconds
            await asyncio.wait(awaited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if any(one.done() for one in awaited):
                break
            search.forgive(engine.loop.time() - due_at)
        failure = searching.exception() if searching.done() else None
        if searching.done() and failure is None:
            return searching.result()
        self.kill()
        where = f"at game {sequence.game_id}, position {search.position_number}"
        raise self._reason(failure, deadline_seconds, where) from failure

    def _reason(
        self, failure: BaseException | None, deadline_seconds: float, where: str
    ) -> BaseException:
        terminated = isinstance(failure, chess.engine.EngineTerminatedError)
        if terminated or self._running().returncode.done():
            return self._died(where)
        if isinstance(failure, chess.engine.EngineError):
            return self._nonsense(where, str(failure))
        return failure or EngineHung(
            f"{self._path} gave no answer within {deadline_seconds:g} s {where}; "
            "give it fewer nodes or a later deadline"
        )

    # --- failing ---------------------------------------------------------------------------

    def _running(self) -> _Protocol:
        if self._engine is None:
            raise EngineDied(f"{self._path} is not running; start it first")
        return self._engine

    def _nonsense(self, where: str, reason: str) -> EngineDied:
        return EngineDied(f"{self._path} made no sense {where}: {reason}; try another engine")

    def _died(self, where: str) -> EngineDied:
        code = self._transport.get_returncode() if self._transport is not None else None
        last_words = self._running().last_error_line or exit_hint(code)
        return EngineDied(f"{self._path} died {where} (exit code {code}): {last_words}")


class _Protocol(chess.engine.UciProtocol):
    """Keeps the last line on standard error: mostly the reason for a death."""

    last_error_line = ""

    def begin_game(self, *, chess960: bool) -> None:
        """Make the engine forget what it knows; it says `readyok` when it has.

        Raises chess.engine.EngineError if it cannot play by the game's rules.
        """
        if chess960 and "UCI_Chess960" not in self.options:
            raise chess.engine.EngineError("it does not know Chess960")
        self._set_managed("UCI_Variant", "chess")
        self._set_managed("UCI_Chess960", chess960)
        self._set_managed("MultiPV", 1)
        self._set_managed("Ponder", False)
        self.send_line("ucinewgame")
        self.send_line("isready")

    def _set_managed(self, name: str, value: str | int | bool) -> None:
        """Set an option that python-chess keeps to itself, where it differs from what is set."""
        if name in self.options and self.config.get(name) != value:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            self.send_line(f"setoption name {name} value {text}")
            self.config[name] = value

    def error_line_received(self, line: str) -> None:
        _log.debug("%r on standard error: %s", self, line)
        self.last_error_line = line.strip() or self.last_error_line


class _GameSearch(chess.engine.BaseCommand[_Answers]):
    """Every position of a game, searched in one go: the next is ready when an answer comes.

    python-chess's own `analysis` reads each line into objects, of which all but the last are
    thrown away, and wakes a task for each position: a sixth of a core beside two engines.
    """

    def __init__(
        self,
        engine: _Protocol,
        board: chess.Board,
        limit: SearchLimit,
        known: Mapping[int, KnownEval],
    ) -> None:
        super().__init__(engine)
        self.position_number = len(board.move_stack)
        self._protocol = engine
        self._chess960 = board.chess960
        self._go = f"go nodes {limit.nodes_per_position}"
        self._known = known
        self._positions = positions_backwards(board)
        self._answers: _Answers = {}
        self._upcoming: Position | None = None
        self._searched: Position | None = None
        self._score_line: str | None = None
        self._asked_at = engine.loop.time()

    def seconds_left(self, deadline_seconds: float) -> float:
        """Until the position that is being searched is overdue."""
        return self._asked_at + deadline_seconds - self._protocol.loop.time()

    def forgive(self, overslept_seconds: float) -> None:
        """Whoever woke up so late was stopped (Ctrl-Z, a full machine), and so was the engine.

        Nobody knows for how long: the deadline begins anew.
        """
        if overslept_seconds > _LATE_SECONDS:
            self._asked_at = self._protocol.loop.time()

    def start(self) -> None:
        self._asked_at = self._protocol.loop.time()
        self._upcoming = self._prepared()
        if self._upcoming is None:
            self._finish()
            return
        self._protocol.begin_game(chess960=self._chess960)

    def engine_terminated(self, exc: Exception) -> None:
        if not self.result.done():
            super().engine_terminated(exc)

    def line_received(self, line: str) -> None:
        if self.result.done():  # it made no sense, and its end is near
            return
        if self._searched is None:
            if line.strip() == "readyok":
                self._ask()
        elif is_exact_score(line):
            self._score_line = line
        elif line.startswith("bestmove"):
            self._take(self._searched, self._score_line, line)

    def _take(self, position: Position, score_line: str | None, best_move_line: str) -> None:
        was_last = self._upcoming is None
        if not was_last:
            self._ask()  # first: what follows is done while the engine is at work
        self._answers[position.number] = self._answer(position, score_line, best_move_line)
        if was_last:
            self._finish()

    def _ask(self) -> None:
        position = self._upcoming
        if position is None:
            raise chess.engine.EngineError("it is ready for more than was asked")
        self._searched, self._score_line = position, None
        self.position_number = position.number
        self._asked_at = self._protocol.loop.time()
        self._protocol.send_line(f"{position.command}\n{self._go}")
        self._upcoming = self._prepared()

    def _prepared(self) -> Position | None:
        """The next position that needs an engine; those before it are answered."""
        for position in self._positions:
            known = self._known.get(position.number)
            if position.finished is not None:
                self._answers[position.number] = (position.finished, None)
            elif known is not None:
                self._answers[position.number] = (known.eval, known.best_move_uci)
            else:
                return position
        return None

    def _answer(
        self, position: Position, score_line: str | None, best_move_line: str
    ) -> tuple[Eval, str]:
        try:
            if score_line is None:
                raise ValueError("it answered without a score")
            best_move_uci = best_move_in(best_move_line, position.board)
            return score_in(score_line, position.board.turn), best_move_uci
        except ValueError as error:
            self.position_number = position.number
            raise chess.engine.EngineError(str(error)) from error

    def _finish(self) -> None:
        self.result.set_result(self._answers)
        self.set_finished()


async def _end(transport: asyncio.SubprocessTransport, engine: _Protocol) -> None:
    # In this order: closing polls the process, and asyncio's own watcher would miss its death.
    await asyncio.wait({engine.returncode}, timeout=_SECONDS_TO_DIE)
    transport.close()


def _take_note(task: asyncio.Task[_Answers]) -> None:
    """Look at the outcome of a search nobody waits for, lest asyncio complain about it."""
    if not task.cancelled():
        task.exception()
