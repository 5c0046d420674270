"""Stage 2: a player's results against rated opponents -> ResultEstimate."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from engines.evals import Color
from pipeline.elo.expected import expected_score
from pipeline.elo.performance import performance
from pipeline.records import Game, GamePlayer, NoEstimate, ResultEstimate


def estimate_results(
    games: Sequence[tuple[Game, Color]], *, scale: str, coverage: float
) -> ResultEstimate | NoEstimate:
    """Score against expectation, and performance with its interval, on the opponents' scale.

    The colour is the player's own. Games without a result, and those against the computer or
    an opponent without a rating, say nothing here and are not counted.
    """
    counted = [(g, c) for g, c in games if counts_for_results(g, c)]
    if not counted:
        return NoEstimate(reason="no finished game against a rated opponent")
    scores = [_score(g, c) for g, c in counted]
    opponents = [float(_rating(opponent_of(g, c))) for g, c in counted]
    found = performance(opponents, scores, coverage=coverage)
    expectations = [game_expected_score(g, c) for g, c in counted]
    expected = [(s, e) for s, e in zip(scores, expectations, strict=True) if e is not None]
    return ResultEstimate(
        scale=scale,
        games=len(counted),
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        score=sum(scores),
        expected_score=sum(e for _, e in expected),
        games_with_expectation=len(expected),
        score_with_expectation=sum(s for s, _ in expected),
        average_opponent_rating=fmean(opponents),
        performance_low=found.low,
        performance_rating=found.rating,
        performance_high=found.high,
        coverage=coverage,
    )


def counts_for_results(game: Game, color: Color) -> bool:
    """Whether the game says something about `color`'s results."""
    opponent = opponent_of(game, color)
    return game.result_known and opponent.computer_level is None and opponent.rating is not None


def game_score(game: Game, color: Color) -> float | None:
    """1, ½ or 0 for `color`; None without a result."""
    return _score(game, color) if game.result_known else None


def game_expected_score(game: Game, color: Color) -> float | None:
    """0 to 1 for `color` from both ratings before the game; None if one is missing."""
    own, opponent = player_of(game, color), opponent_of(game, color)
    if own.rating is None or opponent.rating is None:
        return None
    return expected_score(own.rating, opponent.rating)


def player_of(game: Game, color: Color) -> GamePlayer:
    """Who had `color`."""
    return game.white if color == "white" else game.black


def opponent_of(game: Game, color: Color) -> GamePlayer:
    """Who played against `color`."""
    return game.black if color == "white" else game.white


def _score(game: Game, color: Color) -> float:
    if game.winner is None:
        return 0.5
    return 1.0 if game.winner == color else 0.0


def _rating(player: GamePlayer) -> int:
    assert player.rating is not None, "only rated opponents are counted"  # noqa: S101
    return player.rating
