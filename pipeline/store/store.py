"""The face of the store: fetched games, what was computed of them, jobs, batches, schedules."""

from __future__ import annotations

from pathlib import Path

from pipeline.store.computed import Computed
from pipeline.store.database import Database
from pipeline.store.fetched_games import FetchedGames
from pipeline.store.forgetting import Forgotten, forget
from pipeline.store.jobs import Jobs
from pipeline.store.runs import Runs
from pipeline.store.schedules import Schedules


class Store(FetchedGames, Computed):
    """A context manager; safe to use from several processes, and from several threads."""

    def __init__(self, where: Path | str) -> None:
        """Open or make the store: a SQLite file, or a PostgreSQL database by its URL.

        One of an older movelo is brought up to date. StoreError if it cannot be opened, or is
        of a newer movelo.
        """
        super().__init__(Database(where))

    @property
    def place(self) -> str:
        """Where it is, for a person: without password."""
        return str(self._database.place)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    @property
    def jobs(self) -> Jobs:
        """The queue of reports."""
        return Jobs(self._database)

    @property
    def runs(self) -> Runs:
        """What batches made of their players, and who is at what."""
        return Runs(self._database)

    @property
    def schedules(self) -> Schedules:
        """Commands that run by the clock."""
        return Schedules(self._database)

    def forget(self, player_id: str) -> Forgotten:
        """Delete a player's games and whatever was made of them: all of it or nothing.

        A game belongs to both players: the opponent's reports are without it, too.
        """
        return self._database.write(lambda connection: forget(connection, player_id))
