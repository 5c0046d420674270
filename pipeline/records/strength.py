"""What the moves say: evidence, ranges, and what spoke for and against them."""

from __future__ import annotations

from dataclasses import dataclass

from engines.evals import Color
from pipeline.records.moves import Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one player's moves in one game say about their strength.

    `log_likelihoods[i]` is, up to a constant, the log-likelihood of the moves at the i-th
    rating of the model's grid (`pipeline.strength.grid`). No prior is in it.
    `with_human_model` says whether the human-move model had a part in it, beside Stockfish.
    """

    game_id: str
    color: Color
    scale: str
    moves: int
    log_likelihoods: tuple[float, ...]
    with_human_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthRange:
    """A range for the strength shown in `games` games with `moves` own moves.

    `low` to `high` is meant to hold the player's rating on `scale` with probability
    `coverage` (0 to 1); `median` halves the probability. `games_with_human_model` of the games
    were read with the human-move model beside Stockfish, the others by Stockfish alone.
    `with_pairing`: the opponents' moves have a part in it, as far as rated games pair like with
    like; else it is made of the own moves alone.
    """

    scale: str
    low: float
    median: float
    high: float
    coverage: float
    games: int
    moves: int
    games_with_human_model: int
    with_pairing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveEvidence:
    """How one move speaks for or against its player, in the eyes of the human-move model.

    `log_likelihood_ratio` (natural logarithm): how much likelier the move is from a player of
    the higher of an `Explanation`'s two ratings than from one of the lower. Positive speaks for
    the higher, negative for the lower.
    """

    ply: int
    log_likelihood_ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEvidence:
    """The sum of what `moves` moves of one phase say."""

    phase: Phase
    moves: int
    log_likelihood_ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What spoke for and against the middle of one side's range in one game.

    It compares players of two ratings, 600 apart around it, as far as the human-move model
    knows players (600 to 2600). `moves` are those with a choice, after the first plies, in
    order of play; `phases` those that have any of them.
    `for_higher` and `for_lower` are the strongest either way, strongest first. It is the
    larger part of what the range is made of, not all: Stockfish and clocks are not in it.
    """

    lower_rating: int
    higher_rating: int
    moves: tuple[MoveEvidence, ...]
    for_higher: tuple[MoveEvidence, ...]
    for_lower: tuple[MoveEvidence, ...]
    phases: tuple[PhaseEvidence, ...]
