"""How much one address may ask for: token buckets in memory, and 429 with Retry-After."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from config.language import ngettext
from pipeline.web.addresses import client_address
from pipeline.web.refusals import refuse

_log = logging.getLogger(__name__)
_FREE = ("/healthz", "/metrics", "/static/")
"""Asked for by monitors, and several times for one page: they cost nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """`burst` requests at once, and `per_minute` more in every minute after."""

    burst: int
    per_minute: float


PAGES = Rate(burst=120, per_minute=240)
JOBS = Rate(burst=6, per_minute=6)


class TokenBuckets:
    """One bucket for each address, the longest unused ones forgotten beyond `most_addresses`.

    `clock` gives seconds that never go back. A forgotten bucket is a full one: whoever can ask
    from that many addresses is not held up by a limit per address.
    """

    def __init__(
        self, rate: Rate, *, clock: Callable[[], float], most_addresses: int = 10_000
    ) -> None:
        self._rate = rate
        self._clock = clock
        self._most_addresses = most_addresses
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def wait_seconds(self, address: str) -> float:
        """Take a token: 0, or the seconds until there is one (none is taken then)."""
        now, per_second = self._clock(), self._rate.per_minute / 60
        tokens, since = self._buckets.pop(address, (float(self._rate.burst), now))
        tokens = min(float(self._rate.burst), tokens + (now - since) * per_second)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / per_second
        self._buckets[address] = (tokens if wait else tokens - 1, now)
        if len(self._buckets) > self._most_addresses:
            self._buckets.popitem(last=False)
        return wait


class RateLimit:
    """ASGI middleware: every request takes a token, one that makes a job one of its own too.

    `makes_job` says it of a method and a path. The address is that of the connection: behind a
    proxy, wrap the whole in `behind_proxies`.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        clock: Callable[[], float],
        makes_job: Callable[[str, str], bool],
        pages: Rate = PAGES,
        jobs: Rate = JOBS,
    ) -> None:
        self._app = app
        self._makes_job = makes_job
        self._pages = TokenBuckets(pages, clock=clock)
        self._jobs = TokenBuckets(jobs, clock=clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 429."""
        wait = self._wait_seconds(scope) if scope["type"] == "http" else 0.0
        if wait:
            _log.info("an address asks too often for %s", scope["path"])
            await _refuse(scope, send, ceil(wait))
        else:
            await self._app(scope, receive, send)

    def _wait_seconds(self, scope: Scope) -> float:
        if scope["path"].startswith(_FREE):
            return 0.0
        address = client_address(scope)
        wait = self._pages.wait_seconds(address)
        if not wait and self._makes_job(scope["method"], scope["path"]):
            wait = self._jobs.wait_seconds(address)
        return wait


def behind_proxies(app: ASGIApp, trusted_addresses: Iterable[str]) -> ASGIApp:
    """`app`, believing X-Forwarded-For of these addresses and networks only; of none: itself.

    uvicorn must be told `proxy_headers=False`, for it believes everyone on this machine.
    """
    trusted = list(trusted_addresses)
    if not trusted:
        return app
    return ProxyHeadersMiddleware(app, trusted)  # type: ignore[arg-type, return-value]


async def _refuse(scope: Scope, send: Send, seconds: int) -> None:
    sentence = ngettext(
        "Your address asks too often: try again in {seconds} second.",
        "Your address asks too often: try again in {seconds} seconds.",
        seconds,
    ).format(seconds=seconds)
    await refuse(scope, send, 429, sentence, headers=[(b"retry-after", str(seconds).encode())])
