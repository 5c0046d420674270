"""Batches as they lie in the store: what became of each player, and who is at work on what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa
from pydantic import ValidationError

from pipeline.store import tables
from pipeline.store.as_json import adapter, written
from pipeline.store.batch_records import PlayerOutcome
from pipeline.store.database import Database, Row, alone_with


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What was made of a player, and of what.

    `recipe` stands for who makes it and how, `kept_digest` for all of the player's games in the
    store, `inputs_digest` for those that the report is on.
    """

    recipe: str
    kept_digest: str
    inputs_digest: str
    outcome: PlayerOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """Who is at something, since when (milliseconds since 1970)."""

    holder: str
    since_ms: int


class Runs:
    """Players of batches, by the batch's id; leases by name. Times are in milliseconds."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def kept(self, batch_id: str, player_id: str) -> Kept | None:
        """What the batch made of a player; None for nothing, or of another form than ours."""
        player = tables.batch_players
        query = sa.select(player).where(
            player.c.batch_id == batch_id, player.c.player_id == player_id
        )
        row = self._database.first(query)
        outcome = None if row is None else _outcome(row.outcome_json)
        if row is None or outcome is None:
            return None
        return Kept(
            recipe=row.recipe,
            kept_digest=row.kept_digest,
            inputs_digest=row.inputs_digest,
            outcome=outcome,
        )

    def keep(self, batch_id: str, player_id: str, kept: Kept) -> None:
        """In the place of what was made before."""
        row: Row = {
            "batch_id": batch_id,
            "player_id": player_id,
            "recipe": kept.recipe,
            "kept_digest": kept.kept_digest,
            "inputs_digest": kept.inputs_digest,
            "outcome_json": written(kept.outcome),
        }
        self._database.put(tables.batch_players, [row])

    def outcomes(self, batch_id: str) -> Iterator[PlayerOutcome]:
        """Of all players of a batch that it ever had, by name, in constant memory."""
        player = tables.batch_players.c
        query = sa.select(player.outcome_json).where(player.batch_id == batch_id)
        for text in self._database.stream(query.order_by(player.player_id)):
            if (outcome := _outcome(text)) is not None:
                yield outcome

    def take(self, name: str, holder: str, *, now_ms: int, until_ms: int) -> Lease | None:
        """Be at `name` until then; None when it is done so, else who is at it already."""

        def work(connection: sa.Connection) -> Lease | None:
            lease = tables.leases
            alone_with(connection, lease)
            found = connection.execute(sa.select(lease).where(lease.c.name == name)).first()
            if found is not None and found.until_ms >= now_ms and found.holder != holder:
                return Lease(holder=found.holder, since_ms=found.since_ms)
            connection.execute(sa.delete(lease).where(lease.c.name == name))
            values = {"name": name, "holder": holder, "since_ms": now_ms, "until_ms": until_ms}
            connection.execute(sa.insert(lease).values(values))
            return None

        return self._database.write(work)

    def hold(self, name: str, holder: str, *, until_ms: int) -> bool:
        """Be at it for longer; False when it is somebody else's now, or nobody's."""
        own = sa.update(tables.leases).where(*_of(name, holder)).values(until_ms=until_ms)
        return self._database.write(lambda connection: connection.execute(own).rowcount == 1)

    def let_go(self, name: str, holder: str) -> None:
        """Others may be at it."""
        own = sa.delete(tables.leases).where(*_of(name, holder))
        self._database.write(lambda connection: connection.execute(own))


def forget_outcomes(connection: sa.Connection, player_id: str) -> int:
    """What batches made of a player, deleted; how many batches those were."""
    player = tables.batch_players
    return connection.execute(sa.delete(player).where(player.c.player_id == player_id)).rowcount


def _of(name: str, holder: str) -> tuple[sa.ColumnElement[bool], ...]:
    return tables.leases.c.name == name, tables.leases.c.holder == holder


def _outcome(text: str) -> PlayerOutcome | None:
    """None for one that another version of movelo kept: it is made again."""
    try:
        outcome: PlayerOutcome = adapter(PlayerOutcome).validate_json(text)
    except ValidationError:
        return None
    return outcome
