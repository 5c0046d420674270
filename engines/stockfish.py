"""One UCI engine, asked for the evaluations of whole games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from config.errors import EngineDied, SettingsError
from config.language import _
from engines.evals import USUAL_HASH_MEBIBYTES, EngineId, GameEvals, PositionSequence, SearchLimit
from engines.positions import Answers, Position, divided, final_board
from engines.uci_failures import nonsense, search_failure, start_failure, where_in
from engines.uci_options import OptionValue, UciOptions, option_in
from engines.uci_process import UciProcess
from engines.uci_search import answer

EngineOptions: TypeAlias = Iterable[tuple[str, OptionValue]]

_OWN_OPTIONS = frozenset(
    {"threads", "hash", "multipv", "ponder", "uci_analysemode", "uci_chess960", "uci_variant"}
)


class Stockfish:
    """A UCI engine with one thread, alive between `start` and `close` (or in a `with`).

    Used by one thread at a time; only `kill` may be called from elsewhere.
    """

    def __init__(
        self,
        path: Path,
        *,
        hash_mebibytes: int = USUAL_HASH_MEBIBYTES,
        options: EngineOptions = (),
        start_timeout_seconds: float = 30.0,
    ) -> None:
        self._path = path
        self._hash_mebibytes = hash_mebibytes
        self._options = dict(options)
        self._start_timeout_seconds = start_timeout_seconds
        self._process: UciProcess | None = None
        self._name = path.name
        self._known_options = UciOptions()
        self._killed = False
        self._nodes_searched = 0

    def __enter__(self) -> Stockfish:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the process and wait until it is ready.

        Raises EngineNotFound, EngineDied, EngineHung, or SettingsError for an option that the
        engine does not know; no process is left then.
        """
        self._process = process = UciProcess(self._path)
        if self._killed:
            self.kill()
        try:
            process.deadline.set(self._start_timeout_seconds)
            self._greet(process)
            self._configure(process)
            _await_ready(process)
            process.deadline.clear()
        except EOFError as error:
            failure = start_failure(self._path, process, self._start_timeout_seconds)
            self.close()
            raise failure from error
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process, whatever it is doing, and wait until it is gone."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def kill(self) -> None:
        """End the process at once; a search under way raises EngineDied. From any thread."""
        self._killed = True
        process = self._process
        if process is not None:
            process.kill()

    @property
    def process_id(self) -> int:
        """Of the engine that is running."""
        return self._running().id

    @property
    def engine_id(self) -> EngineId:
        """The name that the engine states, and the network it uses if it tells."""
        self._running()
        network = self._known_options.value("EvalFile")
        return EngineId(
            name=self._name, network=None if network in (None, "", "<empty>") else network
        )

    @property
    def nodes_searched(self) -> int:
        """In all its searches so far, as it counts them itself."""
        return self._nodes_searched

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
        to_search, answers = divided(final_board(sequence), dict(sequence.known))
        if to_search:
            self._search_backwards(sequence, to_search, answers, limit, deadline_seconds)
        in_order = [answers[number] for number in range(len(sequence.moves_uci) + 1)]
        return GameEvals(
            game_id=sequence.game_id,
            engine=engine_id,
            limit=limit,
            evals=tuple(evaluation for evaluation, _ in in_order),
            best_moves_uci=tuple(move_uci for _, move_uci in in_order),
        )

    # --- starting --------------------------------------------------------------------------

    def _greet(self, process: UciProcess) -> None:
        process.send("uci\n")
        while (line := process.read_line()) != "uciok":
            if line.startswith("id name "):
                self._name = line.removeprefix("id name ").strip() or self._name
            elif (option := option_in(line)) is not None:
                self._known_options.add(option)

    def _configure(self, process: UciProcess) -> None:
        for name in self._options:
            if name.lower() in _OWN_OPTIONS:
                raise SettingsError(
                    _("engine options: {name} is set by movelo; remove it").format(name=name)
                )
        own = {"Threads": 1, "Hash": self._hash_mebibytes, "UCI_AnalyseMode": True}
        wanted = self._options | {name: v for name, v in own.items() if name in self._known_options}
        try:
            commands = [self._known_options.command(*option) for option in wanted.items()]
        except ValueError as error:
            raise SettingsError(
                _("engine options: {path} refuses them: {error}").format(
                    path=self._path, error=error
                )
            ) from error
        process.send("".join(commands))

    # --- searching -------------------------------------------------------------------------

    def _search_backwards(
        self,
        sequence: PositionSequence,
        positions: list[Position],
        answers: Answers,
        limit: SearchLimit,
        deadline_seconds: float,
    ) -> None:
        """Add what is found of `positions`, last first, to the `answers` about the others."""
        process = self._running()
        with self._explained(process, sequence, positions[0], deadline_seconds):
            process.deadline.set(deadline_seconds)
            process.send(self._new_game(chess960=sequence.chess960))
            _await_ready(process)
        for position in positions:
            following = answers.get(position.number + 1, (None, None))[0]
            with self._explained(process, sequence, position, deadline_seconds):
                process.deadline.set(deadline_seconds)
                found = answer(process, position, following, limit)
            answers[position.number] = (found.eval, found.best_move_uci)
            self._nodes_searched += found.nodes
        process.deadline.clear()

    def _new_game(self, *, chess960: bool) -> str:
        """What makes the engine forget the last game; ValueError if it can't play this one."""
        options = self._known_options
        if chess960 and "UCI_Chess960" not in options:
            raise ValueError(_("it does not know Chess960"))
        managed: dict[str, OptionValue] = {
            "UCI_Variant": "chess",
            "UCI_Chess960": chess960,
            "MultiPV": 1,
            "Ponder": False,
        }
        settings = [options.command(name, v) for name, v in managed.items() if name in options]
        return f"{''.join(settings)}ucinewgame\n"

    # --- failing ---------------------------------------------------------------------------

    @contextmanager
    def _explained(
        self,
        process: UciProcess,
        sequence: PositionSequence,
        position: Position,
        deadline_seconds: float,
    ) -> Iterator[None]:
        try:
            yield
        except EOFError as error:
            raise search_failure(
                self._path, process, deadline_seconds, where_in(sequence, position)
            ) from error
        except ValueError as error:
            self.kill()
            raise nonsense(self._path, where_in(sequence, position), error) from error

    def _running(self) -> UciProcess:
        if self._process is None:
            raise EngineDied(_("{path} is not running; start it first").format(path=self._path))
        return self._process


def _await_ready(process: UciProcess) -> None:
    process.send("isready\n")
    while process.read_line() != "readyok":
        pass
