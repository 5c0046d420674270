"""What became of a batch and its players, as JSON: `summary.json`, `summary.ndjson`, alerts."""

from __future__ import annotations

import json
from dataclasses import asdict

from pipeline.store.batch_records import (
    Alert,
    LinePoint,
    PlayerOutcome,
    PointsRange,
    RunAccount,
    SpeedOutcome,
)
from reports.game_json import Json, time_text

FORMAT = 1


def run_json(account: RunAccount) -> str:
    """One run: how many players came to what, and each one of whom nothing was made."""
    told: Json = {
        "format": FORMAT,
        "began_at": time_text(account.began_at),
        "ended_at": time_text(account.ended_at),
        "exit_code": account.exit_code,
        "players": account.players,
        "unchanged": account.unchanged,
        "states": dict(account.states),
        "new_games": account.new_games,
        "games_reported": account.games_reported,
        "stopped_by": account.stopped_by or None,
        "faults": [
            {"player": fault.player, "state": fault.state, "sentence": fault.sentence}
            for fault in account.faults
        ],
    }
    return json.dumps(told, indent=2) + "\n"


def outcome_line(outcome: PlayerOutcome) -> bytes:
    """One player in a line, ASCII only; null where nothing is known."""
    told: Json = {
        "player": outcome.player,
        "state": outcome.state,
        "sentence": outcome.sentence or None,
        "made_at": None if outcome.made_at is None else time_text(outcome.made_at),
        "files": outcome.file_stem,
        "games": outcome.games,
        "set_aside": outcome.set_aside,
        "speeds": [_speed(speed) for speed in outcome.speeds],
        "alerts": len(outcome.alerts),
    }
    return _line(told)


def alert_line(alert: Alert) -> bytes:
    """One alert in a line."""
    times = {"since": time_text(alert.since), "until": time_text(alert.until)}
    return _line({**asdict(alert), **times})


def _speed(speed: SpeedOutcome) -> Json:
    return {
        "speed": speed.speed,
        "scale": speed.scale,
        "games": speed.games,
        "first_game_at": time_text(speed.first_game_at),
        "last_game_at": time_text(speed.last_game_at),
        "rating_last": speed.rating_last,
        "score": speed.score,
        "expected_score": speed.expected_score,
        "results": _range(speed.results),
        "moves": _range(speed.moves),
        "difference": _range(speed.difference),
        "moves_above_probability": speed.moves_above_probability,
        "accuracy_percent": speed.accuracy_percent,
        "results_line": _points(speed.results_line),
        "moves_line": _points(speed.moves_line),
    }


def _range(found: PointsRange | None) -> Json | None:
    return None if found is None else asdict(found)


def _points(line: tuple[LinePoint, ...]) -> list[Json]:
    return [{"at": time_text(point.at), "rating": point.rating} for point in line]


def _line(told: Json) -> bytes:
    return json.dumps(told, allow_nan=False).encode() + b"\n"
