"""The web application: everything that answers a request, put together."""

from __future__ import annotations

from fastapi import FastAPI, Response

from config.version import version
from pipeline.web.context import WebContext


def create_app(context: WebContext) -> FastAPI:
    """An ASGI application; nothing is started, and no worker is in it."""
    app = FastAPI(title="movelo", version=version(), docs_url=None, redoc_url=None)
    app.state.context = context
    app.add_api_route("/healthz", _healthz, include_in_schema=False)
    return app


def _healthz() -> Response:
    return Response("ok\n", media_type="text/plain")
