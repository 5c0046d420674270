"""How long to wait before asking Lichess again, and when to stop asking.

Source: lichess.org/api, "Rate limiting": one request at a time, and after a 429 a full
minute. In practice it may take more than that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from config.errors import LichessError, LichessUnreachable, RateLimited
from config.language import _, ngettext
from pipeline.fetch.answers import Interrupted, NotGames, Throttled, Unconnected

THROTTLED_WAITS_SECONDS = (60.0, 120.0, 240.0, 300.0)
INTERRUPTED_WAITS_SECONDS = (1.0, 2.0, 5.0, 15.0, 30.0)
LONGEST_WAIT_SECONDS = 15 * 60.0


class Waits(Protocol):
    """Where it is kept until when Lichess asked to wait, so that a restart honours it too."""

    def seconds_left(self) -> float:
        """0 when it may be asked."""
        ...

    def note(self, seconds: float) -> None:
        """From now on, so long."""
        ...


class NoWaits:
    """Nothing is kept: whoever starts next knows of no wait."""

    def seconds_left(self) -> float:
        """None."""
        return 0.0

    def note(self, seconds: float) -> None:
        """Ignored."""


class Patience:
    """Waits, longer each time; any game that arrives makes it start afresh."""

    def __init__(
        self,
        *,
        host: str,
        sleep: Callable[[float], None],
        on_notice: Callable[[str], None],
        waits: Waits,
    ) -> None:
        self._host = host
        self._waits = waits
        self._sleep = sleep
        self._on_notice = on_notice
        self._throttled = 0
        self._interrupted = 0
        self.games = 0

    def game_arrived(self) -> None:
        """There is progress."""
        self.games += 1
        self._throttled = self._interrupted = 0

    def before_asking(self) -> None:
        """Wait until the end of a wait that was kept; RateLimited when it is a long one.

        Another process may make it longer meanwhile.
        """
        waited = 0.0
        while (seconds := self._waits.seconds_left()) > 0:
            waited += seconds
            if waited > LONGEST_WAIT_SECONDS:
                raise self._rate_limited(
                    _("for another {minutes} minutes, as it said before").format(
                        minutes=f"{max(seconds, 60) / 60:.0f}"
                    )
                )
            if seconds >= 1:
                notice = ngettext(
                    "Lichess asked this machine to wait (429); going on in {count} second.",
                    "Lichess asked this machine to wait (429); going on in {count} seconds.",
                    round(seconds),
                )
                self._on_notice(notice.format(count=f"{seconds:.0f}"))
            self._sleep(seconds)

    def after_throttling(self, throttled: Throttled) -> None:
        """Wait as long as Lichess asks; RateLimited when it asks too often or for too long."""
        stated = throttled.retry_after_seconds or 0.0
        if self._throttled == len(THROTTLED_WAITS_SECONDS) or stated > LONGEST_WAIT_SECONDS:
            self._waits.note(max(stated, THROTTLED_WAITS_SECONDS[-1]))
            raise self._rate_limited(_("(HTTP 429: too many requests from this connection)"))
        seconds = self._throttled_wait(throttled.retry_after_seconds)
        self._throttled += 1
        self._waits.note(seconds)
        self._on_notice(
            _("Lichess asks to slow down (429); going on in {seconds} seconds.").format(
                seconds=f"{seconds:.0f}"
            )
        )
        self._sleep(seconds)

    def after_interruption(self, interrupted: Interrupted | Unconnected) -> None:
        """Wait a moment before the next try; LichessUnreachable after too many without a game.

        LichessError where something else than games kept coming. Without any connection, and
        without any game so far, there is nothing to wait for.
        """
        if isinstance(interrupted, Unconnected) and not self.games:
            raise LichessUnreachable(
                _(
                    "Lichess cannot be reached at {host}: {interrupted}; check the internet "
                    "connection and run this again"
                ).format(host=self._host, interrupted=interrupted)
            )
        if self._interrupted == len(INTERRUPTED_WAITS_SECONDS):
            raise self._giving_up(interrupted)
        seconds = INTERRUPTED_WAITS_SECONDS[self._interrupted]
        self._interrupted += 1
        self._on_notice(
            _("No more from Lichess ({interrupted}); asking again in {seconds} s.").format(
                interrupted=interrupted, seconds=f"{seconds:.0f}"
            )
        )
        self._sleep(seconds)

    def _rate_limited(self, how: str) -> RateLimited:
        return RateLimited(
            _(
                "Lichess still asks to wait {how}{so_far}; stop other downloads from Lichess "
                "and run this again later"
            ).format(how=how, so_far=self._so_far())
        )

    def _throttled_wait(self, stated_seconds: float | None) -> float:
        """What Lichess states at first; when that was not enough, no less than a minute."""
        if stated_seconds is None:
            return THROTTLED_WAITS_SECONDS[self._throttled]
        return max(stated_seconds, (1.0, *THROTTLED_WAITS_SECONDS)[self._throttled])

    def _giving_up(self, interrupted: Interrupted | Unconnected) -> LichessError:
        kind = LichessError if isinstance(interrupted, NotGames) else LichessUnreachable
        again = (
            _("run this again, and it continues there") if self.games else _("run this again later")
        )
        tries = self._interrupted + 1
        return kind(
            _(
                "Lichess gave no whole answer in {tries} tries in a row ({interrupted}){so_far}; "
                "{again}"
            ).format(tries=tries, interrupted=interrupted, so_far=self._so_far(), again=again)
        )

    def _so_far(self) -> str:
        if not self.games:
            return ""
        return ngettext(
            ", after {count} game had arrived", ", after {count} games had arrived", self.games
        ).format(count=self.games)
