"""How an expected score divides into win, draw and loss, given how often a player draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_MAX_DRAW_PARAMETER = 1e6
_BISECTIONS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeChances:
    """Probabilities (0 to 1) of win, draw and loss, one of each for every game."""

    win: Floats
    draw: Floats
    loss: Floats


def outcome_chances(expected_scores: Sequence[float], draw_parameter: float) -> OutcomeChances:
    """Win, draw and loss of games whose expected scores (0 to 1, a draw is ½) are kept.

    Source: Davidson, "On extending the Bradley-Terry model to accommodate ties", JASA 65
    (1970): P(draw) = ν √(P(win) P(loss)). `draw_parameter` is ν, 0 for no draws; equals draw
    with probability ν / (2 + ν), and the rarer, the further apart two players are.
    """
    expected = np.clip(np.asarray(expected_scores, dtype=float), 0, 1)
    # With x = √(P(win) / P(loss)) the expected score is (x² + νx/2) / (x² + νx + 1). Solved for
    # the smaller of x and 1/x, which stays exact where one side is all but sure to win.
    weaker = np.minimum(expected, 1 - expected)
    half = draw_parameter * (0.5 - weaker) / 2
    x = weaker / (half + np.sqrt(half**2 + weaker * (1 - weaker)) + (weaker == 0))
    total = x**2 + draw_parameter * x + 1
    upset, draw, rest = x**2 / total, draw_parameter * x / total, 1 / total
    underdog = expected < 0.5
    return OutcomeChances(
        win=np.where(underdog, upset, rest), draw=draw, loss=np.where(underdog, rest, upset)
    )


def draw_parameter(expected_scores: Sequence[float], draws: int) -> float:
    """ν with which as many of these games are expected drawn as were drawn.

    Estimated from the player's own games, the ratings being given first (the order argued for
    by Edwards, arXiv 2507.03894, 2025). Half a draw and half a decided game are added, as
    Jeffreys' prior does, so that a single game does not claim that all or none are drawn.
    """
    games = len(expected_scores)
    wanted = games * (draws + 0.5) / (games + 1)
    low, high = 0.0, _MAX_DRAW_PARAMETER
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        too_few = outcome_chances(expected_scores, middle).draw.sum() < wanted
        low, high = (middle, high) if too_few else (low, middle)
    return high
