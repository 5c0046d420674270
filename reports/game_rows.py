"""One game in words: a line of the list of games, as every display lays it out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo

from engines.evals import Color
from pipeline.records import (
    GameReport,
    NoEstimate,
    SideReport,
    StrengthRange,
)
from reports.names import lichess_link, opening_name, player_name, player_rating
from reports.terms import color_name, speed_name, time_control_text
from reports.words import (
    date_text,
    decimal_text,
    outcome_word,
    percent_text,
    reason_text,
    score_text,
    strength_text,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameKeys:
    """What a table of games is sorted by: numbers as JavaScript reads them, empty without one."""

    date: str
    score: str
    expected: str
    own_strength: str
    opponent_strength: str
    accuracy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """One game, seen from the player's side; `…_reason` is empty where there is a range.

    `side` and `result` are for style sheets: white, black; win, draw, loss or nothing.
    """

    side: Color
    result: str
    keys: GameKeys
    date: str
    speed: str
    time_control: str
    color: str
    opponent: str
    opponent_rating: str
    score: str
    outcome: str
    expected: str
    own_strength: str
    own_reason: str
    opponent_strength: str
    opponent_reason: str
    accuracy: str
    opening: str
    link: str | None


def game_row(game: GameReport, zone: tzinfo) -> GameRow:
    """One game in words. A game in which the player has no colour is seen from White."""
    color = game.color or "white"
    own, opponent = game.side(color), game.opponent(color)
    return GameRow(
        side=color,
        result=_RESULTS.get(own.score, ""),
        keys=_game_keys(game, own, opponent),
        date=date_text(game.created_at, zone),
        speed=speed_name(game.speed),
        time_control=time_control_text(game.clock),
        color=color_name(color),
        opponent=player_name(opponent.player),
        opponent_rating=player_rating(opponent.player),
        score=score_text(own.score),
        outcome=outcome_word(own.score),
        expected=decimal_text(own.expected_score, 2),
        own_strength=strength_text(own.strength),
        own_reason=reason_text(own.strength),
        opponent_strength=strength_text(opponent.strength),
        opponent_reason=reason_text(opponent.strength),
        accuracy=percent_text(own.summary.accuracy_percent if own.summary else None),
        opening=opening_name(game.opening),
        link=lichess_link(game.url),
    )


_RESULTS: dict[float | None, str] = {1.0: "win", 0.5: "draw", 0.0: "loss"}


def _game_keys(game: GameReport, own: SideReport, opponent: SideReport) -> GameKeys:
    return GameKeys(
        date=f"{game.created_at.timestamp():.0f}",
        score=_key(own.score),
        expected=_key(own.expected_score),
        own_strength=_strength_key(own.strength),
        opponent_strength=_strength_key(opponent.strength),
        accuracy=_key(own.summary.accuracy_percent if own.summary else None),
    )


def _strength_key(strength: StrengthRange | NoEstimate) -> str:
    return "" if isinstance(strength, NoEstimate) else _key(strength.median)


def _key(number: float | None) -> str:
    return "" if number is None else f"{number:.4g}"
