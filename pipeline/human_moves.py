"""What the human-move model says of each game's moves: from the store, or computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Protocol, TypeAlias

from config.errors import ModelError
from config.language import _
from engines.evals import PositionSequence
from engines.human_likelihoods import HumanLikelihoods
from engines.look_ahead import GivenUp, look_ahead
from engines.maia_pool import HumanMoveFailure
from pipeline.evaluation import GAMES_AHEAD
from pipeline.progress import Progress
from pipeline.replay import Replay
from pipeline.store import Store

HumanOutcome: TypeAlias = HumanLikelihoods | HumanMoveFailure | BaseException
Deliver: TypeAlias = Callable[[HumanOutcome], None]


class HumanMoveCrew(Protocol):
    """What a `MaiaCrew` is to this stage: games in, each delivered once, as it is finished."""

    def submit(self, sequence: PositionSequence) -> None:
        """Have a game read."""
        ...


class HumanMoveReader(Protocol):
    """What a `MaiaPool` is to this stage.

    It reads within a `with` block, whose beginning takes time; which network it is, is known
    before.
    """

    @property
    def network(self) -> str:
        """Which network reads."""
        ...

    def __enter__(self) -> HumanMoveReader: ...

    def __exit__(self, *_: object) -> None: ...

    def crew(self, deliver: Deliver) -> AbstractContextManager[HumanMoveCrew]:
        """Who reads games that come one by one."""
        ...


OpenHumanModel = Callable[[], HumanMoveReader | None]
"""None when it is not installed; called only if some game is to be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanReading:
    """What `network` says of a game's moves; `human` is None where it was not asked, or failed.

    `failure` is then why. `is_missing` when it should have been asked and there is none that
    could be: movelo works without it, less precisely.
    """

    game_id: str
    human: HumanLikelihoods | None = None
    network: str = ""
    failure: str | None = None
    is_missing: bool = False


class HumanMoves:
    """Games read as they come; use as a context manager, at whose end nobody reads any more.

    What is computed is kept at once, whatever comes after. `open_model` is None when nobody
    wants the human-move model. A model that is installed and cannot be used is said, and missing.
    """

    def __init__(
        self, *, store: Store, open_model: OpenHumanModel | None, progress: Progress
    ) -> None:
        self._store = store
        self._open_model = open_model
        self._progress = progress
        self._stack = ExitStack()
        self._reader: HumanMoveReader | None = None
        self._was_opened = False
        self._network = ""
        self._crew: HumanMoveCrew | None = None
        self._answers: SimpleQueue[HumanOutcome | HumanReading] = SimpleQueue()
        self._asked: dict[str, PositionSequence] = {}

    def __enter__(self) -> HumanMoves:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def give_up(self) -> None:
        """From another thread: whoever waits here for a reading gets GivenUp."""
        self._answers.put(GivenUp())

    def of_games(self, games: Iterable[tuple[Replay, bool]]) -> Iterator[HumanReading]:
        """One for each game, as they are finished; an empty one where the flag is False."""
        answers: Iterator[HumanLikelihoods | HumanMoveFailure | HumanReading] = look_ahead(
            games, self._begin, self._answers, at_most=GAMES_AHEAD
        )
        for answer in answers:
            yield answer if isinstance(answer, HumanReading) else self._kept(answer)

    def _begin(self, game: tuple[Replay, bool]) -> None:
        replay, is_wanted = game
        reader = self._opened() if is_wanted else None
        if reader is None:
            is_missing = is_wanted and self._open_model is not None
            self._answers.put(HumanReading(game_id=replay.game_id, is_missing=is_missing))
            return
        positions = replay.positions()
        kept = self._store.human_likelihoods(positions, self._network)
        if kept is None:
            self._ask(reader, positions)
        else:
            reading = HumanReading(game_id=kept.game_id, human=kept, network=self._network)
            self._answers.put(reading)

    def _opened(self) -> HumanMoveReader | None:
        if not self._was_opened and self._open_model is not None:
            self._reader, self._was_opened = self._open_model(), True
            self._network = "" if self._reader is None else self._reader.network
        return self._reader

    def _ask(self, reader: HumanMoveReader, positions: PositionSequence) -> None:
        """Nothing is loaded before a game comes that the store does not know."""
        try:
            if self._crew is None:
                crew = self._stack.enter_context(reader).crew(self._answers.put)
                self._crew = self._stack.enter_context(crew)
        except ModelError as error:
            self._progress.say(
                _("Going on without the human-move model: {error}.").format(error=error)
            )
            self._reader = None
            self._answers.put(HumanReading(game_id=positions.game_id, is_missing=True))
            return
        self._asked[positions.game_id] = positions
        self._crew.submit(positions)

    def _kept(self, answer: HumanLikelihoods | HumanMoveFailure) -> HumanReading:
        """As the store gives it back, so that the first report is the same as the second."""
        positions = self._asked.pop(answer.game_id)
        if isinstance(answer, HumanMoveFailure):
            return HumanReading(game_id=answer.game_id, failure=answer.reason)
        human = self._store.add_human_likelihoods(positions, self._network, answer)
        return HumanReading(game_id=answer.game_id, human=human, network=self._network)
