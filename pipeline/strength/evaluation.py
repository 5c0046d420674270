"""What measuring the model found, and its form in JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pipeline.strength.band_test import BandTest
from pipeline.strength.figures import Figures
from pipeline.strength.pairing_figures import PairingFigures
from pipeline.strength.reliability import Reliability

EVALUATION_SCHEMA_VERSION = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedFile:
    """`fitted_on` tells whether the model was fitted on (other players of) this very file."""

    name: str
    sha256: str
    fitted_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """`players` is "held-out" when only those were evaluated, "all" otherwise.

    `speeds_with_human_model` are those whose games were all read with the human-move model,
    by the `human_networks`; the games of other speeds were read without it. `sample` is how
    many games were asked for, 0 for all. `with_pairing` is empty where it was not asked for.
    """

    model_name: str
    stated_coverage: float
    files: tuple[EvaluatedFile, ...]
    players: str
    sample: int
    speeds_with_human_model: tuple[str, ...]
    human_networks: tuple[str, ...]
    player_games: int
    left_out: tuple[tuple[str, int], ...]
    figures: tuple[Figures, ...]
    reliability: tuple[Reliability, ...]
    exact_band_of_eight: tuple[BandTest, ...]
    with_pairing: tuple[PairingFigures, ...] = ()


def evaluation_to_json(evaluation: Evaluation) -> dict[str, Any]:
    """The same names and nesting, with `left_out` as an object of reason and count."""
    return {
        "schema_version": EVALUATION_SCHEMA_VERSION,
        **asdict(evaluation),
        "left_out": dict(evaluation.left_out),
    }
