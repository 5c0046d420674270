"""Under what evaluations, readings and evidence are kept: whatever gives other numbers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from engines.evals import Color, EngineId, PositionSequence, SearchLimit
from engines.human_likelihoods import FIRST_PLY, RATINGS
from pipeline.store.database import Row


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


def evaluation_key(positions: PositionSequence, engine: EngineId, limit: SearchLimit) -> Row:
    """The columns by which an engine's evaluations of a game are found."""
    return {"moves_digest": moves_digest(positions), **_analysis_key(engine, limit)}


def likelihoods_key(positions: PositionSequence, network: str) -> Row:
    """The columns by which a human-move model's reading of a game is found."""
    return {
        "moves_digest": moves_digest(positions),
        "network": network,
        "ratings": " ".join(map(str, RATINGS)),
        "first_ply": FIRST_PLY,
    }


def evidence_key(key: EvidenceKey) -> Row:
    """The columns by which evidence is found; its inputs are compared afterwards."""
    return {
        "game_id": key.game_id,
        "color": key.color,
        "model": key.model,
        **_analysis_key(key.engine, key.limit),
        "human_network": key.human_network,
    }


def moves_digest(positions: PositionSequence) -> str:
    """Of the moves and of where they start: the same for every game that went the same way."""
    moves = f"{positions.start_fen}|{' '.join(positions.moves_uci)}"
    return hashlib.sha256(moves.encode()).hexdigest()


def _analysis_key(engine: EngineId, limit: SearchLimit | None) -> Row:
    return {
        "engine": engine.name,
        "network": engine.network or "",
        "nodes_per_position": limit.nodes_per_position if limit else 0,
        "policy": limit.policy if limit else "",
    }
