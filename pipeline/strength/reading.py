"""One side of one game, with what the model says of it and what is known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pipeline.records import Evidence


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """`rating` is the one before the game, `steady` as in `labelled.Label`.

    `evidence_without_human_model` is what the same moves say when the human-move model is not
    asked; None where it was not asked anyway. `average_centipawn_loss` is as a report shows it,
    `todays_centipawn_loss` the same in today's centipawns, before it is rounded.
    """

    speed: str
    player: str
    rating: int
    steady: bool
    created_at: datetime
    have_clocks: bool
    evidence: Evidence
    evidence_without_human_model: Evidence | None = None
    average_centipawn_loss: int | None = None
    todays_centipawn_loss: float | None = None

    @property
    def game_id(self) -> str:
        """Of the game that was read."""
        return self.evidence.game_id
