"""What the pages and the API work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo

from fastapi import Request

from config.settings import Settings
from pipeline.jobs import JobQueue
from pipeline.store import Store


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


def web_context(request: Request) -> WebContext:
    """A dependency: `Annotated[WebContext, Depends(web_context)]`."""
    context: WebContext = request.app.state.context
    return context


def address_of(request: Request) -> str:
    """Where the request came from; behind a trusted proxy, what that says. "" when unknown."""
    return request.client.host if request.client else ""
