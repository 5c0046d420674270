"""The commands that README.md and docs/ show: found in Markdown, and checked against the program.

`shown_in` gives the lines of ```sh blocks, `mentioned_in` those of `movelo …` within sentences.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import typer

from pipeline.cli.app import app

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
TOLD_TOO = (ROOT / "config" / "MODEL_CARD.md", ROOT / "engines" / "MEASURED.md")

_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"(?<!`)`((?:\./)?movelo [^`]+)`(?!`)")
_ALTERNATIVES = re.compile(r"^[a-z0-9-]+(\|[a-z0-9-]+)+$")


@dataclass(frozen=True)
class Shown:
    """One command line, and the page that shows it."""

    page: str
    line: str

    @property
    def words(self) -> list[str]:
        """As a shell divides it, without remarks; the program first."""
        return shlex.split(self.line, comments=True)

    @property
    def is_ours(self) -> bool:
        """Whether it calls movelo."""
        return self.words[0] in ("movelo", "./movelo")


def shown_in(page: Path) -> Iterator[Shown]:
    """Every line of the page's shell blocks."""
    for block in _BLOCK.findall(page.read_text("utf-8")):
        for line in block.splitlines():
            if line.strip():
                yield Shown(page.relative_to(ROOT).as_posix(), line)


def mentioned_in(page: Path) -> Iterator[Shown]:
    """Every `movelo …` within the page's sentences."""
    for line in _INLINE.findall(page.read_text("utf-8")):
        yield Shown(page.relative_to(ROOT).as_posix(), " ".join(line.split()))


def faults_of(shown: Shown) -> list[str]:
    """What of a line movelo does not know: commands and options."""
    if shown.words[:2] == ["./movelo", "test"]:
        return []  # the script's own
    return list(_faults(_program(), shown.words[1:]))


@cache
def _program() -> Any:
    return typer.main.get_command(app)


def _faults(command: Any, words: list[str]) -> Iterator[str]:
    own = getattr(command, "commands", None)
    names = [word for word in words[:1] if not word.startswith("-")]
    if own is not None and names and not names[0].isupper():
        for name in names[0].split("|") if _ALTERNATIVES.match(names[0]) else names:
            if name in own:
                yield from _faults(own[name], words[1:])
            else:
                yield f"{command.name} has no command {name}"
        return
    known = {"--help", "-h"}
    for parameter in command.params:
        known |= {*parameter.opts, *parameter.secondary_opts}
    for word in words:
        if word == "--":
            return
        if command.name == "add" and not word.startswith("-") and word in ("batch", "sync"):
            yield from _faults(_program(), words[words.index(word) :])
            return
        if word.startswith("--") and word.split("=")[0] not in known:
            yield f"{command.name} has no option {word}"
