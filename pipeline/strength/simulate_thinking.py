"""How long a simulated player thinks: as people did in blitz, by what can be seen on the board.

The numbers were fitted by maximum likelihood to 38,400 moves (from the 4th on) of 572 Lichess
blitz games of February 2024, both players rated 1000 to 2600, their clocks known to the second:
a share of moves is played at once, the rest take a log-normal time. Means by move number,
rating, time left and entropy then agree within a fifth, except that with less than 20 seconds
left people are up to a third quicker. Longer time controls were not fitted: 10+0 is what the
line through 3+0, 5+0, 3+2 and 5+3 says.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import exp, log

from pipeline.records import Clock

PACE_SPREAD = 0.23
"""Standard deviation, over players and games, of the mean of ln(seconds) in a game."""

_SPREAD = 0.83
"""The same over the moves of one player in one game."""

_INSTANT_SECONDS = (0.05, 0.35)
_LATE_MOVE = 14
_SHORT_SECONDS = 20.0
_INCREMENTS_A_GAME = 40
_INCREMENTS_SOON = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What a thinking time depends on.

    `move_number` is the full move, `entropy` (natural logarithm) that of the human-move model
    at the player's rating, `is_endgame` that 12 pieces or fewer are left, pawns and kings
    included. `recaptures` says that the move chosen takes where the opponent has just taken.
    """

    clock: Clock
    seconds_left: float
    move_number: int
    entropy: float
    legal_moves: int
    recaptures: bool
    in_check: bool
    is_endgame: bool
    rating: int


def draw_pace(rng: random.Random) -> float:
    """How much slower (above 0) or quicker than usual a player is in one game."""
    return rng.gauss(0, PACE_SPREAD)


def draw_seconds(situation: Situation, pace: float, rng: random.Random) -> float:
    """A thinking time, more than 0; it may exceed the time that is left."""
    if rng.random() < instant_probability(situation):
        return rng.uniform(*_INSTANT_SECONDS)
    return median_seconds(situation) * exp(pace + rng.gauss(0, _SPREAD))


def instant_probability(situation: Situation) -> float:
    """0 to 1: most often where a piece is simply taken back and nothing else comes to mind."""
    logit = -3.91 + 2.58 * situation.recaptures - 3.53 * situation.entropy
    return 1 / (1 + exp(-logit))


def median_seconds(situation: Situation) -> float:
    """Of the moves that are not played at once."""
    return exp(
        -0.527
        + 0.857 * log(_seconds_a_game(situation.clock) / 180)
        + 0.801 * _shortage(situation)
        + 0.382 * situation.entropy
        + 0.334 * log(situation.legal_moves)
        - 0.373 * situation.recaptures
        + 0.700 * situation.in_check
        - 0.567 * situation.is_endgame
        - _opening_share(situation) * (0.920 + 0.178 * _standardised(situation.rating))
    )


def _seconds_a_game(clock: Clock) -> float:
    return max(1.0, clock.initial_seconds + _INCREMENTS_A_GAME * clock.increment_seconds)


def _shortage(situation: Situation) -> float:
    """0 while there is time, ever further below it as the clock runs down."""
    soon = situation.seconds_left + _INCREMENTS_SOON * situation.clock.increment_seconds
    return min(0.0, log(max(soon, 0.1) / _SHORT_SECONDS))


def _opening_share(situation: Situation) -> float:
    """1 up to the fourth move, 0 from the fourteenth."""
    return min(1.0, max(0.0, (_LATE_MOVE - situation.move_number) / 10))


def _standardised(rating: int) -> float:
    return (rating - 1600) / 400
