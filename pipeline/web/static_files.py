"""The files that pages link to: a fixed list, read once; no path comes from outside."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request, Response

import reports

_REPORTS = Path(reports.__file__).parent
_FILES = {
    "web.css": (_REPORTS / "static" / "web.css", "text/css"),
    "web.js": (_REPORTS / "static" / "web.js", "text/javascript"),
    "htmx.min.js": (_REPORTS / "static" / "htmx.min.js", "text/javascript"),
    "htmx-sse.min.js": (_REPORTS / "static" / "htmx-sse.min.js", "text/javascript"),
    "report.css": (_REPORTS / "templates" / "report.css", "text/css"),
}


def static_router() -> APIRouter:
    """`/static/{name}` for each of them."""
    router = APIRouter(include_in_schema=False)
    router.add_api_route("/static/{name}", _static)
    return router


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    content: bytes
    kind: str
    tag: str


def _static(name: str, request: Request) -> Response:
    if name not in _FILES:
        raise HTTPException(404)
    file = _file(name)
    headers = {"ETag": file.tag, "Cache-Control": "public, max-age=300"}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(file.content, media_type=file.kind, headers=headers)


@cache
def _file(name: str) -> _File:
    path, kind = _FILES[name]
    content = path.read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return _File(content=content, kind=kind, tag=tag)
