"""Every command's help as a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import typer

from made_from_code.markdown import code, plain, table
from pipeline.cli.app import app

_EXAMPLE = re.compile(r"Example: (movelo .*)")
_OPENING_EXAMPLE = re.compile(r"(.*?)\s*Example: (movelo .*)", re.DOTALL)
_COMMAND_ALONE = re.compile(r"movelo [a-z].* --.*")
_EVERYWHERE = "help"


def commands_page() -> str:
    """A section for each command, those of a group below it, in the order of `movelo --help`."""
    root = typer.main.get_command(app)
    shown = ("## movelo", *map(_paragraph, _paragraphs(root.help or "")), _options(root))
    return "\n\n".join((*shown, *_sections(root, ("movelo",))))


def _sections(group: Any, above: tuple[str, ...]) -> Iterator[str]:
    for name, command in group.commands.items():
        if command.hidden:
            continue
        path = (*above, name)
        yield _section(command, path)
        if hasattr(command, "commands"):
            yield from _sections(command, path)


def _section(command: Any, path: tuple[str, ...]) -> str:
    parts = [
        f"{'#' * len(path)} {' '.join(path)}",
        f"```text\n{_usage(command, path)}\n```",
        *map(_paragraph, _paragraphs(command.help or "")),
        table(("argument", "meaning"), _argument_rows(command)),
        _options(command),
    ]
    return "\n\n".join(part for part in parts if part)


def _usage(command: Any, path: tuple[str, ...]) -> str:
    if hasattr(command, "commands"):
        return f"{' '.join(path)} COMMAND …"
    return " ".join((*path, "[OPTIONS]", *(_argument(each) for each in _arguments(command))))


def _paragraphs(text: str) -> list[str]:
    found: list[str] = []
    for paragraph in text.split("\n\n"):
        joined = " ".join(paragraph.split())
        opening = _OPENING_EXAMPLE.fullmatch(joined)
        found += [opening[1], f"Example: {opening[2]}"] if opening and opening[1] else [joined]
    return found


def _paragraph(text: str) -> str:
    if example := _EXAMPLE.fullmatch(text):
        return f"```sh\n{example[1]}\n```"
    return f"```sh\n{text}\n```" if _COMMAND_ALONE.fullmatch(text) else plain(text)


def _arguments(command: Any) -> list[Any]:
    return [each for each in command.params if each.param_type_name == "argument"]


def _argument(argument: Any) -> str:
    named = (argument.metavar or argument.name.upper()).strip("{}[]")
    return str(named) if argument.required else f"[{named}]"


def _argument_rows(command: Any) -> Iterator[tuple[str, str]]:
    for argument in _arguments(command):
        yield code(_argument(argument)), plain(getattr(argument, "help", None) or "")


def _options(command: Any) -> str:
    shown = [
        each
        for each in command.params
        if each.param_type_name == "option" and not each.hidden and each.name != _EVERYWHERE
    ]
    return table(("option", "value", "meaning"), map(_option_row, shown))


def _option_row(option: Any) -> tuple[str, str, str]:
    names = ", ".join(map(code, (*option.opts, *option.secondary_opts)))
    meaning = plain(option.help or "")
    default = option.default
    if option.required:
        meaning += " *Needed.*"
    elif default not in (None, False, "", ()) and not callable(default) and not option.is_flag:
        meaning += f" *Without it: {plain(str(default))}.*"
    return names, _value(option), meaning


def _value(option: Any) -> str:
    if option.is_flag:
        return ""
    kind = option.type_descriptor.annotation
    if choices := _choices(kind):
        return ", ".join(map(code, choices))
    return code(option.metavar or kind.__name__.upper()) + _limits(option)


def _choices(kind: Any) -> tuple[str, ...]:
    """Those of a Literal, or of a list of them."""
    if get_origin(kind) is list:
        return _choices(get_args(kind)[0])
    return get_args(kind) if get_origin(kind) is Literal else ()


def _limits(option: Any) -> str:
    if option.max is not None:
        return f" {option.min} to {option.max}"
    return "" if option.min is None else f" from {option.min}"
