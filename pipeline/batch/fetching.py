"""Players' games from Lichess in a thread, some players ahead of whoever works on them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from queue import Empty, Full, Queue
from typing import TypeAlias

from config.errors import LichessUnreachable, MoveloError, RateLimited, StoreError
from pipeline.arrivals import Arrivals
from pipeline.batch.patience import patient
from pipeline.batch.progress import FETCHED
from pipeline.fetched import wanted_game
from pipeline.progress import Progress
from pipeline.selection import Selection
from pipeline.store import Store
from pipeline.sync import GameSource, sync

PLAYERS_AHEAD = 40
"""Their games lie in the store, not in memory; fewer might keep many engines waiting."""

_UNREACHABLE_IN_A_ROW = 3
_STOP_SECONDS = 5.0
_LOOK_SECONDS = 0.2

_log = logging.getLogger(__name__)


class FetchStopped(Exception):
    """Nobody wants the rest any more."""


class NobodyYet(Exception):
    """Somebody is still to come, but nobody is there now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """One player's games are in the store, `new` of them since before; or `error` says why not.

    `is_asked` is False where Lichess was not even asked, after it could not be for others.
    """

    player: str
    new: int = 0
    error: BaseException | None = None
    is_asked: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetcher:
    """Whom to ask and where to keep it; for the thread that fetches alone."""

    source: GameSource
    store: Store


OpenFetcher: TypeAlias = Callable[[Callable[[float], None]], AbstractContextManager[Fetcher]]
"""With what to wait by, in seconds; called in the thread that fetches."""


class AllHere:
    """A context manager: players in their order, whose games need not be fetched."""

    def __init__(self, players: Sequence[str]) -> None:
        self._players = iter(players)

    def __enter__(self) -> AllHere:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def next_player(self, *, wait: bool = True) -> Arrived | None:
        """None after the last."""
        player = next(self._players, None)
        return None if player is None else Arrived(player=player)


class FetchAhead:
    """A context manager: players in their order, as their games are there.

    `selection` is everybody's but for the name; `clock` gives UTC. Nothing is asked at the same
    time as something else.
    """

    def __init__(
        self,
        players: Sequence[str],
        selection: Selection,
        open_fetcher: OpenFetcher,
        *,
        progress: Progress,
        clock: Callable[[], datetime],
    ) -> None:
        self._players = players
        self._selection = selection
        self._open = open_fetcher
        self._progress = progress
        self._clock = clock
        self._queue: Queue[Arrived | BaseException] = Queue(PLAYERS_AHEAD)
        self._handed_out = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fetching", daemon=True)

    def __enter__(self) -> FetchAhead:
        self._progress.begin(FETCHED, len(self._players))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Without the rest: whatever has arrived is kept."""
        self._over.set()
        self._thread.join(_STOP_SECONDS)

    def next_player(self, *, wait: bool = True) -> Arrived | None:
        """None after the last; NobodyYet without `wait` where somebody is still to come.

        Raises what nobody can go on after, such as StoreError; FetchStopped at the block's end.
        """
        if self._handed_out == len(self._players):
            return None
        item = self._next_item(wait)
        if isinstance(item, BaseException):
            raise item
        self._handed_out += 1
        self._progress.advance(FETCHED)
        return item

    def _next_item(self, wait: bool) -> Arrived | BaseException:
        while True:
            try:
                return self._queue.get(block=wait, timeout=_LOOK_SECONDS)
            except Empty:
                if not wait:
                    raise NobodyYet from None
                self._go_on()

    def _run(self) -> None:
        try:
            with ExitStack() as stack:
                fetcher = patient(
                    lambda: stack.enter_context(self._open(self._sleep)),
                    sleep=self._sleep,
                    say=self._progress.say,
                )
                self._fetch_all(fetcher)
        except FetchStopped:
            pass
        except BaseException as error:  # the caller's thread raises it
            with suppress(FetchStopped):
                self._put(error)

    def _fetch_all(self, fetcher: Fetcher) -> None:
        gave_up: MoveloError | None = None
        unreachable = 0
        for player in self._players:
            if gave_up is not None:
                self._put(Arrived(player=player, error=gave_up, is_asked=False))
                continue
            arrived = self._fetched(player, fetcher)
            is_unreachable = isinstance(arrived.error, LichessUnreachable)
            unreachable = unreachable + 1 if is_unreachable else 0
            if isinstance(arrived.error, RateLimited) or unreachable == _UNREACHABLE_IN_A_ROW:
                gave_up = arrived.error  # type: ignore[assignment]  # one of the two
            self._put(arrived)

    def _fetched(self, player: str, fetcher: Fetcher) -> Arrived:
        selection = replace(self._selection, player=player)

        def fetch() -> int:
            return fetch_player(
                selection,
                fetcher.source,
                fetcher.store,
                now=self._clock(),
                progress=self._progress,
                go_on=self._go_on,
            )

        try:
            new = patient(fetch, sleep=self._sleep, say=self._progress.say)
        except (FetchStopped, StoreError):
            raise
        except MoveloError as error:
            return Arrived(player=player, error=error)
        except Exception as error:
            _log.exception("fetching the games of %s failed", player)
            return Arrived(player=player, error=error)
        return Arrived(player=player, new=new)

    def _put(self, item: Arrived | BaseException) -> None:
        while True:
            self._go_on()
            try:
                self._queue.put(item, timeout=_LOOK_SECONDS)
            except Full:
                continue
            return

    def _sleep(self, seconds: float) -> None:
        if self._over.wait(seconds):
            raise FetchStopped

    def _go_on(self) -> None:
        if self._over.is_set():
            raise FetchStopped


def fetch_player(
    selection: Selection,
    source: GameSource,
    store: Store,
    *,
    now: datetime,
    progress: Progress,
    go_on: Callable[[], None],
) -> int:
    """Have in the store what a report on `selection` needs; how many games are new there."""
    arrivals = Arrivals(look_at=lambda _record: go_on())
    arriving = sync(
        selection.player,
        source=source,
        store=store,
        wanted=lambda record: wanted_game(record, selection),
        last=selection.last,
        since=selection.since,
        until=selection.until,
        now=now,
        progress=progress,
        arrivals=arrivals,
    )
    with closing(arriving):  # whatever happens, what has arrived is kept now
        for _ in arriving:
            pass
    return arrivals.new
