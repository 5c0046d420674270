"""The web application's OpenAPI description as a page."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from config.settings import load_settings
from made_from_code.markdown import code, plain, table
from made_from_code.report_schema import definitions_page, kind_of
from pipeline.cli.job_queue import job_queue
from pipeline.store import Store
from pipeline.web.api import create_api
from pipeline.web.context import WebContext


def http_api_page() -> str:
    """A section for each address and method, then the schemas that are not the report's."""
    described = openapi()
    parts = [plain(described["info"]["description"]).replace("\\#", "#")]
    for path, methods in described["paths"].items():
        parts += [_operation(path, method, found) for method, found in methods.items()]
    schemas = described["components"]["schemas"]
    own = {name: schema for name, schema in schemas.items() if name[0].isupper()}
    return "\n\n".join([*parts, definitions_page(own)])


def openapi() -> dict[str, Any]:
    """As the application describes itself at `/api/v1/openapi.json`."""
    settings = load_settings()
    with TemporaryDirectory() as folder, Store(Path(folder) / "movelo.sqlite") as store:
        queue = job_queue(store, settings.web)
        context = WebContext(
            store=store,
            queue=queue,
            settings=settings,
            zone=UTC,
            clock=lambda: datetime.now(UTC),
        )
        return create_api(context).openapi()


def _operation(path: str, method: str, found: dict[str, Any]) -> str:
    parts = [
        f"## {method.upper()} /api/v1{path}",
        plain(found.get("description") or found.get("summary", "")),
        table(("parameter", "in", "type", "meaning"), map(_parameter, found.get("parameters", ()))),
        _body(found.get("requestBody", {})),
        "Answers: " + "; ".join(_answer(*one) for one in found["responses"].items()) + ".",
    ]
    return "\n\n".join(part for part in parts if part)


def _parameter(found: dict[str, Any]) -> tuple[str, str, str, str]:
    needed = " (needed)" if found.get("required") else ""
    return (
        code(found["name"]) + needed,
        found["in"],
        kind_of(found["schema"]),
        plain(found.get("description", "")),
    )


def _body(found: dict[str, Any]) -> str:
    kinds = [
        f"{code(kind)}: {kind_of(content.get('schema', {}))}"
        for kind, content in found.get("content", {}).items()
    ]
    return f"Body: {'; '.join(kinds)}." if kinds else ""


def _answer(status: str, found: dict[str, Any]) -> str:
    schemas = [
        kind_of(one["schema"]) for one in found.get("content", {}).values() if "schema" in one
    ]
    return f"{status} {' or '.join(dict.fromkeys(schemas))}".strip()
