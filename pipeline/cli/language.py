"""Which language a command speaks, and its help in that language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from config.errors import SettingsError
from config.language import LANGUAGES, _, language, language_of, retold


class Command(Protocol):
    """A command of Typer's, as far as its help goes; a group has `commands` too."""

    help: str | None
    short_help: str | None
    params: list[Any]

    def get_help_option(self, ctx: Any, /) -> Any:
        """`--help` itself, as Typer has it."""


HELP_OPTIONS = ["-h", "--help"]

_EXAMPLE = re.compile(r"Example: (?=movelo )")


def chosen_language(
    arguments: Sequence[str], environment: Mapping[str, str], user_file: Path
) -> str:
    """What --lang says, else MOVELO_LANG, else the setting report.language, else the locale.

    SettingsError for a language that movelo does not speak in MOVELO_LANG; what --lang says is
    left to the command line's own check, what the file says to that of the settings.
    """
    if named := environment.get("MOVELO_LANG"):
        usual = spoken(named)
        if usual is None:
            raise SettingsError(
                _("MOVELO_LANG says {named}, and movelo speaks {languages}: correct it.").format(
                    named=f"{named!r}", languages=", ".join(LANGUAGES)
                )
            )
    else:
        setting = environment.get("MOVELO_REPORT__LANGUAGE") or _in_file(user_file)
        usual = spoken(setting) or language_of(environment)
    return spoken(_after_lang(arguments)) or usual


def spoken(text: str) -> str | None:
    """`fr`, `pt-BR` or `pt_BR.UTF-8` as one of LANGUAGES; None for another language."""
    tag = re.split(r"[-_.]", text.lower())[0]
    return tag if tag in LANGUAGES else None


def _after_lang(arguments: Sequence[str]) -> str:
    """Before the command: `--lang fr` or `--lang=fr`."""
    for number, argument in enumerate(arguments):
        if argument.startswith("--lang="):
            return argument.removeprefix("--lang=")
        if argument == "--lang":
            return "".join(arguments[number + 1 : number + 2])
        if not argument.startswith("-"):
            break
    return ""


def _in_file(user_file: Path) -> str:
    if not user_file.is_file():
        return ""
    import tomllib

    try:
        report = tomllib.loads(user_file.read_text("utf-8")).get("report", {})
        return str(report.get("language", ""))
    except (OSError, ValueError, AttributeError):
        return ""  # the settings tell what is wrong with it


# --- the help ------------------------------------------------------------------------------


def translate_help(command: Command) -> None:
    """Turn the help of a command, its options and its own commands into the context's language."""
    if language() == "en":
        return
    _translate_titles()
    for one in _with_commands(command):
        _tell_the_help_option(one)
        one.help = _told(one.help)
        one.short_help = _told(one.short_help)
        if isinstance(panel := getattr(one, "rich_help_panel", None), str):
            one.rich_help_panel = _(panel)  # type: ignore[attr-defined]  # of Typer's commands only
        for parameter in one.params:
            if isinstance(help_text := getattr(parameter, "help", None), str):
                parameter.help = _told(help_text)


def help_texts(command: Command) -> tuple[str, ...]:
    """Every paragraph of help there is, for the catalogues; in the order of the commands."""
    texts = [one.help or "" for one in _with_commands(command)]
    for one in _with_commands(command):
        texts += [getattr(parameter, "help", None) or "" for parameter in one.params]
    paragraphs = (paragraph for text in texts for paragraph in _paragraphs(text))
    return tuple(dict.fromkeys(p for p in paragraphs if p and not _EXAMPLE.match(p)))


def _with_commands(command: Command) -> list[Command]:
    own: Mapping[str, Command] = getattr(command, "commands", {})
    return [command, *(inner for one in own.values() for inner in _with_commands(one))]


def _told(text: str | None) -> str | None:
    if text is None:
        return None
    return "\n\n".join(_told_paragraph(paragraph) for paragraph in _paragraphs(text))


def _told_paragraph(paragraph: str) -> str:
    if example := _EXAMPLE.match(paragraph):
        return _("Example: {command}").format(command=paragraph[example.end() :])
    return retold(paragraph)


def _paragraphs(text: str) -> list[str]:
    """Lines are joined: where they end is the docstring's matter."""
    return [" ".join(part.split()) for part in text.split("\n\n")]


def _tell_the_help_option(command: Command) -> None:
    """Typer makes it when it is first asked for, and keeps it."""
    from typer import Context

    context = Context(command, help_option_names=HELP_OPTIONS)  # type: ignore[arg-type]
    option = command.get_help_option(context)
    if option is not None:
        option.help = _("Show this message and exit.")


def _translate_titles() -> None:
    """What Typer itself writes; it looks these names up when it prints."""
    from typer import rich_utils

    rich_utils.OPTIONS_PANEL_TITLE = _("Options")
    rich_utils.ARGUMENTS_PANEL_TITLE = _("Arguments")
    rich_utils.COMMANDS_PANEL_TITLE = _("Commands")
    rich_utils.ERRORS_PANEL_TITLE = _("Error")
    rich_utils.DEFAULT_STRING = _("[default: {}]")
    rich_utils.REQUIRED_LONG_STRING = _("[required]")
    rich_utils.RICH_HELP = _("Try [blue]'{command_path} {help_option}'[/] for help.")
