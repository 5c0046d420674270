"""`movelo`: the commands, and the one place where an error becomes a sentence and an exit code."""

from __future__ import annotations

import io
import os
import signal
import sys
from types import FrameType
from typing import Annotated, NoReturn

import typer

from config.errors import MoveloError
from config.garbage import look_seldom
from config.language import LANGUAGES, _, english, retold, speaking
from config.user_file import user_file
from pipeline.cli import (
    analyse,
    batch,
    demo,
    doctor,
    elo,
    engine,
    evaluate,
    export,
    forget,
    game,
    import_games,
    model,
    report,
    schedule,
    serve,
    simulate,
    sync,
    train,
    work,
)
from pipeline.cli.help_types import leave_types_out
from pipeline.cli.language import HELP_OPTIONS, chosen_language, spoken, translate_help
from pipeline.cli.options import one_of

app = typer.Typer(
    name="movelo",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": HELP_OPTIONS},
    help="How strong did I really play? Lichess games seen through their results and through "
    "their moves, each with its uncertainty.\n\nExample: movelo report NAME\n\n"
    "Example: movelo demo\n\nmovelo COMMAND --help explains a command.",
)
_REPORTS = english("Reports")
_GAMES = english("Games")
_OTHERS = english("For others to ask")
_RATINGS = english("Ratings calculated")
_MACHINE = english("This machine")
_MEASURING = english("Measuring and fitting the model")

app.command("report", rich_help_panel=_REPORTS)(report.report)
app.command("game", rich_help_panel=_REPORTS)(game.game)
app.command("batch", rich_help_panel=_REPORTS)(batch.batch)
app.command("demo", rich_help_panel=_REPORTS)(demo.demo)
app.command("sync", rich_help_panel=_GAMES)(sync.sync)
app.command("import", rich_help_panel=_GAMES)(import_games.import_games)
app.command("export", rich_help_panel=_GAMES)(export.export)
app.command("forget", rich_help_panel=_GAMES)(forget.forget)
app.command("serve", rich_help_panel=_OTHERS)(serve.serve)
app.command("work", rich_help_panel=_OTHERS)(work.work)
app.add_typer(schedule.app, name="schedule", rich_help_panel=_OTHERS)
app.add_typer(elo.app, name="elo", rich_help_panel=_RATINGS)
app.command("doctor", rich_help_panel=_MACHINE)(doctor.doctor)
app.add_typer(engine.app, name="engine", rich_help_panel=_MACHINE)
app.add_typer(model.app, name="model", rich_help_panel=_MACHINE)
app.command("evaluate", rich_help_panel=_MEASURING)(evaluate.evaluate)
app.command("analyse", rich_help_panel=_MEASURING)(analyse.analyse)
app.command("simulate", rich_help_panel=_MEASURING)(simulate.simulate)
app.command("train", rich_help_panel=_MEASURING)(train.train)


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang", metavar="LANGUAGE", help="Speak English, French or Portuguese: en, fr, pt."
        ),
    ] = None,
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)
    ] = False,
) -> None:
    if lang is not None:
        context.with_resource(speaking(spoken(lang) or one_of(lang, LANGUAGES, "--lang")))
    if show_version:
        from config.version import version

        typer.echo(f"movelo {version()}")
        raise typer.Exit


def main() -> NoReturn:
    """Run the command line; config/errors.py says what the exit codes mean."""
    # Typer would turn Ctrl-C into "Aborted!"; SIGTERM alone would leave engines behind.
    signal.signal(signal.SIGINT, _stop)
    signal.signal(signal.SIGTERM, _stop)
    _write_anything()
    look_seldom()
    try:
        wanted = chosen_language(sys.argv[1:], os.environ, user_file())
    except MoveloError as error:
        sys.exit(_say(str(error), error.exit_code))
    with speaking(wanted):
        sys.exit(_run())


def _write_anything() -> None:
    """What a Windows pipe or an old terminal has no letter for becomes a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _run() -> int:
    code = 0
    try:
        command = typer.main.get_command(app)
        leave_types_out(command)
        translate_help(command)
        command()
    except MoveloError as error:
        # An engine's thread speaks English.
        code = _say(retold(str(error)), error.exit_code)
    except _Stopped as stopped:
        kept = _(
            "Stopped. What was fetched and evaluated is kept: the same command continues there."
        )
        code = _say(kept, stopped.exit_code)
    except SystemExit as end:
        code = _flushed(end.code)
    except OSError as error:
        code = _unwritten(error)
    return code


class _Stopped(BaseException):
    """Not a KeyboardInterrupt, which Typer would catch."""

    def __init__(self, signal_number: int) -> None:
        self.exit_code = 128 + signal_number


def _stop(signal_number: int, _frame: FrameType | None) -> NoReturn:
    raise _Stopped(signal_number)


def _flushed(code: str | int | None) -> int:
    """Whether all of the output could be written is known only now."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return _unwritten(error)
    return code if isinstance(code, int) else 0


def _unwritten(error: OSError) -> int:
    _forget_output()
    if isinstance(error, BrokenPipeError):
        return 0  # whoever read our output (head, less) has enough
    said = _("the output could not be written: {error}")
    return _say(said.format(error=error.strerror or error), 1)


def _forget_output() -> None:
    """Python would try to write what is left, and complain, at exit."""
    sys.stdout = None


def _say(sentence: str, code: int) -> int:
    typer.echo(f"movelo: {sentence.rstrip('.')}.", err=True)
    return code
