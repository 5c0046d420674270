"""Errors of the API as problem details (RFC 9457): a sentence, a status, no traceback."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from config.errors import InputError, MoveloError, NoGames, StoreError, UnknownPlayer
from config.language import _

_log = logging.getLogger(__name__)

PROBLEM_TYPE = "application/problem+json"
_REFUSED = (InputError, NoGames, UnknownPlayer)


class FieldProblem(BaseModel):
    """What is wrong with one parameter or one field of a body."""

    field: str = Field(description="Its name; the parts of a nested one are joined by dots.")
    detail: str = Field(description="One sentence for a person.")


class Problem(BaseModel):
    """RFC 9457: what went wrong, for programs (`status`) and for people (`detail`)."""

    title: str = Field(description="The status in HTTP's own words.")
    status: int = Field(description="The HTTP status.", ge=400, le=599)
    detail: str = Field(description="One sentence for a person: what, where, what to do.")
    errors: list[FieldProblem] = Field(
        default_factory=list, description="The parameters or fields that are wrong."
    )


def problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What OpenAPI is to say about these statuses, and those that any request can meet."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {PROBLEM_TYPE: {"schema": schema}},
        }
        for status in sorted({*statuses, 403, 422, 429, 503})
    }


def problem(
    status: int,
    detail: str,
    *,
    errors: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """The answer; `errors` are sentences by the names of what they are about."""
    body = Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        errors=[FieldProblem(field=name, detail=text) for name, text in (errors or {}).items()],
    )
    return JSONResponse(
        body.model_dump(), status, headers=dict(headers or {}), media_type=PROBLEM_TYPE
    )


def answer_with_problems(app: FastAPI) -> None:
    """Whatever fails in `app` is answered by a problem."""
    app.add_exception_handler(MoveloError, _foreseen)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(Exception, _unforeseen)


def _foreseen(_request: Request, error: Exception) -> JSONResponse:
    if isinstance(error, _REFUSED):
        return problem(422, str(error))
    _log.warning("a request could not be answered: %s", error)
    status = 503 if isinstance(error, StoreError) else 500
    return problem(status, str(error))


def _unreadable(_request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RequestValidationError):
        raise error
    errors: dict[str, str] = {}
    for found in error.errors():
        # The first part says whether it is the body, the query or the path.
        name = ".".join(map(str, found["loc"][1:])) or "body"
        errors.setdefault(name, str(found.get("ctx", {}).get("error", found["msg"])))
    field, first = next(iter(errors.items()))
    sentence = _("{field}: {problem}.").format(field=field, problem=first.rstrip("."))
    return problem(422, sentence, errors=errors)


def _refused(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise error
    said = error.detail
    if said == HTTPStatus(error.status_code).phrase:  # by the router: it knows no more than that
        said = _("There is nothing for {method} at this address: see /api/v1/openapi.json.").format(
            method=request.method
        )
    return problem(error.status_code, said, headers=error.headers)


def _unforeseen(_request: Request, error: Exception) -> JSONResponse:
    # Starlette raises it again, so that the server's log has it.
    sentence = _("Something went wrong inside movelo; the server’s log says what.")
    return problem(500, sentence)
