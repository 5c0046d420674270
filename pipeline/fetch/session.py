"""The HTTP session for Lichess: who asks, the token, and no wait without end.

berserk's TokenSession is not used: it throws away all other headers, the User-Agent among
them, and Lichess answers clients that do not say who they are with a false 404.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase

from config.errors import SettingsError
from config.language import _

_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{1,512}")  # RFC 6750, section 2.1
_USER_AGENT = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")


def lichess_session(
    *,
    token: str | None,
    user_agent: str,
    connect_timeout_seconds: float,
    read_timeout_seconds: float,
) -> requests.Session:
    """A session that says who it is, and gives up on a silent server.

    `token` is a personal access token of Lichess (no scope needed); it is sent to the host
    that is asked, never to one that it redirects to, nor in the clear but to this machine
    itself, and appears in no text. `user_agent`
    should name the program and a contact. The read timeout is that between two pieces of an
    answer. Raises SettingsError for a token or a User-Agent that cannot be sent.
    """
    if not _USER_AGENT.fullmatch(user_agent):
        raise SettingsError(
            _(
                "the User-Agent {user_agent} cannot be sent; name the program and a contact, "
                "in plain ASCII letters"
            ).format(user_agent=f"{user_agent!r}")
        )
    session = requests.Session()
    session.headers["User-Agent"] = user_agent
    # An auth object, even without a token, also keeps a ~/.netrc from being sent.
    session.auth = _Bearer(_checked_token(token))
    adapter = _PatientAdapter(connect_timeout_seconds, read_timeout_seconds)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    return session


def _checked_token(token: str | None) -> str | None:
    token = (token or "").strip()
    if token and not _TOKEN.fullmatch(token):
        raise SettingsError(
            _(
                "the Lichess token holds characters that no token has; copy it again from "
                "https://lichess.org/account/oauth/token"
            )
        )
    return token or None


class _Bearer(AuthBase):
    """Adds the token; requests takes it off again when a redirect leaves the host."""

    def __init__(self, token: str | None) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._token and _is_private(request.url or ""):
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request

    def __repr__(self) -> str:
        return "<Lichess token>" if self._token else "<no Lichess token>"


def _is_private(url: str) -> bool:
    address = urlsplit(url)
    return address.scheme == "https" or address.hostname in ("localhost", "127.0.0.1", "::1")


class _PatientAdapter(HTTPAdapter):
    """Requests has no timeouts unless every call states them."""

    def __init__(self, connect_timeout_seconds: float, read_timeout_seconds: float) -> None:
        super().__init__()
        self._timeouts = (connect_timeout_seconds, read_timeout_seconds)

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: float | tuple[float, float] | tuple[float, None] | None = None,
        verify: bool | str = True,
        cert: bytes | str | tuple[bytes | str, bytes | str] | None = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """Send with the session's timeouts, where the call has none of its own."""
        return super().send(request, stream, timeout or self._timeouts, verify, cert, proxies)
