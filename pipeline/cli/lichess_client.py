"""How the commands speak to Lichess: by the settings, with a token if there is one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import requests

from config.settings import LichessSettings
from config.version import version
from pipeline.fetch.lichess import Lichess
from pipeline.fetch.session import lichess_session
from pipeline.progress import Progress
from pipeline.store import Store
from pipeline.waiting import StoredWaits


def lichess(
    settings: LichessSettings,
    progress: Progress,
    store: Store,
    *,
    sleep: Callable[[float], None] = time.sleep,
) -> Lichess:
    """The client, with the token of LICHESS_TOKEN if there is one.

    That Lichess asked to wait is kept in the store, for whoever asks next.
    """
    return Lichess(
        session(settings),
        base_url=settings.base_url,
        sleep=sleep,
        on_notice=progress.say,
        waits=StoredWaits(store, settings.base_url, clock=time.time),
    )


def session(settings: LichessSettings, *, with_token: bool = True) -> requests.Session:
    """Who asks and how patiently; other hosts than Lichess get no token."""
    token = os.environ.get("LICHESS_TOKEN") or None
    return lichess_session(
        token=token if with_token else None,
        user_agent=user_agent(settings),
        connect_timeout_seconds=settings.connect_timeout_seconds,
        read_timeout_seconds=settings.read_timeout_seconds,
    )


def user_agent(settings: LichessSettings) -> str:
    """Who asks, as Lichess wants to know it."""
    named = settings.user_agent.replace("{version}", version())
    return named.replace("{contact}", settings.contact)
