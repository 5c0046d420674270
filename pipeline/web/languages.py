"""In which language a request is answered: what its address, its cookie or its browser says."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from config.language import LANGUAGES, best_language, speaking

COOKIE = "movelo_language"


class Languages:
    """ASGI middleware: everything within a request speaks its language.

    `?lang=fr` for one page; a cookie for all; else what the browser likes best.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, spoken to."""
        with speaking(_wanted(scope) if scope["type"] == "http" else "en"):
            await self._app(scope, receive, send)


def _wanted(scope: Scope) -> str:
    headers = Headers(scope=scope)
    for wish in (_asked(scope["query_string"]), _cookie(headers.get("cookie", ""))):
        if wish in LANGUAGES:
            return wish
    return best_language(headers.get("accept-language", ""))


def _asked(query: bytes) -> str:
    try:
        return parse_qs(query.decode("latin-1"), max_num_fields=100).get("lang", [""])[-1]
    except ValueError:  # more fields than any of our addresses has
        return ""


def _cookie(text: str) -> str:
    """The language's. Python's own reader takes seconds for a hostile one (CVE-2024-7592)."""
    for pair in text.split(";"):
        name, _equals, value = pair.strip().partition("=")
        if name == COOKIE:
            return value
    return ""
