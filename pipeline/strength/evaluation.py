"""What measuring the model found: figures, and their form in JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

EVALUATION_SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A mean and its standard error, by player: one player's games are not independent.

    `standard_error` is None where a single player is all there is.
    """

    value: float
    standard_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How good the ranges are for one speed, size of pool and selection of players.

    `band` is None for all ratings, else (1400, 1600) for 1400 to 1599. `labels` is "steady"
    (no provisional rating, none that moved by more than 15) or "all". Errors are median of
    the range less rating (the mean one of a pool's games), in points of the scale.
    `constant_mae` is that of always saying the median rating of all player-games of the
    speed, `acpl_formula_mae` that of 3100·e^(−0.01·ACPL), None where no game has an ACPL.
    `r_squared` is the share of the ratings' variance that the medians explain; None within
    a band.
    """

    speed: str
    games_per_pool: int
    band: tuple[int, int] | None
    labels: str
    pools: int
    players: int
    mae: Measured
    bias: Measured
    coverage: Measured
    mean_width: Measured
    r_squared: float | None
    constant_mae: float
    acpl_formula_mae: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedFile:
    """`fitted_on` tells whether the model was fitted on (other players of) this very file."""

    name: str
    sha256: str
    fitted_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """`players` is "held-out" when only those were evaluated, "all" otherwise."""

    model_name: str
    stated_coverage: float
    files: tuple[EvaluatedFile, ...]
    players: str
    player_games: int
    left_out: tuple[tuple[str, int], ...]
    figures: tuple[Figures, ...]


def evaluation_to_json(evaluation: Evaluation) -> dict[str, Any]:
    """The same names and nesting, with `left_out` as an object of reason and count."""
    return {
        "schema_version": EVALUATION_SCHEMA_VERSION,
        **asdict(evaluation),
        "left_out": dict(evaluation.left_out),
    }
