"""All games of one speed in words: a line of the totals, as every display lays them out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo

from config.language import _
from config.localized import number_text
from pipeline.records import (
    NoEstimate,
    ResultEstimate,
    ScoreLuck,
    SpeedReport,
    StrengthRange,
)
from reports.counts import counted
from reports.lines import ABSENT
from reports.terms import scale_name, speed_name
from reports.words import (
    coverage_text,
    decimal_text,
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
