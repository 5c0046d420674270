"""A model as plain arrays, one of them a JSON text, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from config.errors import ModelError
from config.language import _
from pipeline.strength.acpl_line import AcplLine
from pipeline.strength.balance import Balance
from pipeline.strength.depth import DepthEffect
from pipeline.strength.features import FEATURES_VERSION
from pipeline.strength.forest import Forest
from pipeline.strength.grid import RATINGS
from pipeline.strength.human_features import HUMAN_FEATURE_NAMES, HUMAN_FEATURES_VERSION
from pipeline.strength.human_reading import HumanReading, Line, Weighing
from pipeline.strength.likelihood import Likelihood
from pipeline.strength.model import (
    Channel,
    FittedModel,
    HumanTraining,
    SpeedModel,
    Training,
    TrainingFile,
)
from pipeline.strength.pairing import Pairing

FORMAT_VERSION = 4
_HUMAN_FEATURES = [HUMAN_FEATURES_VERSION, *HUMAN_FEATURE_NAMES]

_T = TypeVar("_T")

Arrays = dict[str, npt.NDArray[Any]]


def arrays_of(model: FittedModel) -> Arrays:
    """All of it, by name; `description` is a JSON text in UTF-8."""
    arrays: Arrays = {}
    for speed in model.speeds:
        arrays[f"{speed.speed}.log_prior"] = speed.log_prior
        for channel in speed.channels:
            prefix = _prefix(speed.speed, channel.with_clocks)
            arrays[f"{prefix}.reference_rows"] = channel.reference_rows
            arrays[f"{prefix}.reference_readings"] = channel.reference_readings
            arrays |= _forest_arrays(f"{prefix}.forest", channel.forest)
            if channel.human is not None:
                arrays |= _forest_arrays(f"{prefix}.weighing", channel.human.weighing.forest)
    text = json.dumps(_description(model), indent=1)
    arrays["description"] = np.frombuffer(text.encode(), dtype=np.uint8)
    return arrays


def _forest_arrays(prefix: str, forest: Forest) -> Arrays:
    return {f"{prefix}.{name}": array for name, array in forest.arrays().items()}


def _description(model: FittedModel) -> dict[str, Any]:
    return {
        "format_version": FORMAT_VERSION,
        "features_version": FEATURES_VERSION,
        "human_features": _HUMAN_FEATURES,
        "grid": [float(RATINGS[0]), float(RATINGS[-1]), len(RATINGS)],
        "name": model.name,
        "training": asdict(model.training),
        "speeds": [_speed_description(speed) for speed in model.speeds],
    }


def _speed_description(model: SpeedModel) -> dict[str, Any]:
    return {
        "speed": model.speed,
        "balance": asdict(model.balance),
        "human_balance": asdict(model.human_balance),
        "shared_variance": model.shared_variance,
        "acpl_line": asdict(model.acpl_line) if model.acpl_line else None,
        "pairing": asdict(model.pairing) if model.pairing else None,
        "channels": [
            {
                "with_clocks": channel.with_clocks,
                "feature_names": channel.feature_names,
                "likelihood": asdict(channel.likelihood),
                "made_with": channel.made_with,
                "human": _human_description(channel.human),
            }
            for channel in model.channels
        ],
    }


def _human_description(human: HumanReading | None) -> dict[str, Any] | None:
    if human is None:
        return None
    return {
        "line": asdict(human.weighing.line),
        "likelihood": asdict(human.likelihood),
        "shared_variance": human.shared_variance,
        "player_games": human.player_games,
        "repeated_games": human.repeated_games,
    }


def model_of(arrays: Arrays) -> FittedModel:
    """The inverse of `arrays_of`. ModelError for another version's; KeyError, … for damage."""
    description = json.loads(arrays["description"].tobytes())
    _check_version(description)
    return FittedModel(
        name=description["name"],
        training=_training(description["training"]),
        speeds=tuple(_speed(speed, arrays) for speed in description["speeds"]),
    )


def _training(description: Mapping[str, Any]) -> Training:
    files = tuple(TrainingFile(**file) for file in description["files"])
    pairing_files = tuple(TrainingFile(**file) for file in description.get("pairing_files", ()))
    human = description.get("human")
    parts = {
        "files": files,
        "human": HumanTraining(**_tuples(human)) if human else None,
        "pairing_files": pairing_files,
    }
    return Training(**{**description, **parts})


def _check_version(description: Mapping[str, Any]) -> None:
    found = [description[key] for key in ("format_version", "features_version", "grid")]
    known = [FORMAT_VERSION, FEATURES_VERSION, [RATINGS[0], RATINGS[-1], len(RATINGS)]]
    if found != known or description["human_features"] != _HUMAN_FEATURES:
        raise ModelError(
            _(
                "The model {description} was made by another version of movelo; install the "
                "model that belongs to this one, or fit a new one with 'movelo train'."
            ).format(description=description["name"])
        )


def _speed(description: Mapping[str, Any], arrays: Arrays) -> SpeedModel:
    speed = description["speed"]
    return SpeedModel(
        speed=speed,
        log_prior=arrays[f"{speed}.log_prior"],
        balance=Balance(**description["balance"]),
        human_balance=Balance(**description["human_balance"]),
        shared_variance=description["shared_variance"],
        acpl_line=_optional(AcplLine, description.get("acpl_line")),
        pairing=_optional(Pairing, description.get("pairing")),
        channels=tuple(_channel(speed, channel, arrays) for channel in description["channels"]),
    )


def _optional(kind: Callable[..., _T], description: Mapping[str, Any] | None) -> _T | None:
    return None if description is None else kind(**description)


def _channel(speed: str, description: Mapping[str, Any], arrays: Arrays) -> Channel:
    prefix = _prefix(speed, description["with_clocks"])
    return Channel(
        with_clocks=description["with_clocks"],
        feature_names=tuple(description["feature_names"]),
        forest=_forest(f"{prefix}.forest", arrays),
        likelihood=_likelihood(description["likelihood"]),
        reference_rows=arrays[f"{prefix}.reference_rows"],
        reference_readings=arrays[f"{prefix}.reference_readings"],
        made_with=description["made_with"],
        human=_human(description["human"], f"{prefix}.weighing", arrays),
    )


def _forest(prefix: str, arrays: Arrays) -> Forest:
    return Forest.from_arrays({key.removeprefix(f"{prefix}."): a for key, a in arrays.items()})


def _human(
    description: Mapping[str, Any] | None, forest_prefix: str, arrays: Arrays
) -> HumanReading | None:
    if description is None:
        return None
    rest = {key: description[key] for key in description if key != "line"}
    weighing = Weighing(
        line=Line(**_tuples(description["line"])), forest=_forest(forest_prefix, arrays)
    )
    likelihood = _likelihood(description["likelihood"])
    return HumanReading(**{**rest, "weighing": weighing, "likelihood": likelihood})


def _likelihood(description: Mapping[str, Any]) -> Likelihood:
    depth = DepthEffect(**description["depth"])
    return Likelihood(**{**_tuples(description), "depth": depth})


def _tuples(description: Mapping[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in description.items()}


def _prefix(speed: str, with_clocks: bool) -> str:
    return f"{speed}.{'with' if with_clocks else 'without'}_clocks"
