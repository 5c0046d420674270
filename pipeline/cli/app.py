"""`movelo`: the commands, and the one place where an error becomes a sentence and an exit code."""

from __future__ import annotations

import signal
import sys
from typing import Annotated, NoReturn

import click
import typer

from config.errors import MoveloError
from pipeline.cli import demo, doctor, engine, evaluate, game, report, train

INTERRUPTED = 130
"""What a shell expects of a program that Ctrl-C ended."""

TERMINATED = 143
"""The same for SIGTERM."""

app = typer.Typer(
    name="movelo",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="How strong did I really play? Lichess games seen through their results and through "
    "their moves, each with its uncertainty.",
)
app.command("report")(report.report)
app.command("game")(game.game)
app.command("demo")(demo.demo)
app.command("doctor")(doctor.doctor)
app.command("evaluate")(evaluate.evaluate)
app.command("train")(train.train)
app.add_typer(engine.app, name="engine")


@app.callback(invoke_without_command=True)
def _options(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)
    ] = False,
) -> None:
    if show_version:
        from config.version import version

        typer.echo(f"movelo {version()}")
        raise typer.Exit


def main() -> NoReturn:
    """Run the command line; the exit code is 0, an error's own, 2 for misuse, 130 for Ctrl-C."""
    # Engines are stopped on the way out, which SIGTERM alone would not let us do.
    signal.signal(signal.SIGTERM, lambda _signal, _frame: sys.exit(TERMINATED))
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except MoveloError as error:
        code = _say(str(error), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        kept = "Stopped. What was fetched and evaluated is kept: the same command continues there."
        code = _say(kept, INTERRUPTED)
    except BrokenPipeError:
        code = 0  # whoever read our output (head, less) has enough
        _forget_output()
    except OSError as error:
        code = _say(f"the output could not be written: {error.strerror or error}", 1)
        _forget_output()
    sys.exit(code if isinstance(code, int) else 0)


def _forget_output() -> None:
    """Python would try to write what is left, and complain, at exit."""
    sys.stdout = None


def _say(sentence: str, code: int) -> int:
    click.echo(f"movelo: {sentence.rstrip('.')}.", err=True)
    return code
