"""config/defaults.toml as a page: each section as it is written, and how else it can be set."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib import resources
from typing import Any

from config.settings import Settings
from made_from_code.markdown import code, table


def settings_page() -> str:
    """A part for each section, in the file's order."""
    text = (resources.files("config") / "defaults.toml").read_text("utf-8")
    values = tomllib.loads(text)
    return "\n\n".join(_part(name, lines, values) for name, lines in _sections(text))


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each with its lines, and the comment that stands before its name."""
    blocks = text.strip().split("\n\n")[1:]  # the first tells of the file
    name, lines = "", list[str]()
    for block in blocks:
        heading = next((line for line in block.splitlines() if line.startswith("[")), None)
        if heading is not None:
            if name:
                yield name, lines
            name, lines = heading.strip("[]"), []
        lines += ["", *block.splitlines()] if lines else block.splitlines()
    yield name, lines


def _part(name: str, lines: list[str], values: dict[str, Any]) -> str:
    section: Any = values
    for part in name.split("."):
        section = section[part]
    rows = [
        (code(key), code(variable(name, key)), _described(name, key))
        for key, value in section.items()
        if not isinstance(value, dict)
    ]
    shown = "\n".join(lines)
    return f"## {name}\n\n```toml\n{shown}\n```\n\n" + table(
        ("setting", "in the environment", "takes"), rows
    )


def variable(section: str, key: str) -> str:
    """The environment's name for a setting."""
    return f"MOVELO_{section.replace('.', '__')}__{key}".upper()


def _described(section: str, key: str) -> str:
    """What a setting takes, as its model declares it."""
    schema = Settings.model_json_schema()
    found: Any = schema
    for part in (*section.split("."), key):
        found = _followed(found, schema)["properties"][part]
    return _takes(_followed(found, schema))


def _followed(found: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    reference = found.get("$ref", "")
    return schema["$defs"][reference.rsplit("/", 1)[1]] if reference else found


def _takes(found: dict[str, Any]) -> str:
    if choices := found.get("enum"):
        return ", ".join(code(str(choice)) for choice in choices)
    if "const" in found:
        return code(f'"{found["const"]}"')
    if options := found.get("anyOf"):
        return " or ".join(_takes(option) for option in options)
    if found.get("type") == "array":
        return f"a list of {_takes(found['items'])}"
    return f"{_KINDS[found['type']]}{_limits(found)}"


_KINDS = {
    "boolean": "`true` or `false`",
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
}


def _limits(found: dict[str, Any]) -> str:
    words = {
        "minimum": "at least",
        "exclusiveMinimum": "above",
        "maximum": "at most",
    }
    said = [f"{word} {found[key]:g}" for key, word in words.items() if key in found]
    return f", {', '.join(said)}" if said else ""
