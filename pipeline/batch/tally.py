"""What became of the players of one run, counted as it goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pipeline.batch.making import Made
from pipeline.store.batch_records import OutcomeState, PlayerOutcome, RunAccount


@dataclass(slots=True, kw_only=True)
class Tally:
    """What became of the players in this run, as it goes.

    `states` counts them; of the reported and those without games, `unchanged` were so before.
    `told` are those with something to tell: new reports and faults.
    """

    began_at: datetime
    ended_at: datetime | None = None
    states: Counter[OutcomeState] = field(default_factory=Counter)
    unchanged: int = 0
    new_games: int = 0
    games_reported: int = 0
    told: list[PlayerOutcome] = field(default_factory=list)
    stopped_by: str = ""

    @property
    def players(self) -> int:
        """All of them."""
        return self.states.total()

    @property
    def faults(self) -> int:
        """Those of whom nothing was made although something should have been."""
        return self.states["failed"] + self.states["not_reached"]

    @property
    def exit_code(self) -> int:
        """0 when all went well, 3 when part of it did, 1 when nothing did."""
        if not self.faults:
            return 0
        return 3 if self.players > self.faults else 1

    def account(self) -> RunAccount:
        """The whole run, when it is over."""
        return RunAccount(
            began_at=self.began_at,
            ended_at=self.ended_at or self.began_at,
            exit_code=self.exit_code,
            states=tuple(sorted(self.states.items())),
            unchanged=self.unchanged,
            new_games=self.new_games,
            games_reported=self.games_reported,
            stopped_by=self.stopped_by,
            told=tuple(self.told),
        )

    def add(self, made: Made, *, new_games: int) -> None:
        """One more player."""
        self.states[made.outcome.state] += 1
        self.unchanged += made.is_unchanged
        self.new_games += new_games
        if not made.is_unchanged:
            self.games_reported += made.outcome.games
            self.told.append(made.outcome.told_briefly())

    def end(self, at: datetime, players: Sequence[str]) -> None:
        """All is done; whoever was done sooner is told in the order of `players` nonetheless."""
        self.ended_at = at
        place = {player: number for number, player in enumerate(players)}
        self.told.sort(key=lambda outcome: place[outcome.player])
