"""One game as JSON: both sides, what explains their ranges, and every move."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, TypeAlias

from engines.evals import EngineId, SearchLimit
from pipeline.records import (
    Clock,
    Explanation,
    GamePlayer,
    GameReport,
    MoveEvidence,
    MoveScore,
    NoEstimate,
    Opening,
    SideReport,
    SideSummary,
    StrengthRange,
)

Json: TypeAlias = dict[str, Any]


def game_fields(game: GameReport) -> Json:
    """All that is told of a game, its keys always in the same order."""
    return {
        "id": game.id,
        "url": game.url,
        "created_at": time_text(game.created_at),
        "speed": game.speed,
        "variant": game.variant,
        "rated": game.rated,
        "color": game.color,
        "status": game.status,
        "opening": _opening(game.opening),
        "clock": _clock(game.clock),
        "plies": game.plies,
        "engine": _engine(game.engine),
        "limit": _limit(game.limit),
        "human_model_missing": game.human_model_missing,
        "white": _side(game.white),
        "black": _side(game.black),
        "moves": [_move(move) for move in game.moves],
    }


def _opening(opening: Opening | None) -> Json | None:
    if opening is None:
        return None
    return {"eco": opening.eco, "name": opening.name, "ply": opening.ply}


def _clock(clock: Clock | None) -> Json | None:
    if clock is None:
        return None
    return {
        "initial_seconds": clock.initial_seconds,
        "increment_seconds": clock.increment_seconds,
    }


def _engine(engine: EngineId | None) -> Json | None:
    return None if engine is None else {"name": engine.name, "network": engine.network}


def _limit(limit: SearchLimit | None) -> Json | None:
    if limit is None:
        return None
    return {"nodes_per_position": limit.nodes_per_position, "policy": limit.policy}


def _side(side: SideReport) -> Json:
    return {
        "player": _player(side.player),
        "score": side.score,
        "expected_score": rounded(side.expected_score, 3),
        "strength": strength_fields(side.strength),
        "explanation": _explanation(side.explanation),
        "summary": _summary(side.summary),
    }


def _explanation(said: Explanation | NoEstimate) -> Json:
    if isinstance(said, NoEstimate):
        return {"reason": said.reason}
    return {
        "lower_rating": said.lower_rating,
        "higher_rating": said.higher_rating,
        "moves": [_move_evidence(move) for move in said.moves],
        "for_higher": [_move_evidence(move) for move in said.for_higher],
        "for_lower": [_move_evidence(move) for move in said.for_lower],
        "phases": [
            {
                "phase": phase.phase.value,
                "moves": phase.moves,
                "log_likelihood_ratio": rounded(phase.log_likelihood_ratio, 3),
            }
            for phase in said.phases
        ],
    }


def _move_evidence(said: MoveEvidence) -> Json:
    return {
        "ply": said.ply,
        "log_likelihood_ratio": rounded(said.log_likelihood_ratio, 3),
    }


def _player(player: GamePlayer) -> Json:
    return {
        "name": player.name,
        "title": player.title,
        "rating": player.rating,
        "rating_diff": player.rating_diff,
        "provisional": player.provisional,
        "computer_level": player.computer_level,
        "berserk": player.berserk,
    }


def _summary(summary: SideSummary | None) -> Json | None:
    if summary is None:
        return None
    return {
        "moves": summary.moves,
        "accuracy_percent": rounded(summary.accuracy_percent, 2),
        "average_centipawn_loss": summary.average_centipawn_loss,
        "inaccuracies": summary.inaccuracies,
        "mistakes": summary.mistakes,
        "blunders": summary.blunders,
    }


def _move(move: MoveScore) -> Json:
    return {
        "ply": move.ply,
        "color": move.color,
        "san": move.san,
        "move_uci": move.move_uci,
        "win_percent_before": rounded(move.win_percent_before, 2),
        "win_percent_after": rounded(move.win_percent_after, 2),
        "centipawn_loss": move.centipawn_loss,
        "accuracy_percent": rounded(move.accuracy_percent, 2),
        "judgement": move.judgement.value if move.judgement else None,
        "phase": move.phase.value,
        "legal_move_count": move.legal_move_count,
        "is_best_move": move.is_best_move,
        "best_move_san": move.best_move_san,
        "gives_check": move.gives_check,
        "captures": move.captures,
        "seconds_left": move.seconds_left,
        "seconds_spent": move.seconds_spent,
    }


def strength_fields(strength: StrengthRange | NoEstimate) -> Json:
    """A range, or the reason why there is none."""
    if isinstance(strength, NoEstimate):
        return {"reason": strength.reason}
    return {
        "scale": strength.scale,
        "low": rounded(strength.low, 1),
        "median": rounded(strength.median, 1),
        "high": rounded(strength.high, 1),
        "coverage": strength.coverage,
        "games": strength.games,
        "moves": strength.moves,
        "games_with_human_model": strength.games_with_human_model,
        "with_pairing": strength.with_pairing,
    }


def time_text(when: datetime) -> str:
    """ISO 8601 in UTC: `2026-03-14T18:05:00Z`."""
    return when.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def rounded(value: float | None, places: int) -> float | None:
    """A number for programs: rounded, or none."""
    return None if value is None else round(value, places)
