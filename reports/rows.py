"""The lines of the two tables, in words: one per speed, one per game. Terminal and HTML
lay them out; what stands in them is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo

from config.language import _
from config.localized import number_text
from engines.evals import Color
from pipeline.records import (
    GameReport,
    NoEstimate,
    ResultEstimate,
    ScoreLuck,
    SideReport,
    SpeedReport,
    StrengthRange,
)
from reports.counts import counted
from reports.lines import ABSENT
from reports.names import lichess_link, opening_name, player_name, player_rating
from reports.terms import color_name, scale_name, speed_name, time_control_text
from reports.words import (
    coverage_text,
    date_text,
    decimal_text,
    outcome_word,
    percent_text,
    period_text,
    probability_text,
    range_text,
    rating_text,
    reason_text,
    score_of_text,
    score_text,
    strength_text,
    views_text,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedRow:
    """All games at one speed, both views; `…_reason` is empty where there is a range."""

    speed: str
    scale: str
    games: str
    period: str
    score: str
    record: str
    expected: str
    luck: str
    average_opponent: str
    performance: str
    performance_range: str
    performance_coverage: str
    performance_reason: str
    strength: str
    strength_coverage: str
    strength_reason: str
    strength_basis: str
    rating: str
    accuracy: str
    average_centipawn_loss: str


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


def speed_row(speed: SpeedReport, zone: tzinfo) -> SpeedRow:
    """The totals of one speed in words."""
    return SpeedRow(
        speed=speed_name(speed.speed),
        scale=scale_name(speed.scale),
        games=number_text(speed.games),
        period=period_text(speed.first_game_at, speed.last_game_at, zone),
        **_result_words(speed.result),
        performance_reason=reason_text(speed.result),
        **_strength_words(speed.strength),
        strength_reason=reason_text(speed.strength),
        rating=_rating_course(speed.rating_first, speed.rating_last),
        accuracy=percent_text(speed.accuracy_percent),
        average_centipawn_loss=decimal_text(speed.average_centipawn_loss, 0),
    )


def _result_words(result: ResultEstimate | NoEstimate) -> dict[str, str]:
    if isinstance(result, NoEstimate):
        absent = ("score", "record", "expected", "luck", "average_opponent", "performance")
        return dict.fromkeys((*absent, "performance_range"), ABSENT) | {"performance_coverage": ""}
    return {
        "score": score_of_text(result.score, result.games),
        "record": _("{won} won, {drawn} drawn, {lost} lost").format(
            won=number_text(result.wins),
            drawn=number_text(result.draws),
            lost=number_text(result.losses),
        ),
        "expected": _expectation(result),
        "luck": _luck(result),
        "average_opponent": rating_text(result.average_opponent_rating),
        "performance": rating_text(result.performance_rating),
        "performance_range": range_text(result.performance_low, result.performance_high),
        "performance_coverage": coverage_text(result.coverage),
    }


def _strength_words(strength: StrengthRange | NoEstimate) -> dict[str, str]:
    if isinstance(strength, NoEstimate):
        return {"strength": ABSENT, "strength_coverage": "", "strength_basis": ""}
    return {
        "strength": strength_text(strength),
        "strength_coverage": coverage_text(strength.coverage),
        "strength_basis": f"{counted(strength.moves, 'own move')}, {_views(strength)}",
    }


def _views(strength: StrengthRange) -> str:
    return views_text(
        strength.games_with_human_model, strength.games, with_pairing=strength.with_pairing
    )


def _expectation(result: ResultEstimate) -> str:
    if not result.games_with_expectation:
        return ABSENT
    expected = decimal_text(result.expected_score, 1)
    if result.games_with_expectation == result.games:
        return expected
    return _("{expected} (in {games} that brought {score})").format(
        expected=expected,
        games=counted(result.games_with_expectation, "game"),
        score=score_text(result.score_with_expectation),
    )


def _luck(result: ResultEstimate) -> str:
    if isinstance(result.luck, NoEstimate):
        return ABSENT
    score, expected = result.score_with_expectation, result.expected_score
    return luck_words(result.luck, score=score, expected=expected)


def luck_words(luck: ScoreLuck, *, score: float, expected: float) -> str:
    """`38 % chance of that score or a better one`: of a worse one when it fell short."""
    if score >= expected:
        said, chance = (
            _("{chance} chance of that score or a better one"),
            luck.score_or_luckier_probability,
        )
    else:
        said, chance = (
            _("{chance} chance of that score or a worse one"),
            luck.score_or_unluckier_probability,
        )
    return said.format(chance=probability_text(chance))


def _rating_course(first: int | None, last: int | None) -> str:
    if first is None or last is None or first == last:
        return rating_text(first if last is None else last)
    return f"{rating_text(first)} → {rating_text(last)}"


def game_row(game: GameReport, zone: tzinfo) -> GameRow:
    """One game in words. A game in which the player has no colour is seen from White."""
    color = game.color or "white"
    own, opponent = game.side(color), game.side("black" if color == "white" else "white")
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
