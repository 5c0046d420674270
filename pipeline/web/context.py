"""What the pages and the API work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Annotated, TypeAlias

from fastapi import Depends, Request

from config.settings import Settings
from pipeline.jobs import JobQueue
from pipeline.store import Store
from pipeline.web.addresses import client_address


@dataclass(frozen=True, slots=True, kw_only=True)
class WebContext:
    """Passed in once, at `create_app`; `zone` is whose days are shown, `clock` gives UTC.

    The store may be used from every thread that answers a request.
    """

    store: Store
    queue: JobQueue
    settings: Settings
    zone: tzinfo
    clock: Callable[[], datetime]


def _context(request: Request) -> WebContext:
    context: WebContext = request.app.state.context
    return context


Context: TypeAlias = Annotated[WebContext, Depends(_context)]
"""For who answers requests and asks for it."""


def address_of(request: Request) -> str:
    """Whom the queue's limits count, as all limits do; "" when unknown."""
    return client_address(request.scope) if request.client else ""
