"""The face of the store: fetched games, how far fetching got, and whatever took long to compute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any

import sqlalchemy as sa

from engines.evals import (
    Color,
    EngineId,
    GameEvals,
    PositionSequence,
    SearchLimit,
    eval_from_text,
    eval_to_text,
)
from engines.maia import RATINGS, HumanLikelihoods
from pipeline.records import Evidence
from pipeline.spans import Span
from pipeline.store import tables
from pipeline.store.database import Database, Row, having
from pipeline.store.fetching import add_span, note_wait, wait_ms
from pipeline.store.forgetting import Forgotten, forget
from pipeline.store.jobs import Jobs
from pipeline.store.keys import (
    EvidenceKey,
    evaluation_key,
    evidence_key,
    likelihoods_key,
)
from pipeline.store.packing import (
    packed_likelihoods,
    packed_numbers,
    unpacked_likelihoods,
    unpacked_numbers,
)
from pipeline.store.runs import Runs
from pipeline.store.schedules import Schedules

_GAMES_A_TRANSACTION = 1000

# Both sides'. Building it takes longer than asking it.
_EVIDENCE_OF_GAME = sa.select(tables.evidence).where(
    *(
        column == sa.bindparam(column.name)
        for column in tables.evidence.primary_key
        if column.name != "color"
    )
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
    """A context manager; safe to use from several processes, and from several threads."""

    def __init__(self, where: Path | str) -> None:
        """Open or make the store: a SQLite file, or a PostgreSQL database by its URL.

        One of an older movelo is brought up to date. StoreError if it cannot be opened, or is
        of a newer movelo.
        """
        self._database = Database(where)

    @property
    def place(self) -> str:
        """Where it is, for a person: without password."""
        return str(self._database.place)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
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

    def add_games(self, games: Iterable[StoredGame]) -> None:
        """Keep these games; one that is there already is replaced by what came now.

        A thousand at a time: what was kept before a failure stays.
        """
        coming = iter(games)
        while batch := list(islice(coming, _GAMES_A_TRANSACTION)):
            self._database.put(tables.games, map(_game_row, batch))

    def games_of(
        self, player_id: str, *, since_ms: int | None = None, until_ms: int | None = None
    ) -> Iterator[str]:
        """The export records (JSON) of a player's games, newest first, within inclusive times."""
        game = tables.games.c
        times: list[sa.ColumnElement[bool]] = []
        if since_ms is not None:
            times.append(game.created_at_ms >= since_ms)
        if until_ms is not None:
            times.append(game.created_at_ms <= until_ms)
        # Each half has an index in this order: the first game comes at once, from a file.
        columns = (game.record_json, game.created_at_ms, game.id)
        as_white = sa.select(*columns).where(game.white_id == player_id, *times)
        as_black = sa.select(*columns).where(
            game.black_id == player_id, game.white_id.is_distinct_from(player_id), *times
        )
        query = sa.union_all(as_white, as_black)
        order = (query.selected_columns.created_at_ms.desc(), query.selected_columns.id.desc())
        yield from self._database.stream(query.order_by(*order))

    def count_games_of(self, player_id: str) -> int:
        """How many games of a player are kept."""
        game = tables.games.c
        is_of = sa.or_(game.white_id == player_id, game.black_id == player_id)
        (row,) = self._database.rows(sa.select(sa.func.count()).where(is_of))
        return int(row[0])

    def kept_ids(self, ids: Iterable[str]) -> frozenset[str]:
        """Those of `ids` whose games are kept; a few hundred at a time."""
        game = tables.games.c
        rows = self._database.rows(sa.select(game.id).where(game.id.in_(list(ids))))
        return frozenset(row.id for row in rows)

    def records(self, ids: Iterable[str]) -> dict[str, str]:
        """The export records (JSON) of those of `ids` that are kept; a few hundred at a time."""
        game = tables.games.c
        query = sa.select(game.id, game.record_json).where(game.id.in_(list(ids)))
        return {row.id: row.record_json for row in self._database.rows(query)}

    def newest_game_ms(self, player_id: str) -> int | None:
        """When the newest kept game of a player began."""
        game = tables.games.c
        halves = (
            sa.select(sa.func.max(game.created_at_ms).label("ms")).where(side == player_id)
            for side in (game.white_id, game.black_id)
        )
        rows = self._database.rows(sa.union_all(*halves))
        return max((row.ms for row in rows if row.ms is not None), default=None)

    def forget(self, player_id: str) -> Forgotten:
        """Delete a player's games and whatever was made of them: all of it or nothing.

        A game belongs to both players: the opponent's reports are without it, too.
        """
        return self._database.write(lambda connection: forget(connection, player_id))

    def fetched_spans(self, player_id: str) -> tuple[Span, ...]:
        """The stretches of time from which all of a player's games are in the store."""
        span = tables.spans.c
        query = sa.select(span.oldest_ms, span.newest_ms).where(span.player_id == player_id)
        rows = self._database.rows(query.order_by(span.oldest_ms))
        return tuple(Span(row.oldest_ms, row.newest_ms) for row in rows)

    def fetched_players(self, beginning: str, *, most: int) -> tuple[str, ...]:
        """Up to `most` ids of players with such spans, those that begin so, in their order."""
        player = tables.spans.c.player_id
        query = sa.select(player).where(player.startswith(beginning, autoescape=True))
        rows = self._database.rows(query.distinct().order_by(player).limit(most))
        return tuple(row.player_id for row in rows)

    def set_fetched_spans(self, player_id: str, spans: Iterable[Span]) -> None:
        """Note what of a player's history is complete; its games must be kept already."""
        rows: list[Row] = [
            {"player_id": player_id, "oldest_ms": s.oldest_ms, "newest_ms": s.newest_ms}
            for s in spans
        ]
        self._database.replace(tables.spans, {"player_id": player_id}, rows)

    def add_fetched_span(self, player_id: str, span: Span) -> None:
        """Note that the games of one more stretch are kept; nobody else's note is lost."""
        if span:
            self._database.write(lambda connection: add_span(connection, player_id, span))

    def note_wait(self, host: str, *, now_ms: int, until_ms: int) -> None:
        """Keep until when `host` asked not to be asked again; a later end stays."""
        self._database.write(
            lambda connection: note_wait(connection, host, now_ms=now_ms, until_ms=until_ms)
        )

    def wait_ms(self, host: str, *, now_ms: int) -> int:
        """For how many milliseconds more `host` is not to be asked, by any process."""
        wait = tables.waits.c
        query = sa.select(wait.noted_ms, wait.until_ms).where(wait.host == host)
        row = self._database.first(query)
        return 0 if row is None else wait_ms(row.noted_ms, row.until_ms, now_ms=now_ms)

    def evals(
        self, positions: PositionSequence, engine: EngineId, limit: SearchLimit
    ) -> GameEvals | None:
        """What this engine said about these very moves within this limit, if it was asked."""
        key = evaluation_key(positions, engine, limit)
        row = self._of_moves(tables.evaluations, key, positions)
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
        row: Row = {
            **evaluation_key(positions, evals.engine, evals.limit),
            "evals": " ".join("-" if e is None else eval_to_text(e) for e in evals.evals),
            "best_moves_uci": " ".join(m or "-" for m in evals.best_moves_uci),
        }
        self._put_of_moves(tables.evaluations, row, positions)

    def count_evaluations(self) -> int:
        """How many evaluations of whole games are kept."""
        (row,) = self._database.rows(sa.select(sa.func.count()).select_from(tables.evaluations))
        return int(row[0])

    def human_likelihoods(
        self, positions: PositionSequence, network: str
    ) -> HumanLikelihoods | None:
        """What this human-move model said about these very moves, if it was asked.

        It is kept in half precision, and every ply from `FIRST_PLY` on is in it.
        """
        key = likelihoods_key(positions, network)
        row = self._of_moves(tables.human_likelihoods, key, positions)
        if row is None:
            return None
        return unpacked_likelihoods(row.likelihoods, game_id=positions.game_id, ratings=RATINGS)

    def add_human_likelihoods(
        self, positions: PositionSequence, network: str, human: HumanLikelihoods
    ) -> None:
        """Keep what the human-move model said of both sides, at `RATINGS`."""
        if human.ratings != RATINGS:
            raise ValueError(f"likelihoods are kept for {RATINGS}, not for {human.ratings}")
        key = likelihoods_key(positions, network)
        row = {**key, "likelihoods": packed_likelihoods(human)}
        self._put_of_moves(tables.human_likelihoods, row, positions)

    def evidence(self, key: EvidenceKey) -> Evidence | None:
        """The evidence that was made of the same by the same, if there is any."""
        return self.evidence_of_sides([key]).get(key.color)

    def evidence_of_sides(self, keys: Sequence[EvidenceKey]) -> dict[Color, Evidence]:
        """The same for both sides of a game at once: `keys` differ in the colour alone."""
        sides = {key.color: key for key in keys}
        rows = self._database.rows(_EVIDENCE_OF_GAME, evidence_key(keys[0]))
        wanted = ((row, sides[row.color]) for row in rows if row.color in sides)
        found = (_evidence(row, key) for row, key in wanted)
        return {evidence.color: evidence for evidence in found if evidence is not None}

    def add_evidence(self, key: EvidenceKey, evidence: Evidence) -> None:
        """Keep it, in the place of what was made of other inputs."""
        self.add_evidence_of_sides([(key, evidence)])

    def add_evidence_of_sides(self, made: Sequence[tuple[EvidenceKey, Evidence]]) -> None:
        """The same for both sides of a game at once."""
        self._database.put(tables.evidence, [_evidence_row(*one) for one in made])

    def _of_moves(
        self, table: sa.Table, key: Row, positions: PositionSequence
    ) -> sa.Row[Any] | None:
        """The row of `key`; that this game went by these moves is noted if it was not."""
        moves = tables.game_moves.c
        is_noted = sa.and_(
            moves.moves_digest == table.c.moves_digest, moves.game_id == positions.game_id
        )
        query = sa.select(table, moves.game_id).outerjoin(tables.game_moves, is_noted)
        row = self._database.first(query.where(*having(table, key)))
        if row is not None and row.game_id is None:
            self._database.put(tables.game_moves, [_game_moves(key, positions)])
        return row

    def _put_of_moves(self, table: sa.Table, row: Row, positions: PositionSequence) -> None:
        noted = _game_moves(row, positions)
        self._database.put_together([(table, [row]), (tables.game_moves, [noted])])


def _game_row(game: StoredGame) -> Row:
    return {column.name: getattr(game, column.name) for column in tables.games.c}


def _evidence_row(key: EvidenceKey, evidence: Evidence) -> Row:
    return {
        **evidence_key(key),
        "inputs_digest": key.inputs_digest,
        "scale": evidence.scale,
        "moves": evidence.moves,
        "with_human_model": evidence.with_human_model,
        "log_likelihoods": packed_numbers(evidence.log_likelihoods),
    }


def _evidence(row: sa.Row[Any], key: EvidenceKey) -> Evidence | None:
    """None for that of other inputs, and for what is not whole."""
    if row.inputs_digest != key.inputs_digest:
        return None
    log_likelihoods = unpacked_numbers(row.log_likelihoods)
    if log_likelihoods is None:
        return None
    return Evidence(
        game_id=key.game_id,
        color=key.color,
        scale=row.scale,
        moves=row.moves,
        log_likelihoods=log_likelihoods,
        with_human_model=row.with_human_model,
    )


def _game_moves(row: Row, positions: PositionSequence) -> Row:
    return {"moves_digest": row["moves_digest"], "game_id": positions.game_id}
