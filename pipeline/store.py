"""What is kept between runs: fetched games, how far fetching got, and evaluations.

One SQLite file. Every write is one transaction, so a crash at any moment leaves a store that
opens and continues. The only file that imports SQLAlchemy.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import SQLAlchemyError

from config.errors import StoreError
from engines.evals import (
    EngineId,
    GameEvals,
    PositionSequence,
    SearchLimit,
    eval_from_text,
    eval_to_text,
)
from pipeline.spans import Span

SCHEMA_VERSION = 1

_metadata = sa.MetaData()
_meta = sa.Table(
    "meta",
    _metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
_games = sa.Table(
    "games",
    _metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("created_at_ms", sa.BigInteger, nullable=False),
    sa.Column("white_id", sa.Text, index=True),
    sa.Column("black_id", sa.Text, index=True),
    sa.Column("record_json", sa.Text, nullable=False),
)
_spans = sa.Table(
    "fetched_spans",
    _metadata,
    sa.Column("player_id", sa.Text, primary_key=True),
    sa.Column("oldest_ms", sa.BigInteger, primary_key=True),
    sa.Column("newest_ms", sa.BigInteger, nullable=False),
)
_evaluations = sa.Table(
    "evaluations",
    _metadata,
    sa.Column("moves_digest", sa.Text, primary_key=True),
    sa.Column("engine", sa.Text, primary_key=True),
    sa.Column("network", sa.Text, primary_key=True),
    sa.Column("nodes_per_position", sa.Integer, primary_key=True),
    sa.Column("policy", sa.Text, primary_key=True),
    sa.Column("evals", sa.Text, nullable=False),
    sa.Column("best_moves_uci", sa.Text, nullable=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGame:
    """A game as Lichess exported it; player ids are lower-case names, None for nobody."""

    id: str
    created_at_ms: int
    white_id: str | None
    black_id: str | None
    record_json: str


class Store:
    """A context manager; safe to use from several processes, from one thread each."""

    def __init__(self, file: Path) -> None:
        """Open or make the store; StoreError if that cannot be done or it is too new."""
        self.file = file
        with self._explained():
            file.parent.mkdir(parents=True, exist_ok=True)
            self._engine = sa.create_engine(f"sqlite:///{file}", connect_args={"timeout": 60})
            event.listen(self._engine, "connect", _prepare_connection)
            self._connection = self._engine.connect()
            self._check_schema()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._connection.close()
        self._engine.dispose()

    def add_games(self, games: Iterable[StoredGame]) -> None:
        """Keep these games; one that is there already is replaced by what came now."""
        columns = ("id", "created_at_ms", "white_id", "black_id", "record_json")
        rows = [{name: getattr(game, name) for name in columns} for game in games]
        if rows:
            with self._transaction():
                self._upsert(_games, rows)

    def games_of(
        self, player_id: str, *, since_ms: int | None = None, until_ms: int | None = None
    ) -> Iterator[str]:
        """The export records (JSON) of a player's games, newest first, within inclusive times."""
        query = (
            sa.select(_games.c.record_json)
            .where(sa.or_(_games.c.white_id == player_id, _games.c.black_id == player_id))
            .order_by(_games.c.created_at_ms.desc(), _games.c.id)
        )
        if since_ms is not None:
            query = query.where(_games.c.created_at_ms >= since_ms)
        if until_ms is not None:
            query = query.where(_games.c.created_at_ms <= until_ms)
        # A connection of its own, so that the store can be written to while this is read.
        with self._explained(), self._engine.connect() as reading:
            yield from reading.execute(query).scalars()

    def fetched_spans(self, player_id: str) -> tuple[Span, ...]:
        """The stretches of time from which all of a player's games are in the store."""
        query = sa.select(_spans.c.oldest_ms, _spans.c.newest_ms).order_by(_spans.c.oldest_ms)
        with self._explained(), self._connection.begin():
            rows = self._connection.execute(query.where(_spans.c.player_id == player_id))
            return tuple(Span(row.oldest_ms, row.newest_ms) for row in rows)

    def set_fetched_spans(self, player_id: str, spans: Iterable[Span]) -> None:
        """Note what of a player's history is complete; its games must be kept already."""
        rows = [
            {"player_id": player_id, "oldest_ms": s.oldest_ms, "newest_ms": s.newest_ms}
            for s in spans
        ]
        with self._transaction():
            self._connection.execute(sa.delete(_spans).where(_spans.c.player_id == player_id))
            if rows:
                self._connection.execute(insert(_spans), rows)

    def evals(
        self, positions: PositionSequence, engine: EngineId, limit: SearchLimit
    ) -> GameEvals | None:
        """What this engine said about these very moves within this limit, if it was asked."""
        key = _evaluation_key(positions, engine, limit)
        query = sa.select(_evaluations.c.evals, _evaluations.c.best_moves_uci).where(
            *(_evaluations.c[name] == value for name, value in key.items())
        )
        with self._explained(), self._connection.begin():
            row = self._connection.execute(query).first()
        if row is None:
            return None
        return GameEvals(
            game_id=positions.game_id,
            engine=engine,
            limit=limit,
            evals=tuple(None if e == "-" else eval_from_text(e) for e in row.evals.split(" ")),
            best_moves_uci=tuple(None if m == "-" else m for m in row.best_moves_uci.split(" ")),
        )

    def add_evals(self, positions: PositionSequence, evals: GameEvals) -> None:
        """Keep an engine's evaluations of a game under the moves, the engine and the limit."""
        if evals.limit is None:
            raise ValueError("evaluations that came with a game are kept with the game")
        row: dict[str, object] = {
            **_evaluation_key(positions, evals.engine, evals.limit),
            "evals": " ".join("-" if e is None else eval_to_text(e) for e in evals.evals),
            "best_moves_uci": " ".join(m or "-" for m in evals.best_moves_uci),
        }
        with self._transaction():
            self._upsert(_evaluations, [row])

    def _upsert(self, table: sa.Table, rows: list[dict[str, object]]) -> None:
        statement = insert(table)
        keys = [column.name for column in table.primary_key]
        changed = {c.name: statement.excluded[c.name] for c in table.c if c.name not in keys}
        self._connection.execute(
            statement.on_conflict_do_update(index_elements=keys, set_=changed), rows
        )

    def _check_schema(self) -> None:
        with self._connection.begin():
            _metadata.create_all(self._connection)
            first = insert(_meta).values(key="schema_version", value=str(SCHEMA_VERSION))
            self._connection.execute(first.on_conflict_do_nothing())
            found = self._connection.execute(
                sa.select(_meta.c.value).where(_meta.c.key == "schema_version")
            ).scalar_one()
        if int(found) > SCHEMA_VERSION:
            raise StoreError(
                f"{self.file} is of a newer movelo (schema {found}, this one knows "
                f"{SCHEMA_VERSION}): install that, or set MOVELO_DATA to another folder."
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._explained(), self._connection.begin():
            yield

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, OSError) as error:
            cause = getattr(error, "orig", None) or error
            raise StoreError(
                f"The store {self.file} cannot be used: {cause}. Nothing kept so far is lost; "
                f"{_advice(str(cause))}, then run again."
            ) from error


def _prepare_connection(connection: sqlite3.Connection, _record: object) -> None:
    # WAL lets one process read while another writes; a commit survives a crash of movelo.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


def _evaluation_key(
    positions: PositionSequence, engine: EngineId, limit: SearchLimit
) -> dict[str, object]:
    moves = f"{positions.start_fen}|{' '.join(positions.moves_uci)}"
    return {
        "moves_digest": hashlib.sha256(moves.encode()).hexdigest(),
        "engine": engine.name,
        "network": engine.network or "",
        "nodes_per_position": limit.nodes_per_position,
        "policy": limit.policy,
    }


def _advice(cause: str) -> str:
    if "full" in cause or "No space" in cause:
        return "free some disk space or set MOVELO_DATA to a folder on another disk"
    if "locked" in cause:
        return "wait for the other movelo that is writing to it"
    if "malformed" in cause or "not a database" in cause:
        return "move the file away"
    return "check that the folder can be written to, or set MOVELO_DATA to another one"
