"""Reports as JSON, for programs. `templates/movelo-report.schema.json` describes both.

Units stand in the names; ratings are rounded to 0.1, percentages to 0.01, scores to 0.001,
probabilities of a score to four digits.
Strings are handed on as they came: whoever shows them must escape them. `schema` ends in a
version that grows when a field changes its meaning or goes away; a reader must put up with
new fields (in version 1, `luck` and `opponents` came to `result` later, then
`games_with_human_model` to `strength`, `human_model_missing` to a game, `explanation` to a side,
`with_pairing` to `strength`, `differences` and `trends` to a speed).
"""

from __future__ import annotations

import json

from pipeline.records import (
    GameReport,
    NoEstimate,
    OpponentCounts,
    PlayerReport,
    ResultEstimate,
    ScoreLuck,
    SpeedReport,
)
from reports.difference_json import difference_fields
from reports.game_json import Json, game_fields, rounded, strength_fields, time_text
from reports.trend_json import trend_fields

PLAYER_SCHEMA = "movelo.player-report/1"
GAME_SCHEMA = "movelo.game-report/1"


def report_to_json(report: PlayerReport) -> str:
    """A whole report as one line of JSON, its keys always in the same order."""
    return _dumped(
        {
            "schema": PLAYER_SCHEMA,
            "player": report.player,
            "created_at": time_text(report.created_at),
            "movelo_version": report.movelo_version,
            "model_name": report.model_name,
            "notes": list(report.notes),
            "speeds": [_speed(speed) for speed in report.speeds],
            "games": [game_fields(game) for game in report.games],
            "set_aside": [{"where": s.where, "reason": s.reason} for s in report.set_aside],
        }
    )


def game_to_json(game: GameReport) -> str:
    """One game as one line of JSON, its keys always in the same order."""
    return _dumped({"schema": GAME_SCHEMA, **game_fields(game)})


def _dumped(value: Json) -> str:
    # ASCII only: a name may hold half a surrogate pair, which no file can take.
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(", ", ": ")) + "\n"


def _speed(speed: SpeedReport) -> Json:
    return {
        "speed": speed.speed,
        "scale": speed.scale,
        "games": speed.games,
        "first_game_at": time_text(speed.first_game_at),
        "last_game_at": time_text(speed.last_game_at),
        "rating_first": speed.rating_first,
        "rating_last": speed.rating_last,
        "result": _result(speed.result),
        "strength": strength_fields(speed.strength),
        "trends": trend_fields(speed.trends),
        "differences": difference_fields(speed.differences),
        "accuracy_percent": rounded(speed.accuracy_percent, 2),
        "average_centipawn_loss": rounded(speed.average_centipawn_loss, 1),
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
        "expected_score": rounded(result.expected_score, 3),
        "games_with_expectation": result.games_with_expectation,
        "score_with_expectation": result.score_with_expectation,
        "average_opponent_rating": rounded(result.average_opponent_rating, 1),
        "performance_low": rounded(result.performance_low, 1),
        "performance_rating": rounded(result.performance_rating, 1),
        "performance_high": rounded(result.performance_high, 1),
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
        "equals_draw_probability": rounded(luck.equals_draw_probability, 4),
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


def _significant(probability: float) -> float:
    return float(f"{probability:.4g}")
