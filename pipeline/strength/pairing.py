"""What an opponent's moves say of a player, since rated games pair players of like strength.

Most players get paired at their own level, some always at another (arenas, a club, a friend):
within a player's games the first kind differ by chance, the second by habit. The population is
the prior of the player and of each opponent, so that an opponent of whom nothing is known says
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pipeline.strength.grid import RATINGS, normalised
from pipeline.strength.own_moves import Column

Table: TypeAlias = npt.NDArray[np.float64]

_LEAST_SPREAD = 1.0
_SCALING_ROUNDS = 200
_TINY = 1e-300


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """How the two players of a rated game belong together at one speed.

    Own rating less opponent's is a mixture of two normals around zero, with these standard
    deviations in points of the scale; `wide_share` (0 to 1) of the games are of the wide kind.
    `same_game_correlation` (0 to 1) is that of the errors in reading the two sides of a game
    with the human-move model: its character misleads about both. The mixture is from `games`.
    """

    near_spread: float
    wide_spread: float
    wide_share: float
    same_game_correlation: float
    games: int

    @property
    def opponent_weight(self) -> float:
        """What an opponent's reading counts beside the own one of the same game, 0 to 1.

        With it two readings of one rating, correlated by c, are as precise as they should be
        together: 2 / (1 + c) times as precise as one.
        """
        return (1 - self.same_game_correlation) / (1 + self.same_game_correlation)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairingTables:
    """Log-probabilities over `grid.RATINGS` × `grid.RATINGS`; each row is one distribution.

    `levels[i, j]`: a player rated i gets paired at level j. `opponents[j, k]`: who is paired at
    level j plays somebody rated k.
    """

    levels: Table
    opponents: Table


def pairing_tables(pairing: Pairing, log_prior: Column) -> PairingTables:
    """For a population with `log_prior` (`SpeedModel.log_prior`)."""
    prior = normalised(log_prior)
    near = _conditional(pairing.near_spread, prior)
    # What the wide kind of difference has beyond the near kind is the player's habit.
    habit = np.sqrt(max(pairing.wide_spread**2 - pairing.near_spread**2, _LEAST_SPREAD**2))
    elsewhere = pairing.wide_share * _conditional(float(habit), prior)
    levels = (1 - pairing.wide_share) * np.eye(len(RATINGS)) + elsewhere
    return PairingTables(levels=_log(levels), opponents=_log(near))


def paired_log_likelihood(
    own: Column, opponents: Sequence[Column], tables: PairingTables
) -> Column:
    """Own moves and opponents' moves together; the prior is still to be applied, once.

    All are log-likelihoods over `grid.RATINGS`, up to a constant; one of `opponents` stands for
    all games against one person, tempered already.
    """
    return own + opponents_log_likelihood(opponents, tables)


def opponents_log_likelihood(opponents: Sequence[Column], tables: PairingTables) -> Column:
    """What the opponents' moves alone say about the player."""
    of_level = np.zeros(len(RATINGS))
    for opponent in opponents:
        of_level += _log_sum(tables.opponents + opponent[np.newaxis, :])
    return _log_sum(tables.levels + of_level[np.newaxis, :])


def _conditional(spread: float, prior: Column) -> Table:
    """The other's distribution for each rating of the one, where each alone follows `prior`.

    Sinkhorn's scaling of a symmetric table (Sinkhorn and Knopp 1967): normal in the difference
    but for one factor a rating.
    """
    distance = RATINGS[:, np.newaxis] - RATINGS[np.newaxis, :]
    closeness = np.exp(-0.5 * (distance / max(spread, _LEAST_SPREAD)) ** 2)
    scale = np.sqrt(prior)
    for _ in range(_SCALING_ROUNDS):
        scale = np.sqrt(scale * prior / (closeness @ scale))
    weights = closeness * scale[np.newaxis, :]
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)


def _log(probabilities: Table) -> Table:
    return np.asarray(np.log(np.maximum(probabilities, _TINY)), dtype=np.float64)


def _log_sum(log_weights: Table) -> Column:
    """The logarithm of the sum of each row."""
    most = log_weights.max(axis=1, keepdims=True)
    return np.asarray(np.log(np.exp(log_weights - most).sum(axis=1)) + most[:, 0])
