"""One Dask worker's places of work: an engine room and a reader of human moves, for each run."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import chess

from config.errors import EngineDied, EngineError, ModelError
from config.language import _
from config.settings import data_folder
from config.version import version
from engines.cluster_engines import EngineShelf
from engines.cluster_orders import EngineOrder, EngineOutcome, Facts, HumanOrder, HumanOutcome
from engines.evals import EngineFailure, PositionSequence, SearchLimit, eval_to_text
from engines.find import find_engine
from engines.maia_install import find_model
from engines.maia_pool import MaiaPool, network_id
from engines.maia_session import CPU
from engines.pool import EnginePool, exponential_back_off
from engines.stockfish import Stockfish
from engines.uci_options import OptionValue

_TRIAL = PositionSequence(game_id="trial", start_fen=chess.STARTING_FEN, moves_uci=("e2e4",))
_TRIAL_NODES = 20_000
_NO_LIMIT = 1 << 20
"""Of games read at once: Dask's own threads are the limit."""


class EngineStation:
    """Evaluates games for one run, in as many threads as ask.

    Making it tries the engine: `facts` say what it is and what it found, and how fast it was
    decides how long a position may take on this worker. EngineError where there is none.
    """

    def __init__(self, order: EngineOrder) -> None:
        self._path = find_engine(order.engine, environment=os.environ, data_folder=data_folder())
        self._order = order
        with EnginePool(
            self._path,
            workers=1,
            limit=order.limit,
            hash_mebibytes=order.hash_mebibytes,
            options=order.options,
        ) as tried:
            engine_id, self._deadline_seconds = tried.engine_id, tried.deadline_seconds
        self._shelf = EngineShelf(self._new_engine, back_off=exponential_back_off)
        self.facts: Facts = (
            ("movelo", version()),
            ("engine", engine_id.name),
            ("network", engine_id.network or ""),
            *_named_files(order.options),
            ("trial", self._trial_answer()),
        )

    def work_on(self, game: PositionSequence) -> EngineOutcome:
        """EngineError when the engine fails on it, which another worker's may not."""
        return self._shelf.evaluate(game, self._order.limit, self._deadline_seconds)

    def stop(self) -> None:
        """Ends the engines, whatever they are doing."""
        self._shelf.stop()

    def _new_engine(self) -> Stockfish:
        return Stockfish(
            self._path,
            hash_mebibytes=self._order.hash_mebibytes,
            options=self._order.options,
        )

    def _trial_answer(self) -> str:
        """An engine of the same name that finds something else is another one."""
        nodes = min(_TRIAL_NODES, self._order.limit.nodes_per_position)
        limit = SearchLimit(nodes_per_position=nodes)
        found = self._shelf.evaluate(_TRIAL, limit, self._deadline_seconds)
        if isinstance(found, EngineFailure):
            raise EngineDied(found.reason)
        pairs = zip(found.evals, found.best_moves_uci, strict=True)
        return ", ".join(f"{eval_to_text(e)} {move}" for e, move in pairs if e is not None)


class HumanStation:
    """Reads games with this worker's human-move model; `facts` name it, "" where there is none."""

    def __init__(self, order: HumanOrder) -> None:
        path = _model_path(order.provider)
        network = network_id(path) if path is not None else ""
        self.facts: Facts = (("movelo", version()), ("human-move model", network))
        self._path = path
        self._provider = order.provider
        self._loading = threading.Lock()
        self._pool: MaiaPool | None = None
        self._stack = ExitStack()

    def work_on(self, game: PositionSequence) -> HumanOutcome:
        """EngineError when the model can't be used on this worker."""
        (outcome,) = self._loaded().likelihoods([game])
        return outcome

    def stop(self) -> None:
        """Games that are being read are read to their end, a second or so."""
        self._stack.close()

    def _loaded(self) -> MaiaPool:
        with self._loading:
            if self._pool is None:
                self._pool = self._load()
            return self._pool

    def _load(self) -> MaiaPool:
        if self._path is None:
            raise EngineError(
                _("the human-move model is gone; obtain it with: movelo model install")
            )
        cores = threading.Semaphore(_NO_LIMIT)
        pool = MaiaPool(self._path, workers=1, cores=cores, provider=self._provider)
        try:
            return self._stack.enter_context(pool)
        except ModelError as error:
            raise EngineError(str(error)) from error


Station: TypeAlias = EngineStation | HumanStation


def new_station(order: EngineOrder | HumanOrder) -> Station:
    """Ready for work; MoveloError says why it can't be had here."""
    return EngineStation(order) if isinstance(order, EngineOrder) else HumanStation(order)


def _model_path(provider: str) -> Path | None:
    """A GPU reads the float32 network, if that is installed."""
    float32 = None if provider == CPU else find_model(data_folder(), float32=True)
    return float32 or find_model(data_folder())


def _named_files(options: Iterable[tuple[str, OptionValue]]) -> Iterator[tuple[str, str]]:
    """Networks and tables that options name may be others on another machine."""
    for name, value in options:
        if name.lower() == "evalfile" and Path(str(value)).is_file():
            yield "network file", sha256(Path(str(value)).read_bytes()).hexdigest()[:16]
        if name.lower() == "syzygypath":
            folders = [Path(folder) for folder in str(value).split(os.pathsep)]
            tables = {file.name for folder in folders for file in folder.glob("*.rtb[wz]")}
            yield "tables", f"{len(tables)}"
