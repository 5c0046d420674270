"""Stage 2: a player's results against rated opponents -> ResultEstimate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from config.language import english
from engines.evals import Color
from pipeline.elo.expected import expected_score
from pipeline.elo.luck import score_luck
from pipeline.elo.opponents import opponent_counts, opponent_kind
from pipeline.elo.performance import performance
from pipeline.records import Game, NoEstimate, ResultEstimate, ScoreLuck


def estimate_results(
    games: Sequence[tuple[Game, Color]], *, scale: str, coverage: float
) -> ResultEstimate | NoEstimate:
    """Score against expectation, and performance with its interval, on the opponents' scale.

    The colour is the player's own. Games without a result, and those against the computer or
    an opponent without a rating, say nothing here and are not counted; provisional ratings and
    bots are (`pipeline.elo.opponents`).
    """
    counted = [_counted(g, c) for g, c in games if opponent_kind(g, c) == "counted"]
    if not counted:
        return NoEstimate(reason=english("no finished game against a rated opponent"))
    scores = [game.score for game in counted]
    opponents = [game.opponent_rating for game in counted]
    foreseen = [(game.expected, game.score) for game in counted if game.expected is not None]
    found = performance(opponents, scores, coverage=coverage)
    return ResultEstimate(
        scale=scale,
        games=len(counted),
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        score=sum(scores),
        expected_score=sum(expected for expected, _ in foreseen),
        games_with_expectation=len(foreseen),
        score_with_expectation=sum(score for _, score in foreseen),
        average_opponent_rating=fmean(opponents),
        performance_low=found.low,
        performance_rating=found.rating,
        performance_high=found.high,
        coverage=coverage,
        luck=_luck(foreseen),
        opponents=opponent_counts(games),
    )


def game_expected_score(game: Game, color: Color) -> float | None:
    """0 to 1 for `color` from both ratings before the game; None if one is missing."""
    own, opponent = game.player(color), game.opponent(color)
    if own.rating is None or opponent.rating is None:
        return None
    return expected_score(own.rating, opponent.rating)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    score: float
    opponent_rating: float
    expected: float | None


def _counted(game: Game, color: Color) -> _Counted:
    score, rating = game.score(color), game.opponent(color).rating
    assert score is not None and rating is not None, "opponent_kind said so"  # noqa: S101
    expected = game_expected_score(game, color)
    return _Counted(score=score, opponent_rating=float(rating), expected=expected)


def _luck(foreseen: Sequence[tuple[float, float]]) -> ScoreLuck | NoEstimate:
    if not foreseen:
        return NoEstimate(
            reason=english("the player's own rating is not known in any of these games")
        )
    expected, scores = zip(*foreseen, strict=True)
    return score_luck(expected, scores)
