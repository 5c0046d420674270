"""The web application: everything that answers a request, put together."""

from __future__ import annotations

import logging
import time

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from config.errors import MoveloError, StoreError
from config.language import _, retold
from config.settings import WebSettings
from config.version import version
from pipeline.web.api import create_api
from pipeline.web.calculators import calculator_pages
from pipeline.web.context import WebContext
from pipeline.web.events import event_router
from pipeline.web.guard import Guard
from pipeline.web.languages import Languages
from pipeline.web.metrics import CountRequests, JobFigures, Metrics, metrics_router
from pipeline.web.pages import page_router
from pipeline.web.rate_limit import RateLimit
from pipeline.web.refusals import refusal
from pipeline.web.static_files import static_router

_log = logging.getLogger(__name__)

_FORM_BYTES = 256 * 1024  # what a form has beside the games
_MAKING = ("/reports", "/upload", "/again", "/jobs", "/jobs/pgn")


def create_app(context: WebContext) -> ASGIApp:
    """An ASGI application; nothing is started, and no worker is in it."""
    app = FastAPI(title="movelo", version=version(), openapi_url=None)
    app.state.context = context
    for error in (MoveloError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(error, _refused)
    metrics = Metrics(lambda: _figures(context))
    app.add_api_route("/healthz", _healthz, include_in_schema=False)
    for router in (
        page_router(context),
        event_router(context.queue),
        calculator_pages(),
        static_router(),
        metrics_router(metrics),
    ):
        app.include_router(router)
    app.mount("/api/v1", create_api(context))
    return _guarded(app, context.settings.web, metrics)


def _guarded(app: ASGIApp, settings: WebSettings, metrics: Metrics) -> ASGIApp:
    """From the inside out: how often one may ask, who may ask at all, in which language."""
    limited = RateLimit(app, clock=time.monotonic, makes_job=makes_job)
    guarded = Guard(
        limited,
        hosts=(settings.host, *settings.hosts),
        most_bytes=int(settings.upload_mebibytes * 2**20) + _FORM_BYTES,
    )
    return CountRequests(Languages(guarded), metrics=metrics)


def makes_job(method: str, path: str) -> bool:
    """Whether such a request asks for a report to be made."""
    return method == "POST" and path.endswith(_MAKING)


def _healthz(request: Request) -> Response:
    """Whether the server answers and its store can be read."""
    context: WebContext = request.app.state.context
    context.queue.counts()
    return Response("ok\n", media_type="text/plain")


def _figures(context: WebContext) -> JobFigures:
    counts = context.queue.counts()
    return JobFigures(
        jobs_by_state={str(state): count for state, count in counts.items()},
        games_evaluated=context.store.count_evaluations(),
    )


def _refused(request: Request, error: Exception) -> Response:
    """A page with one sentence; what nobody foresaw is in the log alone."""
    status, sentence = _said_of(error)
    if status >= 500:
        _log.warning("%s %s: %s", request.method, request.url.path, error)
    kind, body = refusal(request.url.path, status, sentence)
    return Response(body, status, media_type=kind)


def _said_of(error: Exception) -> tuple[int, str]:
    if isinstance(error, StoreError):
        return 503, _("What is kept cannot be read or written at the moment: try again later.")
    if isinstance(error, MoveloError):
        return 400, retold(str(error))
    if isinstance(error, HTTPException):
        plain = error.status_code in (404, 405) and error.detail in (
            "Not Found",
            "Method Not Allowed",
        )
        return error.status_code, _nothing_here() if plain else str(error.detail)
    if isinstance(error, RequestValidationError):
        return 404, _nothing_here()
    return 500, _("Something went wrong that nobody foresaw; it is in the server’s log.")


def _nothing_here() -> str:
    return _("There is nothing at this address.")
