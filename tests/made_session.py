"""A session with Lichess for tests: as movelo's own, but sooner tired of waiting."""

import requests

from pipeline.fetch.session import lichess_session


def impatient_session(
    *, token: str | None = None, user_agent: str = "movelo-tests (nobody@example.org)"
) -> requests.Session:
    return lichess_session(
        token=token,
        user_agent=user_agent,
        connect_timeout_seconds=2,
        read_timeout_seconds=1.0,  # a busy machine answers sooner
    )
