"""What takes engines and the human-move model long, done for the players who come next.

A report waits for its own games alone. So that many engines are busy from the first player to the
last, games of players who have arrived are worked on while others are being reported on, and what
is found is in the store when their turn comes.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue

from config.errors import InputError
from config.language import speaking
from engines.evals import EngineFailure
from engines.interruptible import next_of
from engines.look_ahead import GivenUp
from pipeline.assessment import Assessment, ReadableGame
from pipeline.batch.fetching import AllHere, Arrived, FetchAhead, FetchStopped, NobodyYet
from pipeline.batch.second_tries import SecondTries
from pipeline.batch.slow_games import SlowGames
from pipeline.records import Game
from pipeline.replay import replay
from pipeline.workshop import Workshop

_MOST_FAULTS_IN_A_ROW = 5
_STOP_SECONDS = 30.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A player to report on; unless all `is_worked_on`, the report does what is left, and tells."""

    arrived: Arrived
    is_worked_on: bool


@dataclass(slots=True, eq=False)
class _Prepared:
    """A player on the way: `open_ids` are games begun and not finished."""

    arrived: Arrived
    open_ids: set[str] = field(default_factory=set)
    is_begun: bool = False

    @property
    def is_ready(self) -> bool:
        return self.is_begun and not self.open_ids


class WorkAhead:
    """A context manager: players in their order, as what is slow of their games is done.

    Nobody waits for what fails here: whoever reports on a player does what is missing, and tells
    what is wrong. A game that an engine failed on is left to `second_tries`.
    """

    def __init__(
        self,
        arriving: AllHere | FetchAhead,
        workshop: Workshop,
        *,
        slow_games: SlowGames,
        is_up_to_date: Callable[[str], bool],
        second_tries: SecondTries,
    ) -> None:
        """Nothing is done for a player who `is_up_to_date`."""
        self._arriving = arriving
        self._workshop = workshop
        self._slow_games = slow_games
        self._is_up_to_date = is_up_to_date
        self._second_tries = second_tries
        self._ready: SimpleQueue[Ready | BaseException | None] = SimpleQueue()
        self._in_order: deque[_Prepared] = deque()
        self._waiting_for: dict[str, list[_Prepared]] = {}
        self._expected = 0
        self._error: BaseException | None = None
        self._faults_in_a_row = 0
        self._are_all_here = False
        self._stopping = False
        self._taking = threading.Condition()
        self._asked_for = self._handed_out = 0
        self._assessment: Assessment | None = None
        self._thread = threading.Thread(target=self._run, name="working ahead", daemon=True)

    def __enter__(self) -> WorkAhead:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """What is being worked on is given up."""
        with self._taking:
            self._stopping = True
            self._taking.notify()
        if (assessment := self._assessment) is not None:
            assessment.give_up()
        self._thread.join(_STOP_SECONDS)

    def ready(self) -> Iterator[Ready]:
        """Each player once. Raises what nobody can go on after, such as StoreError.

        Whoever asks for the next one has reported on whom it is left to do all of it.
        """
        while (item := self._next_ready()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item

    def _next_ready(self) -> Ready | BaseException | None:
        with self._taking:
            self._asked_for += 1
            self._taking.notify()
        return next_of(self._ready)

    # --- the thread --------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            with speaking("en"):  # what is kept is retold to whoever reads it
                while not self._are_all_here and not self._stopping:
                    self._work_while_it_goes_well()
            self._ready.put(self._error)
        except FetchStopped:
            self._ready.put(None)
        except BaseException as error:  # the caller's thread raises it
            self._ready.put(error)

    def _work_while_it_goes_well(self) -> None:
        try:
            self._work()
        except (FetchStopped, GivenUp):
            raise FetchStopped from None
        except Exception:
            _log.info("nothing is worked on ahead for a moment", exc_info=True)
            self._faults_in_a_row += 1
            self._leave_to_the_reports()

    def _work(self) -> None:
        with Assessment(self._workshop) as assessment:
            self._assessment = assessment
            while not self._are_all_here and not self._stopping:
                for prepared in assessment.prepared(self._games()):
                    self._note(prepared.game_id, prepared.engine_failure)

    def _note(self, game_id: str, failure: str | None) -> None:
        self._faults_in_a_row = 0
        if failure is not None:
            self._second_tries.add(EngineFailure(game_id=game_id, reason=failure))
        for player in self._waiting_for.pop(game_id):
            player.open_ids.discard(game_id)
        self._hand_out_ready()

    def _hand_out_ready(self) -> None:
        while self._in_order and self._in_order[0].is_ready:
            self._hand_out(self._in_order.popleft().arrived, is_worked_on=True)

    def _hand_out(self, arrived: Arrived, *, is_worked_on: bool) -> None:
        self._handed_out += 1
        self._ready.put(Ready(arrived=arrived, is_worked_on=is_worked_on))

    def _leave_to_the_reports(self) -> None:
        """Who is on the way, or else the next one; then waits until they are reported on.

        What is wrong is told there, and a store that is away is waited for. What goes wrong time
        and again is not tried any more.
        """
        is_hopeless = self._faults_in_a_row >= _MOST_FAULTS_IN_A_ROW
        left = [player.arrived for player in self._in_order]
        self._in_order.clear()
        self._waiting_for.clear()
        while (not left or is_hopeless) and (arrived := self._next_player(wait=True)) is not None:
            left.append(arrived)
            if is_hopeless:
                self._hand_out(left.pop(0), is_worked_on=False)
        for arrived in left:
            self._hand_out(arrived, is_worked_on=False)
        with self._taking:
            self._taking.wait_for(lambda: self._stopping or self._asked_for > self._handed_out)

    # --- what is to be done ------------------------------------------------------------------

    def _games(self) -> Iterator[ReadableGame]:
        """Of all who have arrived by now; waits for the first of them only.

        So whatever is finished is kept, and told, while Lichess lets us wait.
        """
        wait = True
        while (arrived := self._next_player(wait=wait)) is not None:
            wait = False
            player = _Prepared(arrived)
            self._in_order.append(player)
            yield from self._games_of(player)
            player.is_begun = True
            self._hand_out_ready()

    def _next_player(self, *, wait: bool) -> Arrived | None:
        """None where nobody is there now, and when all are: `_are_all_here` tells these apart."""
        if self._stopping:
            return None
        try:
            arrived = self._arriving.next_player(wait=wait)
        except NobodyYet:
            return None
        except FetchStopped:
            raise
        except BaseException as error:
            self._error, arrived = error, None
        self._are_all_here = arrived is None
        return arrived

    def _games_of(self, player: _Prepared) -> Iterator[ReadableGame]:
        name = player.arrived.player
        if player.arrived.error is not None or self._is_up_to_date(name):
            return
        games = self._slow_games.of(name)
        self._expect(games)
        while games:  # each is let go of once it has been worked on
            game = games.pop()
            player.open_ids.add(game.id)
            waiting = self._waiting_for.setdefault(game.id, [])
            waiting.append(player)
            if len(waiting) == 1:  # else it is an opponent's game too, who came before
                yield from self._readable(game)

    def _expect(self, games: Sequence[Game]) -> None:
        self._expected += sum(game.id not in self._waiting_for for game in games)
        if self._assessment is not None and games:
            self._assessment.expect(self._expected)

    def _readable(self, game: Game) -> Iterator[ReadableGame]:
        try:
            yield ReadableGame(game=game, color=None, replay=replay(game))
        except InputError:  # the report names it
            self._note(game.id, None)
