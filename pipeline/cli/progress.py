"""Progress bars on standard error, with the time that is left; plain lines where none fit."""

from __future__ import annotations

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from config.language import _, retold


class TerminalProgress:
    """A `pipeline.progress.Progress` for a person; a context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._tasks: dict[str, TaskID] = {}
        self._bars = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn(_("elapsed,")),
            TimeRemainingColumn(),
            TextColumn(_("left")),
            console=console,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> TerminalProgress:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def begin(self, stage: str, total: int | None) -> None:
        """A new bar, or the total of one that is there; where there is no terminal, one line."""
        if stage in self._tasks:
            self._bars.update(self._tasks[stage], total=total)
            return
        self._tasks[stage] = self._bars.add_task(retold(stage), total=total)
        if not self._console.is_terminal:
            of = "" if total is None else f" ({total})"
            self._console.print(f"{retold(stage)}{of} …", highlight=False, markup=False)

    def advance(self, stage: str, steps: int = 1) -> None:
        """Move that stage's bar."""
        self._bars.advance(self._tasks[stage], steps)

    def reach(self, stage: str, steps: int, total: int | None) -> None:
        """So many steps in all are done, of so many if that is known by now."""
        self._bars.update(self._tasks[stage], completed=steps, total=total)

    def say(self, sentence: str) -> None:
        """A line above the bars."""
        self._console.print(sentence, highlight=False, markup=False)


class CountingStages:
    """For jobs that tell a stage and how many games it has reached; a context manager."""

    def __init__(self, console: Console) -> None:
        self._progress = TerminalProgress(console)
        self._stage = ""

    def __enter__(self) -> CountingStages:
        self._progress.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.__exit__()

    def show(self, stage: str, games: int, total: int | None = None) -> None:
        """The stage is at so many games by now, of so many if that is known."""
        told = retold(stage)
        stage = told[:1].upper() + told[1:]
        if stage != self._stage:
            self._stage = stage
            self._progress.begin(self._stage, total)
        self._progress.reach(self._stage, games, total)
