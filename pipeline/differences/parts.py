"""Score minus expectation, divided among the phases and the ways in which games end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pipeline.differences.account import Account
from pipeline.differences.estimate import Floats
from pipeline.differences.figures import too_few_games
from pipeline.differences.resampling import resampled
from pipeline.differences.thresholds import FEWEST_ENDINGS, FEWEST_GAMES
from pipeline.records import Ending, Measured, NoEstimate, Part, Phase, PointsPart

_OF_PHASE = {
    Phase.OPENING: Part.OPENING,
    Phase.MIDDLEGAME: Part.MIDDLEGAME,
    Phase.ENDGAME: Part.ENDGAME,
}
PART_OF_ENDING = {
    Ending.CLOCK: Part.CLOCK,
    Ending.RESIGNATION: Part.RESIGNATION,
    Ending.DRAW: Part.DRAW,
    Ending.UNKNOWN: Part.UNKNOWN,
}


def points_parts(
    counted: Sequence[Account], *, coverage: float, seed: int
) -> tuple[PointsPart, ...]:
    """Sum to the score minus the expected score of the games, all of which are counted ones.

    A phase has what it did to the player's prospects, less its share of what the ratings
    promised from the start; an ending has what it gave against the worth of the last position.
    Parts that no game has are absent.
    """
    played, points = _columns(counted)
    parts = [part for part in Part if played[part].any()]
    games = {part: int(played[part].sum()) for part in parts}
    sure = [part for part in parts if _is_enough(part, games[part], len(counted))]
    once = [np.full(len(counted), 1 / len(counted))] * len(sure)
    found = resampled([points[part] for part in sure], once, coverage=coverage, seed=seed)
    intervals: dict[Part, Measured] = dict(zip(sure, found, strict=True))
    return tuple(
        PointsPart(
            part=part,
            games=games[part],
            points=float(points[part].sum()),
            interval=intervals.get(part) or _too_few(part, games[part], len(counted)),
        )
        for part in parts
    )


def end_points(account: Account) -> float:
    """What the end gave against the worth of the last position; 0 where that is not known."""
    return 0.0 if account.worth is None else account.score - account.worth


def _is_enough(part: Part, games: int, counted: int) -> bool:
    return counted >= FEWEST_GAMES and games >= _fewest(part)


def _too_few(part: Part, games: int, counted: int) -> NoEstimate:
    if counted < FEWEST_GAMES:
        return too_few_games(counted)
    return too_few_games(games, _fewest(part))


def _fewest(part: Part) -> int:
    return FEWEST_ENDINGS if part in PART_OF_ENDING.values() else FEWEST_GAMES


def _columns(counted: Sequence[Account]) -> tuple[Mapping[Part, Floats], Mapping[Part, Floats]]:
    """Whether each game has the part, and the points that the part gave it."""
    played = {part: np.zeros(len(counted)) for part in Part}
    points = {part: np.zeros(len(counted)) for part in Part}
    shares = _shares(counted)
    for game, account in enumerate(counted):
        promised = (account.expected_score or 0.0) - account.start_worth
        for phase, part in _OF_PHASE.items():
            played[part][game] = phase in account.changes
            points[part][game] = account.changes.get(phase, 0.0) - promised * shares[phase]
        if account.ending in PART_OF_ENDING:
            part = PART_OF_ENDING[account.ending]
            played[part][game] = 1
            points[part][game] = end_points(account)
    return played, points


def _shares(counted: Sequence[Account]) -> Mapping[Phase, float]:
    """Of all that the moves of a phase changed, in any direction, in all that moves changed."""
    moved = {phase: sum(abs(a.changes.get(phase, 0.0)) for a in counted) for phase in Phase}
    total = sum(moved.values())
    if not total:
        return {phase: float(phase is Phase.OPENING) for phase in Phase}
    return {phase: change / total for phase, change in moved.items()}
