"""Reports as JSON, for programs. `templates/movelo-report.schema.json` describes both.

Units stand in the names; ratings are rounded to 0.1, percentages to 0.01, scores to 0.001,
probabilities of a score to four digits.
Strings are handed on as they came: whoever shows them must escape them. `schema` ends in a
version that grows when a field changes its meaning or goes away; a reader must put up with
new fields (in version 1, `luck` and `opponents` came to `result` later, then
`games_with_human_model` to `strength` and `human_model_missing` to a game).
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, TypeAlias

from engines.evals import EngineId, SearchLimit
from pipeline.records import (
    Clock,
    GamePlayer,
    GameReport,
    MoveScore,
    NoEstimate,
    Opening,
    OpponentCounts,
    PlayerReport,
    ResultEstimate,
    ScoreLuck,
    SideReport,
    SideSummary,
    SpeedReport,
    StrengthRange,
)

PLAYER_SCHEMA = "movelo.player-report/1"
GAME_SCHEMA = "movelo.game-report/1"

Json: TypeAlias = dict[str, Any]


def report_to_json(report: PlayerReport) -> str:
    """A whole report as one line of JSON, its keys always in the same order."""
    return _dumped(
        {
            "schema": PLAYER_SCHEMA,
            "player": report.player,
            "created_at": _time(report.created_at),
            "movelo_version": report.movelo_version,
            "model_name": report.model_name,
            "notes": list(report.notes),
            "speeds": [_speed(speed) for speed in report.speeds],
            "games": [_game(game) for game in report.games],
            "set_aside": [{"where": s.where, "reason": s.reason} for s in report.set_aside],
        }
    )


def game_to_json(game: GameReport) -> str:
    """One game as one line of JSON, its keys always in the same order."""
    return _dumped({"schema": GAME_SCHEMA, **_game(game)})


def _dumped(value: Json) -> str:
    # ASCII only: a name may hold half a surrogate pair, which no file can take.
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(", ", ": ")) + "\n"


def _speed(speed: SpeedReport) -> Json:
    return {
        "speed": speed.speed,
        "scale": speed.scale,
        "games": speed.games,
        "first_game_at": _time(speed.first_game_at),
        "last_game_at": _time(speed.last_game_at),
        "rating_first": speed.rating_first,
        "rating_last": speed.rating_last,
        "result": _result(speed.result),
        "strength": _strength(speed.strength),
        "accuracy_percent": _rounded(speed.accuracy_percent, 2),
        "average_centipawn_loss": _rounded(speed.average_centipawn_loss, 1),
    }


def _result(result: ResultEstimate | NoEstimate) -> Json:
    if isinstance(result, NoEstimate):
        return {"reason": result.reason}
    return {
        "scale": result.scale,
        "games": result.games,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "score": result.score,
        "expected_score": _rounded(result.expected_score, 3),
        "games_with_expectation": result.games_with_expectation,
        "score_with_expectation": result.score_with_expectation,
        "average_opponent_rating": _rounded(result.average_opponent_rating, 1),
        "performance_low": _rounded(result.performance_low, 1),
        "performance_rating": _rounded(result.performance_rating, 1),
        "performance_high": _rounded(result.performance_high, 1),
        "coverage": result.coverage,
        "luck": _luck(result.luck),
        "opponents": _opponents(result.opponents),
    }


def _luck(luck: ScoreLuck | NoEstimate) -> Json:
    if isinstance(luck, NoEstimate):
        return {"reason": luck.reason}
    return {
        # A chance of one in a billion must not become none.
        "score_or_luckier_probability": _significant(luck.score_or_luckier_probability),
        "score_or_unluckier_probability": _significant(luck.score_or_unluckier_probability),
        "equals_draw_probability": _rounded(luck.equals_draw_probability, 4),
    }


def _opponents(opponents: OpponentCounts) -> Json:
    return {
        "counted": opponents.counted,
        "provisional": opponents.provisional,
        "bots": opponents.bots,
        "computer": opponents.computer,
        "anonymous": opponents.anonymous,
        "unrated": opponents.unrated,
        "without_result": opponents.without_result,
    }


def _strength(strength: StrengthRange | NoEstimate) -> Json:
    if isinstance(strength, NoEstimate):
        return {"reason": strength.reason}
    return {
        "scale": strength.scale,
        "low": _rounded(strength.low, 1),
        "median": _rounded(strength.median, 1),
        "high": _rounded(strength.high, 1),
        "coverage": strength.coverage,
        "games": strength.games,
        "moves": strength.moves,
        "games_with_human_model": strength.games_with_human_model,
    }


def _game(game: GameReport) -> Json:
    return {
        "id": game.id,
        "url": game.url,
        "created_at": _time(game.created_at),
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
        "expected_score": _rounded(side.expected_score, 3),
        "strength": _strength(side.strength),
        "summary": _summary(side.summary),
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
        "accuracy_percent": _rounded(summary.accuracy_percent, 2),
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
        "win_percent_before": _rounded(move.win_percent_before, 2),
        "win_percent_after": _rounded(move.win_percent_after, 2),
        "centipawn_loss": move.centipawn_loss,
        "accuracy_percent": _rounded(move.accuracy_percent, 2),
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


def _time(when: datetime) -> str:
    """ISO 8601 in UTC: `2026-03-14T18:05:00Z`."""
    return when.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _significant(probability: float) -> float:
    return float(f"{probability:.4g}")


def _rounded(value: float | None, places: int) -> float | None:
    return None if value is None else round(value, places)
