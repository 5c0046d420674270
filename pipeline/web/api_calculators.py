"""The calculators for programs: the pages' parameters, the terminal's JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field, create_model

from config.language import _
from pipeline.calculators.by_name import CALCULATORS, calculator
from pipeline.calculators.calculator import Calculator
from pipeline.calculators.limits import LONGEST_LIST
from pipeline.web.api_problems import problem, problem_responses
from pipeline.web.calculator_solving import Refused, solved
from pipeline.web.calculators import today_of
from pipeline.web.context import Context
from reports.calculator_form import CalculatorField, CalculatorForm, FieldKind
from reports.elo_json import answer_to_json

_LIST = {"type": "string", "minLength": 1, "maxLength": LONGEST_LIST}
_TYPES: dict[FieldKind, dict[str, Any]] = {
    "rating": {"type": "number"},
    "number": {"type": "number"},
    "whole": {"type": "integer"},
    "switch": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "choice": {"type": "string"},
    "games": {**_LIST, "format": "games"},
    "glicko_games": {**_LIST, "format": "games"},
    "ratings": {**_LIST, "format": "ratings"},
}


class CalculatorName(BaseModel):
    """A calculator, at `/calculators/{name}`."""

    name: str
    title: str
    summary: str


class CalculatorNames(BaseModel):
    """All of them."""

    calculators: list[CalculatorName]


def calculators_router() -> APIRouter:
    """`/calculators`, and each of them at an address of its own."""
    router = APIRouter(tags=["calculators"])
    router.add_api_route("/calculators", _names, responses=problem_responses())
    for name in CALCULATORS:
        _add(router, calculator(name))
    return router


def _names() -> CalculatorNames:
    """The calculators, in the order in which the pages show them."""
    forms = (calculator(name).form for name in CALCULATORS)
    return CalculatorNames(
        calculators=[
            CalculatorName(name=form.name, title=form.title, summary=form.summary) for form in forms
        ]
    )


def _add(router: APIRouter, made: Calculator) -> None:
    form = made.form
    router.add_api_route(
        f"/calculators/{form.name}",
        _endpoint(form.name),
        name=f"calculate_{form.name.replace('-', '_')}",
        summary=form.title,
        description=f"{form.summary} Source: {form.source.text} {form.source.url}".strip(),
        response_model=_answer_model(made),
        responses=problem_responses(),
        openapi_extra={"parameters": _parameters(form)},
    )


def _endpoint(name: str) -> Callable[[Request, Context], Response]:
    def calculate(request: Request, context: Context) -> Response:
        asked, query = calculator(name), request.query_params
        names = {field.name for field in asked.form.fields}
        unknown = {
            name: _("There is no parameter of this name.") for name in query if name not in names
        }
        if unknown:
            return _refusal(unknown)
        found = solved(asked, query, today=today_of(context))
        if isinstance(found, Refused):
            return _refusal(found.errors)
        body = answer_to_json(found.question, found.asked, found.record)
        return Response(body, media_type="application/json")

    return calculate


def _refusal(errors: Any) -> Response:
    return problem(422, next(iter(errors.values())), errors=errors)


def _answer_model(made: Calculator) -> type[BaseModel]:
    """`{"schema": "movelo.elo-change/1", "asked": …, "answer": …}`, as `--json` prints it."""
    title = "".join(part.capitalize() for part in made.form.name.split("-"))
    names = [made.form.name, *(["expected-table"] if made.form.name == "expected" else [])]
    schemas: Any = Literal[tuple(f"movelo.elo-{name}/1" for name in names)]
    return create_model(
        f"{title}Answer",
        schema_=(schemas, Field(alias="schema", description="The question and its version.")),
        asked=(dict[str, Any], Field(description="What was asked, with what was supposed.")),
        answer=(made.record, Field(description="Ratings and changes in points.")),
    )


def _parameters(form: CalculatorForm) -> list[dict[str, Any]]:
    """As OpenAPI has them, each with its value in the form's example."""
    examples = dict(parse_qsl(form.example))
    found = []
    for field in form.fields:
        parameter = _parameter(field)
        if field.name in examples:
            parameter["example"] = _value(parameter["schema"]["type"], examples[field.name])
        found.append(parameter)
    return found


def _parameter(field: CalculatorField) -> dict[str, Any]:
    unit = f" In {field.unit}." if field.unit else ""
    return {
        "name": field.name,
        "in": "query",
        "required": field.required,
        "description": f"{field.label}. {field.help}{unit}".strip(),
        "schema": _schema(field),
    }


def _schema(field: CalculatorField) -> dict[str, Any]:
    schema = dict(_TYPES[field.kind])
    if field.choices:
        schema["enum"] = [value for value, _label in field.choices]
    if field.kind in ("rating", "number", "whole"):
        limits = {"minimum": field.minimum, "maximum": field.maximum}
        schema |= {name: limit for name, limit in limits.items() if limit is not None}
    if field.default:
        schema["default"] = _value(schema["type"], field.default)
    return schema


def _value(kind: str, text: str) -> str | float:
    if kind == "string":
        return text
    return int(text) if kind == "integer" else float(text)
