"""A request that is not answered: one sentence, as a page or as the API's problem."""

from __future__ import annotations

import json
from collections.abc import Sequence
from http import HTTPStatus

from starlette.types import Scope, Send

from reports.web_pages import refusal_to_html

API = "/api/"


async def refuse(
    scope: Scope,
    send: Send,
    status: int,
    sentence: str,
    *,
    headers: Sequence[tuple[bytes, bytes]] = (),
) -> None:
    """Answer in whatever form the asker reads, with `headers` more."""
    kind, body = refusal(scope["path"], status, sentence)
    all_headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"x-content-type-options", b"nosniff"),
        (
            b"content-security-policy",
            b"default-src 'none'; style-src 'self'; frame-ancestors 'none'",
        ),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),  # a body may still be coming
        *headers,
    ]
    await send({"type": "http.response.start", "status": status, "headers": all_headers})
    await send({"type": "http.response.body", "body": body})


def refusal(path: str, status: int, sentence: str) -> tuple[str, bytes]:
    """Its content type, and the body."""
    if path.startswith(API):
        problem = {"title": HTTPStatus(status).phrase, "status": status, "detail": sentence}
        return "application/problem+json", json.dumps(problem).encode()
    return "text/html; charset=utf-8", refusal_to_html(sentence).encode()
