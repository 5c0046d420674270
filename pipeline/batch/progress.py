"""How far a batch is, over all its players: theirs add up, instead of beginning again."""

from __future__ import annotations

from collections import Counter

from config.language import english, language, retold, speaking
from pipeline.assessment import EVALUATING, READING
from pipeline.progress import Progress

FETCHED = english("Fetching players' games")
REPORTED = english("Reporting on players")

_OF_PLAYERS = (EVALUATING, READING)


class BatchProgress:
    """A `pipeline.progress.Progress` for one player after the other, and for who fetches."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._language = language()
        self._before: Counter[str] = Counter()
        self._done: Counter[str] = Counter()

    def next_player(self) -> None:
        """What comes is added to what is done."""
        self._before = Counter(self._done)

    def begin(self, stage: str, total: int | None) -> None:
        """The totals of players add up; stages of fetching are not shown for each of them."""
        if stage in _OF_PLAYERS:
            self._progress.begin(stage, None if total is None else self._before[stage] + total)

    def advance(self, stage: str, steps: int = 1) -> None:
        """So many more."""
        if stage in _OF_PLAYERS:
            self._done[stage] += steps
            self._progress.advance(stage, steps)

    def say(self, sentence: str) -> None:
        """Whoever fetches or makes reports speaks English, maybe in a thread of its own."""
        with speaking(self._language):
            self._progress.say(retold(sentence))
