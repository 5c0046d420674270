"""Games in time -> the steps of a walk: days or games, and how far apart they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pipeline.records import TrendStep

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

STEPS_A_WALK = {"day": 365.25, "game": 400.0}
"""A walk is stated over a year; where steps are games, over as many as are a busy year's."""

_DAYS_WITHOUT_POINT = 7
_MOST_POINTS_IN_GAP = 8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Timeline:
    """The steps, oldest first: `gaps[i]` walks (years) lie between step i and step i + 1.

    `step_of_game[j]` is the step of the j-th game; within long gaps there are steps without.
    """

    at: tuple[datetime, ...]
    gaps: Floats
    step_of_game: Integers

    def games_at(self, counts: Sequence[bool]) -> Integers:
        """How many of the games that count lie at each step."""
        return np.bincount(self.step_of_game[np.asarray(counts, bool)], minlength=len(self.at))

    def summed(self, rows: Floats, games: Integers) -> Floats:
        """The rows of the games with these numbers, added up step by step."""
        sums = np.zeros((len(self.at), rows.shape[1]))
        np.add.at(sums, self.step_of_game[games], rows)
        return sums


def timeline(times: Sequence[datetime], step: TrendStep) -> Timeline:
    """Of games whose `times` do not fall; days are those of UTC."""
    if step == "game":
        return Timeline(
            at=tuple(times),
            gaps=np.full(max(len(times) - 1, 0), 1 / STEPS_A_WALK[step]),
            step_of_game=np.arange(len(times)),
        )
    days = np.array([time.astimezone(UTC).toordinal() for time in times])
    _, firsts, day_of_game = np.unique(days, return_index=True, return_inverse=True)
    at, step_of_day = _with_gaps_filled([times[first] for first in firsts])
    placed = np.interp(np.arange(len(at)), step_of_day, days[firsts])
    return Timeline(
        at=tuple(at),
        gaps=np.diff(placed) / STEPS_A_WALK[step],
        step_of_game=np.asarray(step_of_day)[day_of_game],
    )


def _with_gaps_filled(firsts: Sequence[datetime]) -> tuple[list[datetime], list[int]]:
    """The times with some in long gaps between, and where the given ones stand among them."""
    at, places = [firsts[0]], [0]
    for before, after in pairwise(firsts):
        parts = min(_MOST_POINTS_IN_GAP, max(1, (after - before).days // _DAYS_WITHOUT_POINT))
        at += [before + (after - before) * part / parts for part in range(1, parts)]
        places.append(len(at))
        at.append(after)
    return at, places
