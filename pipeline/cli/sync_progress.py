"""A sync for a person who watches: games of how many, rate, time left; waits as a countdown."""

from __future__ import annotations

import time
from math import ceil

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from config.language import _, language, speaking
from config.localized import number_text

_WORTH_SHOWING_SECONDS = 2.0


class SyncProgress:
    """A context manager; also a `pipeline.progress.Progress`, of which the sentences are shown.

    `sleep` is `time.sleep` with a countdown; it counts its waits.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._task: TaskID | None = None
        self.waits = 0
        self.waited_seconds = 0.0
        self._bars = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            _Games(),
            TimeRemainingColumn(),
            TextColumn(_("left")),
            console=console,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> SyncProgress:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def start(self, player: str, *, games: int, total: int | None) -> None:
        """Of `player`, `games` are there before, of so many in the end if that is known."""
        self._task = self._bars.add_task(player, total=total, completed=games)
        if not self._console.is_terminal:
            of = "" if total is None else _(", {total} at Lichess").format(total=number_text(total))
            self.say(
                _("{player}: {games} games in the store{of} …").format(
                    player=player, games=number_text(games), of=of
                )
            )

    def reach(self, games: int) -> None:
        """So many are there now."""
        if self._task is not None:
            self._bars.update(self._task, completed=games)

    def finish(self) -> None:
        """No more of this player."""
        if self._task is not None:
            self._bars.stop_task(self._task)

    def sleep(self, seconds: float) -> None:
        """Wait, and show how long it still takes."""
        self.waits += seconds >= 1
        self.waited_seconds += seconds
        if seconds < _WORTH_SHOWING_SECONDS or not self._console.is_terminal:
            time.sleep(seconds)
            return
        countdown = self._bars.add_task(
            _("Waiting for Lichess"), total=None, countdown=ceil(seconds)
        )
        ends_at = time.monotonic() + seconds
        while (left := ends_at - time.monotonic()) > 0:
            self._bars.update(countdown, countdown=ceil(left), refresh=True)
            time.sleep(min(1.0, left))
        self._bars.remove_task(countdown)

    def begin(self, stage: str, total: int | None) -> None:
        """Shown by `start`."""

    def advance(self, stage: str, steps: int = 1) -> None:
        """Shown by `reach`."""

    def say(self, sentence: str) -> None:
        """A line above the bars."""
        self._console.print(sentence, highlight=False, markup=False)


class _Games(ProgressColumn):
    """`1,200 of 5,000 games, 23 games/s`, or `wait 57 s`."""

    def __init__(self) -> None:
        super().__init__()
        self._language = language()

    def render(self, task: Task) -> Text:
        # Rich asks in a thread of its own, which speaks English.
        with speaking(self._language):
            return Text(_said(task))


def _said(task: Task) -> str:
    if "countdown" in task.fields:
        return _("going on in {seconds} s").format(seconds=task.fields["countdown"])
    rate = _(", {speed} games/s").format(speed=number_text(task.speed)) if task.speed else ""
    if task.total is None:
        return _("{games} games{rate}").format(games=number_text(task.completed), rate=rate)
    return _("{games} of {total} games{rate}").format(
        games=number_text(task.completed), total=number_text(task.total), rate=rate
    )
