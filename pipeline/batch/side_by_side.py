"""Whose turn it is, with what was made of them in other processes meanwhile."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Protocol

from engines.interruptible import next_of
from pipeline.batch.ahead import Ready
from pipeline.batch.elsewhere import Answer, Task
from pipeline.batch.fetching import Arrived
from pipeline.batch.making import Look, PlayerMaker
from pipeline.batch.reporting import Reported
from pipeline.batch.second_tries import SecondTries

PLAYERS_OUT = 40
"""Enough for many processes while one of them has a player with very many games."""

_STOP_SECONDS = 30.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A player whose turn it is; what was seen by a `look`, and `reported`, if it was elsewhere."""

    arrived: Arrived
    look: Look | None = None
    reported: Reported | None = None


class Elsewhere(Protocol):
    """What `engines.processes.Processes` is to a batch."""

    @property
    def are_started(self) -> bool:
        """Whether somebody was needed before."""
        ...

    def submit(self, order: Task, /) -> Future[Answer]:
        """Have a report made."""
        ...


class InTurn:
    """A context manager: players as they come; nothing is made elsewhere."""

    def __init__(self, ready: Iterable[Ready]) -> None:
        self._arriving = ready

    def __enter__(self) -> InTurn:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def players(self) -> Iterator[Due]:
        """One after the other."""
        for one in self._arriving:
            yield Due(arrived=one.arrived)


class SideBySide:
    """A context manager: players as their reports are finished, each once.

    What is out of the ordinary is made by whoever iterates, while nobody works elsewhere; and so
    is the report on a player who comes when nobody else waits, before processes are started.
    """

    def __init__(
        self,
        ready: Iterable[Ready],
        maker: PlayerMaker,
        elsewhere: Elsewhere,
        second_tries: SecondTries,
        *,
        network: Callable[[], str],
        is_stopped: Callable[[], bool],
    ) -> None:
        """`network` says which human-move model it is that has read, "" for none.

        Once it `is_stopped`, nothing more is made elsewhere.
        """
        self._arriving = ready
        self._maker = maker
        self._elsewhere = elsewhere
        self._second_tries = second_tries
        self._network = network
        self._is_stopped = is_stopped
        self._due: SimpleQueue[Due | BaseException | None] = SimpleQueue()
        self._changed = threading.Condition()
        self._out = 0
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="handing out", daemon=True)

    def __enter__(self) -> SideBySide:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Whoever hands out players must have ended before."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._thread.join(_STOP_SECONDS)

    def players(self) -> Iterator[Due]:
        """Raises what nobody can go on after, once all others are done with."""
        while (item := next_of(self._due)) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
            with self._changed:
                self._out -= 1
                self._changed.notify_all()

    # --- the thread --------------------------------------------------------------------------

    def _run(self) -> None:
        last: BaseException | None = None
        try:
            for ready in self._arriving:
                self._hand_out(ready)
                if self._stopping:
                    return
        except BaseException as error:  # the caller's thread raises it
            last = error
        self._wait_until_out_is(0)
        self._due.put(last)

    def _hand_out(self, ready: Ready) -> None:
        self._wait_until_out_is(PLAYERS_OUT - 1 if ready.is_worked_on else 0)
        due = Due(arrived=ready.arrived)
        if ready.is_worked_on and ready.arrived.error is None:
            due = self._looked_at(due)
        is_alone = self._out == 0 and not self._elsewhere.are_started
        with self._changed:
            self._out += 1
        if due.look is None or due.look.is_done or is_alone or self._is_stopped():
            self._due.put(due)
        else:
            self._submit(due, due.look)
        if not ready.is_worked_on:
            self._wait_until_out_is(0)

    def _wait_until_out_is(self, players: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._stopping or self._out <= players)

    def _looked_at(self, due: Due) -> Due:
        try:
            return replace(due, look=self._maker.look(due.arrived.player))
        except Exception:
            _log.info("%s is looked at again", due.arrived.player, exc_info=True)
            return due

    def _submit(self, due: Due, look: Look) -> None:
        task = Task(
            to_report=self._maker.to_report(look),
            first=self._second_tries.first,
            network=self._network(),
        )
        try:
            future = self._elsewhere.submit(task)
        except Exception as error:
            _log.warning("no process is started for a report, which is made here: %s", error)
            self._due.put(due)
            return
        future.add_done_callback(
            lambda answered: self._due.put(replace(due, reported=self._reported(answered)))
        )

    def _reported(self, answered: Future[Answer]) -> Reported | None:
        """None where it has to be made here."""
        try:
            answer = answered.result()
        except (Exception, CancelledError) as error:
            answer = Answer(why_not=f"{type(error).__name__}: {error}")
        if answer.reported is None:
            _log.info("a report is not made in another process: %s", answer.why_not)
        self._second_tries.forget(answer.told)
        return answer.reported
