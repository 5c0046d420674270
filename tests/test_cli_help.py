"""The help at every level, as a newcomer reads it, and what a shell offers at Tab."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from pipeline.cli.app import app
from pipeline.cli.completion import completed_formats, completed_players, completed_speeds
from pipeline.spans import Span
from pipeline.store import Store

ROOT = Path(__file__).parent.parent


def commands(command: Any, *path: str) -> Iterator[tuple[str, Any]]:
    """(`engine bench`, the command) of every command that does something."""
    for name, one in command.commands.items():
        if hasattr(one, "commands"):
            yield from commands(one, *path, name)
        else:
            yield " ".join((*path, name)), one


COMMANDS = dict(commands(typer.main.get_command(app)))


def movelo(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pipeline.cli", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100", "MOVELO_LANG": "en", **environment},
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example_on_a_line_of_its_own(name: str) -> None:
    paragraphs = [" ".join(part.split()) for part in (COMMANDS[name].help or "").split("\n\n")]
    examples = [part for part in paragraphs if "Example:" in part]
    if name != "engine budgets":  # it shows two commands, and what lies between them
        assert examples
    assert all(part.startswith(f"Example: movelo {name}") for part in examples)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_and_argument_says_what_it_is(name: str) -> None:
    assert not [one.name for one in COMMANDS[name].params if not getattr(one, "help", None)]


def test_the_commands_stand_in_groups() -> None:
    root: Any = typer.main.get_command(app)
    assert not [
        name for name, one in root.commands.items() if not isinstance(one.rich_help_panel, str)
    ]
    shown = movelo("--help").stdout
    for title in ("Reports", "Games", "For others to ask", "This machine"):
        assert f"─ {title} ─" in shown


@pytest.mark.parametrize(
    ("command", "language", "option"),
    [
        ((), "en", "-h"),
        (("report",), "fr", "-h"),
        (("elo", "fide"), "pt", "--help"),
        (("schedule", "add"), "en", "--help"),
    ],
)
def test_help_is_told_without_python_s_types(
    command: tuple[str, ...], language: str, option: str
) -> None:
    done = movelo(*command, option, MOVELO_LANG=language)
    assert done.returncode == 0, done.stderr
    assert "<bool>" not in done.stdout
    assert "<str>" not in done.stdout


def test_a_list_of_speeds_or_formats_is_completed_word_by_word() -> None:
    assert completed_speeds("bl") == ["blitz"]
    assert completed_speeds("blitz,ra") == ["blitz,rapid"]
    assert "blitz,blitz" not in completed_speeds("blitz,")
    assert completed_formats("html,j") == ["html,json"]
    assert completed_formats("x") == []


def test_players_whose_games_are_kept_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOVELO_DATA", str(tmp_path))
    monkeypatch.setenv("MOVELO_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.delenv("MOVELO_DATABASE_URL", raising=False)
    assert completed_players("") == []
    assert not (tmp_path / "movelo.sqlite").exists(), "pressing Tab makes no store"
    with Store(tmp_path / "movelo.sqlite") as store:
        for name in ("quillfeather", "quill_2", "moorhenry"):
            store.set_fetched_spans(name, [Span(0, 1), Span(5, 9)])
    assert completed_players("Quill") == ["quill_2", "quillfeather"]
    assert completed_players("quill_") == ["quill_2"]
    monkeypatch.setenv("MOVELO_GAMES__LAST", "many")
    assert completed_players("") == [], "a wrong setting is told by the command, not at Tab"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("movelo rep", "report"),
        ("movelo report --speed bli", "blitz"),
        ("movelo demo --budget d", "deep"),
        ("movelo export NAME --format pa", "parquet"),
    ],
)
def test_bash_is_answered(typed: str, offered: str) -> None:
    words = typed.split()
    code = "import sys; sys.argv[0] = 'movelo'; from pipeline.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={
            **os.environ,
            "_MOVELO_COMPLETE": "complete_bash",
            "COMP_WORDS": typed,
            "COMP_CWORD": str(len(words) - 1),
        },
    )
    assert done.stdout.split() == [offered], done.stderr
