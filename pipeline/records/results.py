"""What the results say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NoEstimate:
    """There is no honest number; `reason` is a sentence fragment a player understands."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLuck:
    """How likely a score is if every game goes as the ratings before it let one expect.

    Probabilities are 0 to 1 and both count the score itself. `equals_draw_probability` is how
    often equals would draw, as estimated from the same games.
    """

    score_or_luckier_probability: float
    score_or_unluckier_probability: float
    equals_draw_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentCounts:
    """Who stands behind a result-based number, and who was left out of it, in games.

    `provisional` and `bots` are counted like everybody else. Left out: `computer` (Lichess's
    Stockfish levels), `anonymous`, `unrated` (a name, but no rating) and `without_result`.
    """

    counted: int
    provisional: int
    bots: int
    computer: int
    anonymous: int
    unrated: int
    without_result: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEstimate:
    """What the results say, against the ratings of the opponents before each game.

    `score` and `expected_score` are sums over `games` (expected from the player's own rating
    before each game, over `games_with_expectation` of them, which earned
    `score_with_expectation`); the performance rating is on `scale`, its interval covers
    `coverage` (0 to 1). `luck` is about the games with an expectation.
    """

    scale: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    expected_score: float
    games_with_expectation: int
    score_with_expectation: float
    average_opponent_rating: float
    performance_low: float
    performance_rating: float
    performance_high: float
    coverage: float
    luck: ScoreLuck | NoEstimate
    opponents: OpponentCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultGroup:
    """Those of a player's games that share something: a colour, an opening, a month.

    `games` counts all of them; `result` is about those that count, and a reason where they
    are too few.
    """

    label: str
    games: int
    result: ResultEstimate | NoEstimate
