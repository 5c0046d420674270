"""What stands before every page: who may ask, for how much, and what a browser is told of it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.formparsers import MultiPartException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from config.language import _
from pipeline.web.refusals import refuse

_log = logging.getLogger(__name__)

APP_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""No script and no style but the files that this server has for its pages."""

_HEADERS = {
    "Content-Security-Policy": APP_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-cache",
}
_MOST_HEADER_BYTES = 8 * 1024
"""As other servers have it; Python before 3.12.6 takes seconds for some long cookies."""

_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class Guard:
    """ASGI middleware.

    - An address of other signs than addresses have is refused: the framework stumbles over it.
    - So is a head of more than 8 KiB: reading a long cookie may take seconds.
    - Whoever asks must call this server by a name of its own: a foreign page that has its name
      point here (DNS rebinding) is refused. Addresses in figures and localhost are always its own.
    - A browser's request that changes something must come from a page of this server.
    - A body of more than `most_bytes` is refused, wherever it ends.
    - Every answer says what browsers may do with it, where it does not say so itself.
    """

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str], most_bytes: int) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not scope["query_string"].isascii():
            await refuse(scope, send, 400, _unreadable_address())
        elif sum(len(name) + len(value) for name, value in headers.raw) > _MOST_HEADER_BYTES:
            await refuse(scope, send, 431, _too_many_headers())
        elif not is_own_host(headers.get("host", ""), self._hosts):
            _log.info("refused: not asked by a name of this server")
            await refuse(scope, send, 421, _not_here())
        elif scope["method"] not in _SAFE_METHODS and is_cross_site(headers):
            _log.info("refused: asked by a page of another site")
            await refuse(scope, send, 403, _from_elsewhere())
        else:
            await self._pass_on(scope, headers, receive, send)

    async def _pass_on(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        if _stated_length(headers) > self._most_bytes:
            await refuse(scope, send, 413, self._too_much())
            return
        body = _Counted(receive, self._most_bytes)
        answer = _Completed(send)

        async def sent(message: Message) -> None:
            if body.is_too_long and not answer.is_begun:
                return  # whatever was made of half a body
            await answer.send(message)

        try:
            await self._app(scope, body.receive, sent)
        except _TooMuch:
            if answer.is_begun:
                raise
        if body.is_too_long and not answer.is_begun:
            await refuse(scope, send, 413, self._too_much())

    def _too_much(self) -> str:
        return _(
            "That is more than the {mebibytes} MiB that this server takes: hand in fewer games."
        ).format(mebibytes=f"{self._most_bytes / 2**20:.3g}")


def is_own_host(host: str, names: Iterable[str]) -> bool:
    """Whether a Host header names this server: by an address in figures, or one of `names`."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == "localhost" or name.endswith(".localhost") or name in names:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_cross_site(headers: Headers) -> bool:
    """Whether a browser sends this for a page of somebody else's; other programs say nothing."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and _netloc(origin) != headers.get("host")


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _stated_length(headers: Headers) -> int:
    stated = headers.get("content-length", "")
    return int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 20 else 0


class _TooMuch(MultiPartException):
    """More came than is taken; a form's parser closes its files when it meets this."""

    def __init__(self) -> None:
        super().__init__("the body is too long")


class _Counted:
    """A body that ends with _TooMuch as soon as it is too long."""

    def __init__(self, receive: Receive, most_bytes: int) -> None:
        self._receive = receive
        self._left = most_bytes
        self.is_too_long = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self.is_too_long = True
            raise _TooMuch
        return message


class _Completed:
    """An answer that says what browsers may do with it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_begun = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.is_begun = True
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)


def _unreadable_address() -> str:
    return _("This address has signs in it that no address has: type it again.")


def _too_many_headers() -> str:
    return _("Your browser sends more cookies than any of ours: delete those of this address.")


def _not_here() -> str:
    return _(
        "This server is not known by that name: ask for it by its address, or have its keeper add "
        "the name to the setting web.hosts."
    )


def _from_elsewhere() -> str:
    return _("This was asked by a page of another site, and was not done: ask on a page of movelo.")
