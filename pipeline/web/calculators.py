"""The pages of the calculators of `movelo elo`: `/calculators`, `/calculators/change`.

A page's address holds what was asked, so that it can be shared; an answer that depends on the
day is given an address with the day in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse

from config.language import _
from pipeline.calculators.by_name import CALCULATORS, calculator
from pipeline.calculators.calculator import Calculator
from pipeline.web.calculator_solving import Refused, solved
from pipeline.web.context import Context, WebContext
from reports.web_calculators import (
    CalculatorLink,
    FilledForm,
    calculator_to_html,
    calculators_to_html,
)


def calculator_pages() -> APIRouter:
    """The pages; answers depend on nothing but the address and, where none is given, the day."""
    router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
    router.add_api_route("/calculators", _all_page)
    router.add_api_route("/calculators/{name}", _page)
    return router


def filled(asked: Calculator, query: Mapping[str, str], *, today: date) -> FilledForm:
    """The form as the query fills it, with the answer; an empty one where nothing was asked."""
    fields = asked.form.fields
    typed = {field.name: query[field.name] for field in fields if field.name in query}
    shown = {field.name: typed.get(field.name, "").strip() or field.default for field in fields}
    if fields and not typed:
        return FilledForm(texts=shown, errors={})
    found = solved(asked, typed, today=today)
    if isinstance(found, Refused):
        return FilledForm(texts=shown, errors=found.errors)
    return FilledForm(
        texts=shown, errors={}, answer=found.answer, query=_query(asked, shown, today)
    )


def today_of(context: WebContext) -> date:
    """The day where the server's reader is."""
    return context.clock().astimezone(context.zone).date()


def _all_page() -> str:
    return calculators_to_html(_links())


def _page(name: str, request: Request, context: Context) -> str:
    if name not in CALCULATORS:
        raise HTTPException(
            404, _("There is no such calculator; the list of all is at /calculators.")
        )
    asked = calculator(name)
    form = filled(asked, request.query_params, today=today_of(context))
    return calculator_to_html(asked.form, form, _links())


def _links() -> tuple[CalculatorLink, ...]:
    forms = (calculator(name).form for name in CALCULATORS)
    return tuple(
        CalculatorLink(name=form.name, title=form.title, summary=form.summary) for form in forms
    )


def _query(asked: Calculator, shown: Mapping[str, str], today: date) -> str:
    """What is not supposed anyway, and the day."""
    parameters = {
        field.name: shown[field.name]
        for field in asked.form.fields
        if shown[field.name] not in ("", field.default)
    }
    if asked.dated and "on" not in parameters:
        parameters["on"] = today.isoformat()
    return urlencode(parameters)
