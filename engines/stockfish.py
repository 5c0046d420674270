"""One UCI engine process, asked for the evaluations of whole games.

The only module that imports chess.engine. Deadlines are kept here, because python-chess has
none for a search limited by nodes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

import chess
import chess.engine

from config.errors import EngineDied, EngineHung, EngineNotFound, SettingsError
from engines.evals import (
    Centipawns,
    EngineId,
    Eval,
    GameEvals,
    Mate,
    PositionSequence,
    SearchLimit,
)
from engines.positions import final_board, finished_eval
from engines.process import exit_hint, kill_group

EngineOptions: TypeAlias = Iterable[tuple[str, str | int | bool]]
_Answer: TypeAlias = tuple[Eval, str]

_log = logging.getLogger(__name__)
_SECONDS_TO_DIE = 5.0
_OWN_OPTIONS = frozenset({"threads", "hash"})


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
        self._unusable_answer: asyncio.Future[str] | None = None
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
        and the moves, so that repetitions count. Finished positions are not sent at all.
        Raises InputError (an illegal position or move), EngineDied, EngineHung; after the
        last two the engine is of no use any more.
        """
        engine_id = self.engine_id
        board = final_board(sequence)
        answers = self._runner.run(self._backwards(sequence, board, limit, deadline_seconds))
        return GameEvals(
            game_id=sequence.game_id,
            engine=engine_id,
            limit=limit,
            evals=tuple(evaluation for evaluation, _ in reversed(answers)),
            best_moves_uci=tuple(move_uci for _, move_uci in reversed(answers)),
        )

    # --- starting --------------------------------------------------------------------------

    async def _start(self) -> None:
        asyncio.get_running_loop().set_exception_handler(self._note_unusable_answer)
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
        own = {"Threads": 1, "Hash": self._hash_mebibytes}
        return self._options | {name: n for name, n in own.items() if name in engine.options}

    # --- searching -------------------------------------------------------------------------

    async def _backwards(
        self,
        sequence: PositionSequence,
        board: chess.Board,
        limit: SearchLimit,
        deadline_seconds: float,
    ) -> list[tuple[Eval, str | None]]:
        game = object()  # one that python-chess has not seen: it sends `ucinewgame`
        answers: list[tuple[Eval, str | None]] = []
        for position in reversed(range(len(sequence.moves_uci) + 1)):
            finished = finished_eval(board)
            if finished is not None:
                answers.append((finished, None))
            else:
                where = f"at game {sequence.game_id}, position {position}"
                search = self._search(board, limit, game)
                answers.append(await self._in_time(search, deadline_seconds, where))
            if position > 0:
                board.pop()
        return answers

    async def _search(self, board: chess.Board, limit: SearchLimit, game: object) -> _Answer:
        analysis = await self._running().analysis(
            board,
            chess.engine.Limit(nodes=limit.nodes_per_position),
            game=game,
            info=chess.engine.INFO_SCORE,
        )
        score: chess.engine.PovScore | None = None
        async for info in analysis:
            # The nodes may run out in the middle of a search for a bound: that is no value.
            if not (info.get("lowerbound") or info.get("upperbound")):
                score = info.get("score", score)
        best_move = (await analysis.wait()).move
        if score is None or best_move is None:
            missing = "score" if score is None else "move"
            raise chess.engine.EngineError(f"it answered without a {missing}")
        return _evaluation(score), best_move.uci()

    async def _in_time(
        self, search: Coroutine[Any, Any, _Answer], deadline_seconds: float, where: str
    ) -> _Answer:
        self._unusable_answer = asyncio.get_running_loop().create_future()
        searching = asyncio.create_task(search)
        searching.add_done_callback(_take_note)
        awaited: set[asyncio.Future[Any]] = {
            searching,
            self._unusable_answer,
            self._running().returncode,  # python-chess misses a death before `readyok`
        }
        await asyncio.wait(awaited, timeout=deadline_seconds, return_when=asyncio.FIRST_COMPLETED)
        failure = searching.exception() if searching.done() else None
        if searching.done() and failure is None:
            return searching.result()
        self.kill()
        raise self._reason(failure, deadline_seconds, where) from failure

    def _reason(
        self, failure: BaseException | None, deadline_seconds: float, where: str
    ) -> BaseException:
        if self._running().returncode.done():
            return self._died(where)
        if isinstance(failure, chess.engine.EngineError):
            return self._nonsense(where, str(failure))
        if self._unusable_answer is not None and self._unusable_answer.done():
            return self._nonsense(where, self._unusable_answer.result())
        return failure or EngineHung(
            f"{self._path} gave no answer within {deadline_seconds:g} s {where}; "
            "give it fewer nodes or a later deadline"
        )

    def _note_unusable_answer(
        self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]
    ) -> None:
        """python-chess reports a best move it cannot use to the loop, and goes on waiting."""
        reason = str(context.get("exception") or context["message"])
        _log.debug("%s: %s", self._path, reason)
        if self._unusable_answer is not None and not self._unusable_answer.done():
            self._unusable_answer.set_result(reason)

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

    def error_line_received(self, line: str) -> None:
        _log.debug("%r on standard error: %s", self, line)
        self.last_error_line = line.strip() or self.last_error_line


def _evaluation(score: chess.engine.PovScore) -> Eval:
    for_white = score.white()
    moves = for_white.mate()
    if moves is None:
        return Centipawns(for_white.score(mate_score=0))
    if moves == 0:
        raise chess.engine.EngineError("it sees a mate on the board where there is none")
    return Mate("white" if moves > 0 else "black", abs(moves))


async def _end(transport: asyncio.SubprocessTransport, engine: _Protocol) -> None:
    # In this order: closing polls the process, and asyncio's own watcher would miss its death.
    await asyncio.wait({engine.returncode}, timeout=_SECONDS_TO_DIE)
    transport.close()


def _take_note(task: asyncio.Task[Any]) -> None:
    """Look at the outcome of a search nobody waits for, lest asyncio complain about it."""
    if not task.cancelled():
        task.exception()
