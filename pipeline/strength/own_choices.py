"""One player's moves of a game as the human-move model sees them: where there was a choice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from config.errors import ModelError
from config.language import _
from engines.evals import Color
from engines.human_likelihoods import RATINGS as HUMAN_RATINGS
from engines.human_likelihoods import HumanLikelihoods
from pipeline.strength.own_moves import Column, Mask

USUAL = HUMAN_RATINGS.index(1400)
"""The rating that stands for all where one is enough: the nearest to most players."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnChoices:
    """One row a move with more than one legal move, in the order of play; R ratings.

    `log_p` [moves, R] of the move played, `best_log_p` [moves, R] of the likeliest, and
    `expected` [moves, R, R]: what a player of the first rating reaches at the second in the
    mean. `score` is what the mover may expect before the move, 0 to 1, at the usual rating.
    """

    plies: npt.NDArray[np.int64]
    log_p: Column
    best_log_p: Column
    expected: Column
    score: Column

    @property
    def count(self) -> int:
        """How many moves there are."""
        return len(self.plies)

    @property
    def gain(self) -> Column:
        """By how much each move is likelier at the highest rating than at the lowest."""
        return np.asarray(self.log_p[:, -1] - self.log_p[:, 0])

    @property
    def surprise(self) -> Column:
        """[moves, R]: log p of the move less what players of that rating reach in the mean."""
        return np.asarray(self.log_p - np.diagonal(self.expected, axis1=1, axis2=2))

    @property
    def entropy(self) -> Column:
        """[moves, R], 0 or more: how open each choice was at each rating."""
        return np.asarray(-np.diagonal(self.expected, axis1=1, axis2=2))


def own_choices(human: HumanLikelihoods, color: Color) -> OwnChoices:
    """Those of `color`, in a game from the usual starting position: White's plies are odd.

    ModelError when the likelihoods are for other ratings than the model knows.
    """
    if human.ratings != HUMAN_RATINGS:
        raise ModelError(
            _(
                "The human likelihoods of game {game_id} are for the ratings {ratings}, but "
                "the model reads those for {human_ratings}; compute them again."
            ).format(game_id=human.game_id, ratings=human.ratings, human_ratings=HUMAN_RATINGS)
        )
    own = human.plies % 2 == (1 if color == "white" else 0)
    chosen: Mask = own & (human.legal_move_counts > 1)
    return OwnChoices(
        plies=human.plies[chosen],
        log_p=human.log_probabilities[chosen],
        best_log_p=human.best_log_probabilities[chosen],
        expected=human.expected_log_probabilities[chosen],
        score=human.expected_scores[chosen, USUAL],
    )
