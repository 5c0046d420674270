"""The human-move model at work on many games at once."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

import numpy as np

from config.errors import InputError
from config.language import english
from engines.evals import PositionSequence
from engines.human_likelihoods import HumanLikelihoods
from engines.look_ahead import look_ahead
from engines.maia import MaiaModel
from engines.maia_session import CPU

_log = logging.getLogger(__name__)
_GAMES_AHEAD = 500
_GAMES_A_BATCH = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanMoveFailure:
    """A game that the human-move model did not read, and why: one sentence for a person."""

    game_id: str
    reason: str


HumanOutcome: TypeAlias = HumanLikelihoods | HumanMoveFailure | BaseException
Deliver: TypeAlias = Callable[[HumanOutcome], None]
"""Called in a worker's thread with each game's outcome, once; the caller's raises exceptions."""


class MaiaPool:
    """`workers` threads with one network; use as a context manager.

    Entering loads it: ModelError when it cannot be used. Threads are enough, for onnxruntime
    computes outside the interpreter's lock: two of them took 0.52 of the time of one. `cores`
    is shared with others who compute there; None when there are none.
    """

    def __init__(
        self,
        path: Path,
        *,
        workers: int,
        cores: threading.Semaphore | None = None,
        provider: str = CPU,
    ) -> None:
        """`provider` as for `MaiaModel`; a float32 network is read in batches, by one thread."""
        if workers < 1:
            raise ValueError("a pool needs at least one worker")
        self._path = path
        self._provider = provider
        self._workers = workers
        self._cores = cores or threading.Semaphore(workers)
        self._model: MaiaModel | None = None

    def __enter__(self) -> MaiaPool:
        self._model = MaiaModel(self._path, provider=self._provider)
        return self

    def __exit__(self, *_: object) -> None:
        self._model = None

    @property
    def network(self) -> str:
        """See `network_id`; known before the network is loaded."""
        return network_id(self._path)

    def crew(self, deliver: Deliver) -> MaiaCrew | MaiaBatchCrew:
        """Threads for games that come one by one."""
        if self._model is None:
            raise RuntimeError("a pool is used in a with statement")
        if self._model.reads_in_batches:
            return MaiaBatchCrew(self._model, deliver)
        return MaiaCrew(self._model, self._workers, self._cores, deliver)

    def likelihoods(
        self, sequences: Iterable[PositionSequence]
    ) -> Iterator[HumanLikelihoods | HumanMoveFailure]:
        """Read games, longest first, and yield each as it is finished.

        However the iteration ends, no thread is left at work: it waits for the games that are
        being read, a second or so, and begins no other.
        """
        games = sorted(sequences, key=lambda game: len(game.moves_uci), reverse=True)
        finished: SimpleQueue[HumanOutcome] = SimpleQueue()
        with self.crew(finished.put) as crew:
            outcomes: Iterator[HumanLikelihoods | HumanMoveFailure] = look_ahead(
                games, crew.submit, finished, at_most=_GAMES_AHEAD
            )
            yield from outcomes


class MaiaCrew:
    """Threads that read games as they come; use as a context manager.

    The end of the `with` block waits for the games that are being read, and gives up those
    that are not begun.
    """

    def __init__(
        self, model: MaiaModel, workers: int, cores: threading.Semaphore, deliver: Deliver
    ) -> None:
        self._model = model
        self._cores = cores
        self._deliver = deliver
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix="movelo human moves")

    def __enter__(self) -> MaiaCrew:
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(cancel_futures=True)

    def submit(self, sequence: PositionSequence) -> None:
        """Have a game read; its outcome is delivered when it is there."""
        self._executor.submit(self._work_on, sequence)

    def _work_on(self, game: PositionSequence) -> None:
        try:
            with self._cores:
                outcome: HumanOutcome = self._read(game)
        except BaseException as error:  # the caller's thread raises it
            outcome = error
        self._deliver(outcome)

    def _read(self, game: PositionSequence) -> HumanLikelihoods | HumanMoveFailure:
        try:
            return _checked(self._model.likelihoods(game), game)
        except InputError as error:
            return _checked(error, game)
        except Exception as error:  # onnxruntime's own classes are private to it
            _log.warning("the human-move model failed on game %s", game.game_id, exc_info=True)
            return _failure(game, _first_line(error))


class MaiaBatchCrew:
    """A thread that reads all games that wait in batches, on a GPU; use as a context manager.

    It takes no core from the engines. The end of the `with` block waits for the games that
    are being read, and gives up those that are not begun.
    """

    def __init__(self, model: MaiaModel, deliver: Deliver) -> None:
        self._model = model
        self._deliver = deliver
        self._stopping = False
        self._todo: SimpleQueue[PositionSequence | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="movelo human moves", daemon=True)
        self._thread.start()

    def __enter__(self) -> MaiaBatchCrew:
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping = True
        self._todo.put(None)
        self._thread.join()

    def submit(self, sequence: PositionSequence) -> None:
        """Have a game read; its outcome is delivered when it is there."""
        self._todo.put(sequence)

    def _run(self) -> None:
        while (first := self._todo.get()) is not None and not self._stopping:
            games = [first]
            while len(games) < _GAMES_A_BATCH and not self._todo.empty():
                if (game := self._todo.get()) is None:
                    return
                games.append(game)
            self._read(games)

    def _read(self, games: list[PositionSequence]) -> None:
        left = deque(games)
        try:
            for outcome in self._model.likelihoods_of_many(games):
                self._deliver(_checked(outcome, left.popleft()))
        except Exception as error:  # onnxruntime's own classes are private to it
            _log.warning("the human-move model failed on a batch", exc_info=True)
            for game in left:
                self._deliver(_failure(game, _first_line(error)))


def network_id(path: Path) -> str:
    """Which network a file holds: every byte of it counts, and so does its version."""
    digest = sha256(path.read_bytes()).hexdigest()
    return f"{path.stem} {digest[:16]}"


def _checked(
    found: HumanLikelihoods | InputError, game: PositionSequence
) -> HumanLikelihoods | HumanMoveFailure:
    if isinstance(found, InputError):
        return HumanMoveFailure(game_id=game.game_id, reason=str(found))
    if not np.isfinite(found.log_probabilities).all():
        return _failure(game, english("it computes no probabilities"))
    return found


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def _failure(game: PositionSequence, reason: str) -> HumanMoveFailure:
    return HumanMoveFailure(
        game_id=game.game_id,
        reason=english(
            "the human-move model failed on it ({reason}); obtain it again with: movelo "
            "model install"
        ).format(reason=reason),
    )
