"""How likely a score is, when every game goes as the two ratings let one expect."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pipeline.elo.draws import OutcomeChances, draw_parameter, outcome_chances
from pipeline.records import ScoreLuck

Floats = npt.NDArray[np.float64]


def score_luck(expected_scores: Sequence[float], scores: Sequence[float]) -> ScoreLuck:
    """The probability of the score that was made or a luckier one, and of it or an unluckier.

    `expected_scores` are 0 to 1, one for each of `scores` (0, ½, 1). Exact for independent
    games and ratings that are right; how often games are drawn is estimated from these very
    games (`pipeline.elo.draws`). ValueError without games or at unequal lengths.
    """
    if not scores or len(expected_scores) != len(scores):
        raise ValueError("luck needs one expected score for each score, and one at least")
    drawn = draw_parameter(expected_scores, list(scores).count(0.5))
    half_points = score_probabilities(outcome_chances(expected_scores, drawn))
    made = round(2 * sum(scores))
    return ScoreLuck(
        score_or_luckier_probability=_share(half_points[made:]),
        score_or_unluckier_probability=_share(half_points[: made + 1]),
        equals_draw_probability=drawn / (2 + drawn),
    )


def score_probabilities(chances: OutcomeChances) -> Floats:
    """Probability of every total score: entry i is that of i half points, 2 n + 1 entries.

    Game by game (Poisson-multinomial by dynamic programming), nothing approximated.
    """
    games = len(chances.win)
    probabilities = np.zeros(2 * games + 1)
    probabilities[0] = 1.0
    for game, (win, draw, loss) in enumerate(
        zip(chances.win, chances.draw, chances.loss, strict=True)
    ):
        before = probabilities[: 2 * game + 1].copy()
        probabilities[: 2 * game + 1] *= loss
        probabilities[1 : 2 * game + 2] += draw * before
        probabilities[2 : 2 * game + 3] += win * before
    return probabilities


def _share(probabilities: Floats) -> float:
    return min(1.0, float(probabilities.sum()))
