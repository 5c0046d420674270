"""The logistic expected score on which Elo's and Lichess's ratings rest."""

from __future__ import annotations

from math import exp, log

# Beyond this the expected score is 0 or 1 to the last bit; exp would overflow far behind it.
_MAX_DIFFERENCE = 12_000.0


def expected_score(rating: float, opponent_rating: float) -> float:
    """0 to 1, a draw counting half: 1 / (1 + 10^((opponent - own) / 400)).

    Source: Elo, *The Rating of Chessplayers, Past and Present* (1978), 8.42; FIDE prints a
    table of the normal curve instead.
    """
    difference = max(-_MAX_DIFFERENCE, min(_MAX_DIFFERENCE, opponent_rating - rating))
    return 1 / (1 + exp(log(10) / 400 * difference))
