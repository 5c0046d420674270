"""Lichess's API: an account, its games, one game, who is in a team or an arena.

One request at a time: an object of this class is for one thread, and between two games of
`games` nothing else may be asked with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from typing import Any

import requests
from berserk.formats import JSON
from berserk.session import Requestor

from config.errors import InputError, MarkedAccount, RejectedUserAgent, UnknownPlayer
from config.language import _
from pipeline.fetch.account import Account, account_from_api
from pipeline.fetch.answers import (
    Interrupted,
    NotFound,
    Params,
    Throttled,
    Unconnected,
    one_record,
    record_lines,
)
from pipeline.fetch.export import milliseconds
from pipeline.fetch.export_cursor import ExportCursor
from pipeline.fetch.lichess_names import checked_username, game_id_of
from pipeline.fetch.patience import NoWaits, Patience, Waits
from pipeline.fetch.rosters import Roster, names_in, no_such_roster

LICHESS = "https://lichess.org"

_EARLIEST_MILLISECONDS = 1356998400070
"""The smallest `since` that the API documents."""

_WITH = {"clocks": "true", "evals": "true", "accuracy": "true", "opening": "true"}


class Lichess:
    """What movelo asks of Lichess. Waits and tries again where that may help.

    `sleep` takes seconds; `on_notice` gets a sentence before a long wait; `waits` are those that
    Lichess asked for before. `requests_sent` counts. All methods raise LichessUnreachable,
    RateLimited or LichessError when trying again did not help.
    """

    def __init__(
        self,
        session: requests.Session,
        *,
        base_url: str = LICHESS,
        sleep: Callable[[float], None],
        on_notice: Callable[[str], None],
        waits: Waits | None = None,
    ) -> None:
        # berserk.Client turns times into datetimes; its requestor gives records as they are.
        self._requestor = Requestor(session, base_url, JSON)
        self._base_url = base_url
        self._sleep = sleep
        self._on_notice = on_notice
        self._waits = waits or NoWaits()
        self.requests_sent = 0

    def account(self, username: str) -> Account:
        """The account; UnknownPlayer or ClosedAccount where there is none to report on."""
        checked_username(username)
        try:
            record = self._ask(f"/api/user/{username}", {})
        except NotFound:
            raise UnknownPlayer(
                _("Lichess knows no player called {username}; check the spelling").format(
                    username=username
                )
            ) from None
        return account_from_api(record, username)

    def games(
        self, username: str, *, since: datetime | None, until: datetime | None
    ) -> Iterator[dict[str, Any]]:
        """All games from `since` to `until`, newest first, as export records.

        With clocks, evaluations, accuracies and openings, rated and casual, of every variant
        and speed: Lichess's own filters stop at 10,000 games. Both times must have a zone;
        games at the very ends may or may not be there. A cut stream is taken up again where
        it ended, and no game comes twice. Raises, at the first `next` but for the name,
        UnknownPlayer, ClosedAccount, MarkedAccount or RejectedUserAgent.
        """
        checked_username(username)
        cursor = ExportCursor(until=None if until is None else milliseconds(until))
        start = None if since is None else max(milliseconds(since), _EARLIEST_MILLISECONDS)
        return self._games(username, start, cursor)

    def game(self, game_id: str) -> dict[str, Any]:
        """One game, by its id or address, as an export record; InputError if there is none."""
        known = game_id_of(game_id)
        if known is None:
            raise InputError(
                _(
                    "{game_id} is not a game on Lichess; give its address "
                    "(https://lichess.org/…) or its 8-character id"
                ).format(game_id=f"{game_id!r}")
            )
        try:
            return self._ask(f"/game/export/{known}", _WITH)
        except NotFound:
            raise InputError(
                _("Lichess has no game {known}; check its address").format(known=known)
            ) from None

    def players(self, roster: Roster) -> tuple[str, ...]:
        """Who is in a team or has played in an arena, in Lichess's order; InputError for none.

        A cut list is asked for again, whole.
        """
        patience = self._patience()
        while True:
            self._before_asking(patience)
            try:
                with closing(record_lines(self._requestor, roster.path, {})) as records:
                    return names_in(records)
            except NotFound:
                raise no_such_roster(roster) from None
            except Throttled as throttled:
                patience.after_throttling(throttled)
            except (Interrupted, Unconnected) as interrupted:
                patience.after_interruption(interrupted)

    def _games(
        self, username: str, since: int | None, cursor: ExportCursor
    ) -> Iterator[dict[str, Any]]:
        patience = self._patience()
        path = f"/api/games/user/{username}"
        while True:
            params = {**_WITH, "since": since, "until": cursor.until, "sort": "dateDesc"}
            self._before_asking(patience)
            try:
                with closing(record_lines(self._requestor, path, params)) as records:
                    for record in records:
                        if cursor.is_new(record):
                            patience.game_arrived()
                            yield record
                return
            except NotFound:
                pass
            except Throttled as throttled:
                patience.after_throttling(throttled)
                continue
            except (Interrupted, Unconnected) as interrupted:
                patience.after_interruption(interrupted)
                continue
            self._explain_missing_games(username)

    def _explain_missing_games(self, username: str) -> None:
        """Lichess answers 404 for games in four cases; the account tells them apart."""
        account = self.account(username)
        if account.marked:
            raise MarkedAccount(
                _(
                    "Lichess gives out no games of {account}, whose account is marked for "
                    "breaking its terms of service; use a file that was exported before"
                ).format(account=account.name)
            )
        raise RejectedUserAgent(
            _(
                "the account {account} is open, yet Lichess refuses this program its games; "
                "set a User-Agent with your own contact, and a Lichess token"
            ).format(account=account.name)
        )

    def _ask(self, path: str, params: Params) -> dict[str, Any]:
        patience = self._patience()
        while True:
            self._before_asking(patience)
            try:
                return one_record(self._requestor, path, params)
            except Throttled as throttled:
                patience.after_throttling(throttled)
            except (Interrupted, Unconnected) as interrupted:
                patience.after_interruption(interrupted)

    def _before_asking(self, patience: Patience) -> None:
        patience.before_asking()
        self.requests_sent += 1

    def _patience(self) -> Patience:
        return Patience(
            host=self._base_url,
            sleep=self._sleep,
            on_notice=self._on_notice,
            waits=self._waits,
        )
