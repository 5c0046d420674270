"""Stage 2: a player's results against rated opponents -> ResultEstimate."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from engines.evals import Color
from pipeline.elo.expected import expected_score
from pipeline.elo.performance import performance
from pipeline.records import Game, NoEstimate, ResultEstimate


def estimate_results(
    games: Sequence[tuple[Game, Color]], *, scale: str, coverage: float
) -> ResultEstimate | NoEstimate:
    """Score against expectation, and performance with its interval, on the opponents' scale.

    The colour is the player's own. Games without a result, and those against the computer or
    an opponent without a rating, say nothing here and are not counted.
    """
    counted: list[tuple[float, float, float | None]] = []
    for game, color in games:
        score, opponent = game.score(color), game.opponent(color)
        if score is not None and opponent.rating is not None and not opponent.computer_level:
            expected = game_expected_score(game, color)
            counted.append((score, float(opponent.rating), expected))
    if not counted:
        return NoEstimate(reason="no finished game against a rated opponent")
    scores = [score for score, _, _ in counted]
    opponents = [rating for _, rating, _ in counted]
    expected_and_scored = [(e, s) for s, _, e in counted if e is not None]
    found = performance(opponents, scores, coverage=coverage)
    return ResultEstimate(
        scale=scale,
        games=len(counted),
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        score=sum(scores),
        expected_score=sum(e for e, _ in expected_and_scored),
        games_with_expectation=len(expected_and_scored),
        score_with_expectation=sum(s for _, s in expected_and_scored),
        average_opponent_rating=fmean(opponents),
        performance_low=found.low,
        performance_rating=found.rating,
        performance_high=found.high,
        coverage=coverage,
    )


def game_expected_score(game: Game, color: Color) -> float | None:
    """0 to 1 for `color` from both ratings before the game; None if one is missing."""
    own, opponent = game.player(color), game.opponent(color)
    if own.rating is None or opponent.rating is None:
        return None
    return expected_score(own.rating, opponent.rating)
