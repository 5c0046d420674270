"""Who was used for what: each player, by a hash of the name, belongs to one part for good."""

from __future__ import annotations

from enum import Enum
from hashlib import sha256


class Part(Enum):
    """What a player's games are for."""

    TRAIN = "train"
    CALIBRATION = "calibration"
    HELD_OUT = "held-out"


SPLIT_RULE = (
    "the first 8 hexadecimal digits of the SHA-256 of the lower-cased player name, modulo 100: "
    "0 to 69 train, 70 to 84 calibration, 85 to 99 held-out"
)
_TRAIN_BELOW, _CALIBRATION_BELOW = 70, 85


def part_of(player: str) -> Part:
    """Never by game: a style that the model has seen would pass for skill in reading it."""
    remainder = int(sha256(player.lower().encode()).hexdigest()[:8], 16) % 100
    if remainder < _TRAIN_BELOW:
        return Part.TRAIN
    return Part.CALIBRATION if remainder < _CALIBRATION_BELOW else Part.HELD_OUT


def is_held_out(player: str) -> bool:
    """Whether nothing may be learned from this player's games."""
    return part_of(player) is Part.HELD_OUT


def fold_of(player: str, folds: int) -> int:
    """0 to `folds` - 1, independent of the part: other digits of the same hash."""
    return int(sha256(player.lower().encode()).hexdigest()[8:16], 16) % folds
