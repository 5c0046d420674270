"""Python's names for types, which Typer writes into the help, left out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any


def leave_types_out(command: Any) -> None:
    """`--json` and `NAME` instead of `--json <bool>` and `NAME <str>`, in all commands below."""
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            parameter.display_type_rich = _nothing
        elif parameter.is_flag:
            parameter.metavar = ""
    command.get_help_option = partial(_without_type, command.get_help_option)
    inner: Mapping[str, Any] = getattr(command, "commands", {})
    for one in inner.values():
        leave_types_out(one)


def _without_type(get_help_option: Callable[[Any], Any], context: Any) -> Any:
    """Typer makes --help only when it is asked for."""
    option = get_help_option(context)
    if option is not None:
        option.metavar = ""
    return option


def _nothing(ctx: object) -> None:
    """What an argument is, its own name says."""
