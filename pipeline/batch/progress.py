"""How far a batch is, over all its players."""

from __future__ import annotations

from config.language import english, language, retold, speaking
from pipeline.assessment import EVALUATING, READING
from pipeline.progress import Progress, Silent

FETCHED = english("Fetching players' games")
REPORTED = english("Reporting on players")

_OF_ALL = (FETCHED, EVALUATING, READING)


class BatchProgress:
    """A `pipeline.progress.Progress` for who fetches and for who works ahead.

    What is told of a single player is not shown.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._language = language()

    def begin(self, stage: str, total: int | None) -> None:
        """A stage of the whole batch."""
        if stage in _OF_ALL:
            self._progress.begin(stage, total)

    def advance(self, stage: str, steps: int = 1) -> None:
        """So many more."""
        if stage in _OF_ALL:
            self._progress.advance(stage, steps)

    def say(self, sentence: str) -> None:
        """Whoever fetches or makes reports speaks English, maybe in a thread of its own."""
        with speaking(self._language):
            self._progress.say(retold(sentence))


class SayOnly(Silent):
    """A `pipeline.progress.Progress` for who reports on players: others tell how far all is."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def say(self, sentence: str) -> None:
        """As ever."""
        self._progress.say(sentence)
