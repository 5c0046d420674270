"""Whatever took long to compute from a game's moves: evaluations, likelihoods, evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
from engines.human_likelihoods import RATINGS, HumanLikelihoods
from pipeline.records import Evidence
from pipeline.store import tables
from pipeline.store.database import Database, Row, having
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

_GAMES_A_QUERY = 500

# Both sides'. Building it takes longer than asking it.
_EVIDENCE_OF_GAME = sa.select(tables.evidence).where(
    *(
        column == sa.bindparam(column.name)
        for column in tables.evidence.primary_key
        if column.name != "color"
    )
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A row, and the number of the key that it has."""

    row: sa.Row[Any]
    number: int


class Computed:
    """A part of the `Store`; each result is known by what it was made of and by whom."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def evals(
        self, positions: PositionSequence, engine: EngineId, *limits: SearchLimit
    ) -> GameEvals | None:
        """What this engine said about these very moves within this limit, if it was asked.

        Of several `limits`, the first within which it was.
        """
        keys = [evaluation_key(positions, engine, limit) for limit in limits]
        found = self._of_moves(tables.evaluations, keys, positions)
        if found is None:
            return None
        row, limit = found.row, limits[found.number]
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
        keys = [likelihoods_key(positions, network)]
        found = self._of_moves(tables.human_likelihoods, keys, positions)
        return None if found is None else _unpacked(found.row.likelihoods, positions)

    def add_human_likelihoods(
        self, positions: PositionSequence, network: str, human: HumanLikelihoods
    ) -> HumanLikelihoods:
        """Keep what the human-move model said of both sides, at `RATINGS`; as it is given back."""
        if human.ratings != RATINGS:
            raise ValueError(f"likelihoods are kept for {RATINGS}, not for {human.ratings}")
        packed = packed_likelihoods(human)
        row = {**likelihoods_key(positions, network), "likelihoods": packed}
        self._put_of_moves(tables.human_likelihoods, row, positions)
        return _unpacked(packed, positions) or human

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

    def games_with_evidence(
        self, game_ids: Sequence[str], *, model: str, nodes_per_position: int
    ) -> set[tuple[str, str]]:
        """Those that this model has evidence of, each with the human-move model's network in it.

        From evaluations with so many nodes, or from those that came with the game.
        """
        found: set[tuple[str, str]] = set()
        for start in range(0, len(game_ids), _GAMES_A_QUERY):
            part = game_ids[start : start + _GAMES_A_QUERY]
            columns = tables.evidence.c
            query = sa.select(columns.game_id, columns.human_network).distinct()
            query = query.where(
                columns.game_id.in_(part),
                columns.model == model,
                columns.nodes_per_position.in_((0, nodes_per_position)),
            )
            rows = self._database.rows(query)
            found.update((row.game_id, row.human_network) for row in rows)
        return found

    def add_evidence(self, key: EvidenceKey, evidence: Evidence) -> None:
        """Keep it, in the place of what was made of other inputs."""
        self.add_evidence_of_sides([(key, evidence)])

    def add_evidence_of_sides(self, made: Sequence[tuple[EvidenceKey, Evidence]]) -> None:
        """The same for both sides of a game at once."""
        self._database.put(tables.evidence, [_evidence_row(*one) for one in made])

    def _of_moves(
        self, table: sa.Table, keys: Sequence[Row], positions: PositionSequence
    ) -> _Found | None:
        """The row of the first key that has one; that this game went by these moves is noted."""
        moves = tables.game_moves.c
        is_noted = sa.and_(
            moves.moves_digest == table.c.moves_digest, moves.game_id == positions.game_id
        )
        query = sa.select(table, moves.game_id).outerjoin(tables.game_moves, is_noted)
        any_of_them = sa.or_(*(sa.and_(*having(table, key)) for key in keys))
        rows = self._database.rows(query.where(any_of_them))
        found = (
            _Found(row, number)
            for number, key in enumerate(keys)
            for row in rows
            if all(getattr(row, name) == value for name, value in key.items())
        )
        first = next(found, None)
        if first is not None and first.row.game_id is None:
            self._database.put(tables.game_moves, [_game_moves(keys[first.number], positions)])
        return first

    def _put_of_moves(self, table: sa.Table, row: Row, positions: PositionSequence) -> None:
        noted = _game_moves(row, positions)
        self._database.put_together([(table, [row]), (tables.game_moves, [noted])])


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


def _unpacked(packed: bytes, positions: PositionSequence) -> HumanLikelihoods | None:
    return unpacked_likelihoods(packed, game_id=positions.game_id, ratings=RATINGS)


def _game_moves(row: Row, positions: PositionSequence) -> Row:
    return {"moves_digest": row["moves_digest"], "game_id": positions.game_id}
