"""movelo-report.schema.json as a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from typing import Any

from made_from_code.markdown import code, plain, table

_ROOTS = ("player_report", "game_report")


def report_schema_page() -> str:
    """A section for each object, the two reports first."""
    file = resources.files("reports") / "templates" / "movelo-report.schema.json"
    return definitions_page(json.loads(file.read_text("utf-8"))["$defs"], _ROOTS)


def definitions_page(definitions: dict[str, Any], first: tuple[str, ...] = ()) -> str:
    """JSON schemas by name, each with its properties."""
    names = [*first, *(name for name in definitions if name not in first)]
    return "\n\n".join(_section(name, definitions[name]) for name in names)


def kind_of(schema: Any) -> str:
    """What a value of this schema is, in a few words of Markdown."""
    if "$ref" in schema:
        return code(schema["$ref"].rsplit("/", 1)[1])
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    if "enum" in schema:
        return ", ".join(code(json.dumps(value)) for value in schema["enum"])
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return " or ".join(map(kind_of, schema[key]))
    if "allOf" in schema:
        return " and ".join(map(kind_of, schema["allOf"]))
    return _typed(schema)


def _typed(schema: Any) -> str:
    kinds = schema.get("type", "anything")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    named = [
        f"list of {kind_of(schema['items'])}" if kind == "array" and "items" in schema else kind
        for kind in kinds
    ]
    low, high = schema.get("minimum"), schema.get("maximum")
    limits = [
        f"from {low:,}" if low is not None else "",
        f"to {high:,}" if high is not None else "",
    ]
    return " ".join([" or ".join(named), *(limit for limit in limits if limit)])


def _section(name: str, schema: Any) -> str:
    parts = [f"## {name}", plain(schema.get("description", ""))]
    variants = list(_objects(schema))
    if not variants:
        parts.append(kind_of(schema))
    others = [kind_of(option) for option in schema.get("oneOf", ()) if option not in variants]
    if others:
        parts.append(f"Either {' or '.join(others)}, or:")
    parts += [_properties(variant) for variant in variants]
    return "\n\n".join(part for part in parts if part)


def _objects(schema: Any) -> Iterator[Any]:
    if "properties" in schema:
        yield schema
    for option in schema.get("oneOf", ()):
        if "properties" in option:
            yield option


def _properties(schema: Any) -> str:
    needed = schema.get("required", ())
    rows = (
        (
            code(name) + ("" if name in needed else " (may be absent)"),
            kind_of(one),
            plain(one.get("description", "")),
        )
        for name, one in schema["properties"].items()
    )
    return table(("name", "type", "meaning"), rows)
