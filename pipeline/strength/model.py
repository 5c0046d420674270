"""Everything that was fitted, as it lies in the model file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.strength.acpl_line import AcplLine
from pipeline.strength.balance import Balance
from pipeline.strength.features import feature_row
from pipeline.strength.forest import Forest, Rows
from pipeline.strength.human_reading import HumanReading
from pipeline.strength.likelihood import Circumstances, Likelihood
from pipeline.strength.own_moves import Column
from pipeline.strength.pairing import Pairing

COVERAGE = 0.8
"""The probability with which a range is meant to hold the player's rating."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingFile:
    """A file that something was fitted on; `sha256` is of the file as it was read."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanTraining:
    """The human likelihoods that took part in fitting.

    `networks` are the human-move models that they are from, "unknown" where that was not kept;
    `sha256` is over the sorted ids of the `games` and their networks (`HumanCache.sha256`).
    """

    networks: tuple[str, ...]
    sha256: str
    games: int
    player_games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """What the model was fitted on, and how the players were split.

    `human` is None where the human-move model took no part, and in files of before it was kept.
    From `pairing_files` nothing was learned but who gets paired with whom.
    """

    files: tuple[TrainingFile, ...]
    split_rule: str
    seed: int
    player_games: int
    players: int
    human: HumanTraining | None = None
    pairing_files: tuple[TrainingFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Channel:
    """One way of reading a game: with the clocks, or without.

    `human` is how it is read when the human-move model has seen it too; None where that was
    not fitted. The forest's reading is then one opinion of two.

    `reference_rows` and what the training library (`made_with`) itself made of them,
    `reference_readings`, travel along, so that anyone can check the reading without it.
    """

    with_clocks: bool
    feature_names: tuple[str, ...]
    forest: Forest
    likelihood: Likelihood
    reference_rows: Rows
    reference_readings: Column
    made_with: str
    human: HumanReading | None = None

    def log_likelihoods(
        self, features: dict[str, float], given: Circumstances, human_row: Column | None = None
    ) -> Column:
        """For each of `grid.RATINGS`, up to a constant; `given` is of this one game.

        `human_row` are its `human_features`; without them, or where `human` is None, the
        forest's reading alone counts.
        """
        row = feature_row(features, self.feature_names)
        reading = float(self.forest.predict(row[np.newaxis])[0])
        if self.human is None or human_row is None:
            return self.likelihood.log_likelihoods(reading, given)
        return self.human.log_likelihoods(reading, human_row, given)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpeedModel:
    """What is fitted for one speed; `log_prior` is over `grid.RATINGS`.

    `shared_variance` is that of readings without the human-move model. `acpl_line`, from
    training players, is only there to compare with; None in files of before it was fitted.
    `pairing` is None where none was fitted: there is then no range with the pairing.
    """

    speed: str
    log_prior: Column
    balance: Balance
    human_balance: Balance
    shared_variance: float
    channels: tuple[Channel, ...]
    acpl_line: AcplLine | None = None
    pairing: Pairing | None = None

    @property
    def scale(self) -> str:
        """The rating scale that the estimate is on."""
        return f"lichess_{self.speed}"

    @property
    def reads_human_likelihoods(self) -> bool:
        """Whether the human-move model changes what is read."""
        return any(channel.human is not None for channel in self.channels)

    @property
    def human_shared_variance(self) -> float:
        """The share that games read with the human-move model have in common."""
        shares = [channel.human.shared_variance for channel in self.channels if channel.human]
        return max(shares, default=self.shared_variance)

    def channel(self, have_clocks: bool) -> Channel:
        """The one that uses the clocks where there are any, else the one without."""
        matching = [c for c in self.channels if have_clocks or not c.with_clocks]
        return max(matching, key=lambda channel: channel.with_clocks)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FittedModel:
    """One model a speed, and where it comes from."""

    name: str
    speeds: tuple[SpeedModel, ...]
    training: Training

    def speed(self, speed: str) -> SpeedModel | None:
        """The model of one speed, if it was fitted."""
        return next((model for model in self.speeds if model.speed == speed), None)
