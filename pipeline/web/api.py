"""The JSON API under `/api/v1`: an application of its own, with its own OpenAPI and errors.

`app.mount("/api/v1", create_api(context))`; its description is at `/api/v1/openapi.json`.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from config.settings import data_folder
from config.version import version
from engines.maia_install import find_model
from pipeline.strength.estimate import StrengthModel
from pipeline.web.api_calculators import calculators_router
from pipeline.web.api_jobs import jobs_router
from pipeline.web.api_models import VersionAnswer
from pipeline.web.api_problems import Problem, answer_with_problems, problem_responses
from pipeline.web.context import WebContext

_DESCRIPTION = """\
How strong did I really play? Reports on Lichess games, by results and by moves.

Percent is 0 to 100; score, probability and coverage are 0 to 1. Ratings are in points of the
scale that stands beside them. Times are ISO 8601 with their zone. Errors are problem details
(RFC 9457). Asking for reports is limited per address, more strictly than reading: 429 says when
to come back (Retry-After)."""


def create_api(context: WebContext) -> FastAPI:
    """The API as an application to be mounted; it starts nothing."""
    api = FastAPI(
        title="movelo",
        version=version(),
        description=_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        servers=[{"url": "/api/v1"}],
        root_path_in_servers=False,
    )
    api.state.context = context
    answer_with_problems(api)
    api.include_router(jobs_router())
    api.include_router(calculators_router())
    api.add_api_route("/version", _version, tags=["version"], responses=problem_responses())
    described = cache(lambda: _openapi(api))
    api.openapi = described  # type: ignore[method-assign]
    return api


def _version() -> VersionAnswer:
    """Which movelo this is, and with what it makes its ranges."""
    model = _model()
    return VersionAnswer(
        movelo_version=version(),
        model_name=model.name,
        model_speeds=list(model.speeds),
        fitted_on_players=model.fitted.training.players,
        fitted_on_player_games=model.fitted.training.player_games,
        human_model_installed=find_model(data_folder()) is not None,
    )


@cache
def _model() -> StrengthModel:
    return StrengthModel.load()


def _openapi(api: FastAPI) -> dict[str, Any]:
    """FastAPI's description, and the schemas that it does not know of: problems and reports."""
    found = get_openapi(
        title=api.title,
        version=api.version,
        description=api.description,
        routes=api.routes,
        servers=api.servers,
    )
    template = "#/components/schemas/{model}"
    problem = Problem.model_json_schema(mode="serialization", ref_template=template)
    schemas = found["components"]["schemas"]
    schemas |= problem.pop("$defs") | {"Problem": problem} | _report_schemas()
    return found


def _report_schemas() -> dict[str, Any]:
    """What `movelo-report.schema.json` defines, as components."""
    file = resources.files("reports") / "templates" / "movelo-report.schema.json"
    text = file.read_text("utf-8").replace('"#/$defs/', '"#/components/schemas/')
    defined: dict[str, Any] = json.loads(text)["$defs"]
    return defined
