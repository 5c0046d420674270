"""The face of the store: fetched games, how far fetching got, and whatever took long to compute."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

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
from engines.maia import FIRST_PLY, RATINGS, HumanLikelihoods
from pipeline.records import Evidence
from pipeline.spans import Span
from pipeline.store import tables
from pipeline.store.database import Database, Row
from pipeline.store.packing import (
    packed_likelihoods,
    packed_numbers,
    unpacked_likelihoods,
    unpacked_numbers,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGame:
    """A game as Lichess exported it; player ids are lower-case names, None for nobody."""

    id: str
    created_at_ms: int
    white_id: str | None
    black_id: str | None
    record_json: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceKey:
    """What evidence is of, and what made it.

    `model` is the strength model's id; `limit` is None where the evaluations came with the
    game; `human_network` is "" where the human-move model had no part. `inputs_digest` stands
    for everything that was read: a game may come again with clocks or other evaluations.
    """

    game_id: str
    color: Color
    model: str
    engine: EngineId
    limit: SearchLimit | None
    human_network: str
    inputs_digest: str


class Store:
    """A context manager; safe to use from several processes, from one thread each."""

    def __init__(self, file: Path) -> None:
        """Open or make the store; StoreError if that cannot be done or it is too new."""
        self._database = Database(file)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._database.close()

    def add_games(self, games: Iterable[StoredGame]) -> None:
        """Keep these games; one that is there already is replaced by what came now."""
        columns = ("id", "created_at_ms", "white_id", "black_id", "record_json")
        rows: list[Row] = [{name: getattr(game, name) for name in columns} for game in games]
        self._database.put(tables.games, rows)

    def games_of(
        self, player_id: str, *, since_ms: int | None = None, until_ms: int | None = None
    ) -> Iterator[str]:
        """The export records (JSON) of a player's games, newest first, within inclusive times."""
        game = tables.games.c
        query = (
            sa.select(game.record_json)
            .where(sa.or_(game.white_id == player_id, game.black_id == player_id))
            .order_by(game.created_at_ms.desc(), game.id)
        )
        if since_ms is not None:
            query = query.where(game.created_at_ms >= since_ms)
        if until_ms is not None:
            query = query.where(game.created_at_ms <= until_ms)
        yield from self._database.stream(query)

    def fetched_spans(self, player_id: str) -> tuple[Span, ...]:
        """The stretches of time from which all of a player's games are in the store."""
        span = tables.spans.c
        query = sa.select(span.oldest_ms, span.newest_ms).where(span.player_id == player_id)
        rows = self._database.rows(query.order_by(span.oldest_ms))
        return tuple(Span(row.oldest_ms, row.newest_ms) for row in rows)

    def set_fetched_spans(self, player_id: str, spans: Iterable[Span]) -> None:
        """Note what of a player's history is complete; its games must be kept already."""
        rows: list[Row] = [
            {"player_id": player_id, "oldest_ms": s.oldest_ms, "newest_ms": s.newest_ms}
            for s in spans
        ]
        self._database.replace(tables.spans, {"player_id": player_id}, rows)

    def evals(
        self, positions: PositionSequence, engine: EngineId, limit: SearchLimit
    ) -> GameEvals | None:
        """What this engine said about these very moves within this limit, if it was asked."""
        key = _evaluation_key(positions, engine, limit)
        row = self._database.matching(tables.evaluations, key)
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
            **_evaluation_key(positions, evals.engine, evals.limit),
            "evals": " ".join("-" if e is None else eval_to_text(e) for e in evals.evals),
            "best_moves_uci": " ".join(m or "-" for m in evals.best_moves_uci),
        }
        self._database.put(tables.evaluations, [row])

    def human_likelihoods(
        self, positions: PositionSequence, network: str
    ) -> HumanLikelihoods | None:
        """What this human-move model said about these very moves, if it was asked.

        It is kept in half precision, and every ply from `FIRST_PLY` on is in it.
        """
        key = _likelihoods_key(positions, network)
        row = self._database.matching(tables.human_likelihoods, key)
        if row is None:
            return None
        return unpacked_likelihoods(row.likelihoods, game_id=positions.game_id, ratings=RATINGS)

    def add_human_likelihoods(
        self, positions: PositionSequence, network: str, human: HumanLikelihoods
    ) -> None:
        """Keep what the human-move model said of both sides, at `RATINGS`."""
        if human.ratings != RATINGS:
            raise ValueError(f"likelihoods are kept for {RATINGS}, not for {human.ratings}")
        key = _likelihoods_key(positions, network)
        row = {**key, "likelihoods": packed_likelihoods(human)}
        self._database.put(tables.human_likelihoods, [row])

    def evidence(self, key: EvidenceKey) -> Evidence | None:
        """The evidence that was made of the same by the same, if there is any."""
        row = self._database.matching(tables.evidence, _evidence_key(key))
        if row is None or row.inputs_digest != key.inputs_digest:
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

    def add_evidence(self, key: EvidenceKey, evidence: Evidence) -> None:
        """Keep it, in the place of what was made of other inputs."""
        row: Row = {
            **_evidence_key(key),
            "inputs_digest": key.inputs_digest,
            "scale": evidence.scale,
            "moves": evidence.moves,
            "with_human_model": evidence.with_human_model,
            "log_likelihoods": packed_numbers(evidence.log_likelihoods),
        }
        self._database.put(tables.evidence, [row])


def _evaluation_key(positions: PositionSequence, engine: EngineId, limit: SearchLimit) -> Row:
    return {"moves_digest": _moves_digest(positions), **_analysis_key(engine, limit)}


def _likelihoods_key(positions: PositionSequence, network: str) -> Row:
    return {
        "moves_digest": _moves_digest(positions),
        "network": network,
        "ratings": " ".join(map(str, RATINGS)),
        "first_ply": FIRST_PLY,
    }


def _evidence_key(key: EvidenceKey) -> Row:
    return {
        "game_id": key.game_id,
        "color": key.color,
        "model": key.model,
        **_analysis_key(key.engine, key.limit),
        "human_network": key.human_network,
    }


def _analysis_key(engine: EngineId, limit: SearchLimit | None) -> Row:
    return {
        "engine": engine.name,
        "network": engine.network or "",
        "nodes_per_position": limit.nodes_per_position if limit else 0,
        "policy": limit.policy if limit else "",
    }


def _moves_digest(positions: PositionSequence) -> str:
    moves = f"{positions.start_fen}|{' '.join(positions.moves_uci)}"
    return hashlib.sha256(moves.encode()).hexdigest()
