"""Asking a service of Lichess what it knows of positions, within its limits.

An engine can evaluate every position, so nothing is lost when the service is asked no more:
it is waited for a little, and then the run goes on without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import requests
from berserk.formats import JSON
from berserk.session import Requestor

from config.errors import InputError, LichessError
from config.language import _, retold
from engines.evals import KnownEval
from pipeline.fetch.answers import (
    Interrupted,
    NotFound,
    Params,
    Record,
    Throttled,
    Unconnected,
    one_record,
)

THROTTLED_WAITS_SECONDS = (60.0, 120.0)
"""A full minute after a 429 (lichess.org/api, "Rate limiting"). Counted over the whole run: a
daily limit answers 429 too (lichess-org/api, pull request 618), and outlasts every wait."""

INTERRUPTED_WAITS_SECONDS = (1.0, 5.0)
"""In a row: an answer that arrives whole makes them start afresh."""

Read = Callable[[Record], KnownEval | None]


class PositionLookup:
    """One service, asked for one position at a time and once a run, until it refuses.

    For one thread. `name` is what a person calls the service's answers ("Lichess's …").
    `pause_seconds` pass between two positions, and `most_requests` are made at most. `sleep`
    takes seconds; `on_notice` gets one sentence before a wait, and one when the service is
    given up.
    """

    def __init__(
        self,
        session: requests.Session,
        *,
        base_url: str,
        name: str,
        pause_seconds: float,
        most_requests: int,
        sleep: Callable[[float], None],
        on_notice: Callable[[str], None],
    ) -> None:
        self._requestor: Requestor[Any] = Requestor(session, base_url, JSON)
        self._base_url = base_url
        self._name = name
        self._pause_seconds = pause_seconds
        self._most_requests = most_requests
        self._sleep = sleep
        self._on_notice = on_notice
        self._found: dict[str, KnownEval | None] = {}
        self._requests = self._throttled = self._interrupted = 0
        self._given_up = False

    def known(self, key: str, path: str, params: Params, read: Read) -> KnownEval | None:
        """What `read` finds in the answer; None where there is none, or nobody is asked.

        The same `key` is asked once. `read` raises InputError or ValueError for an answer
        that is not as documented. Raises nothing of its own.
        """
        if key not in self._found:
            self._found[key] = self._looked_up(path, params, read)
        return self._found[key]

    def _looked_up(self, path: str, params: Params, read: Read) -> KnownEval | None:
        record = self._record(path, params)
        if record is None:
            return None
        try:
            return read(record)
        except (InputError, ValueError):
            self._give_up(
                _("the answer about {fen} is not as documented").format(fen=params["fen"])
            )
            return None

    def _record(self, path: str, params: Params) -> Record | None:
        if 0 < self._requests < self._most_requests and not self._given_up and self._pause_seconds:
            self._sleep(self._pause_seconds)
        while not self._given_up:
            try:
                return self._asked(path, params)
            except NotFound:
                self._interrupted = 0
                return None
            except Throttled as throttled:
                self._after_throttling(throttled)
            except Interrupted as interrupted:
                self._after_interruption(interrupted)
            except Unconnected as unconnected:
                self._give_up(
                    _("there is no connection to {base_url}: {unconnected}").format(
                        base_url=self._base_url, unconnected=unconnected
                    )
                )
            except LichessError as error:
                self._give_up(str(error))
        return None

    def _asked(self, path: str, params: Params) -> Record:
        if self._requests == self._most_requests:
            raise LichessError(
                _("one run's share of {requests} requests is used up").format(
                    requests=self._requests
                )
            )
        self._requests += 1
        record = one_record(self._requestor, path, params)
        self._interrupted = 0
        return record

    def _after_throttling(self, throttled: Throttled) -> None:
        stated = throttled.retry_after_seconds or 0.0
        if self._throttled == len(THROTTLED_WAITS_SECONDS) or stated > THROTTLED_WAITS_SECONDS[-1]:
            self._give_up(_("Lichess still asks to slow down, HTTP 429"))
            return
        seconds = max(stated, THROTTLED_WAITS_SECONDS[self._throttled])
        self._throttled += 1
        self._on_notice(
            _("Lichess asks to slow down (429); going on in {seconds} seconds.").format(
                seconds=f"{seconds:.0f}"
            )
        )
        self._sleep(seconds)

    def _after_interruption(self, interrupted: Interrupted) -> None:
        if self._interrupted == len(INTERRUPTED_WAITS_SECONDS):
            self._give_up(
                _("no whole answer in {tries} tries: {interrupted}").format(
                    tries=self._interrupted + 1, interrupted=interrupted
                )
            )
            return
        seconds = INTERRUPTED_WAITS_SECONDS[self._interrupted]
        self._interrupted += 1
        self._on_notice(
            _("No answer from {name} ({interrupted}); asking again in {seconds} s.").format(
                name=retold(self._name), interrupted=interrupted, seconds=f"{seconds:.0f}"
            )
        )
        self._sleep(seconds)

    def _give_up(self, reason: str) -> None:
        self._given_up = True
        self._on_notice(
            _(
                "Going on without {name} ({reason}); nothing is lost: the engine evaluates "
                "those positions itself."
            ).format(name=retold(self._name), reason=reason)
        )
