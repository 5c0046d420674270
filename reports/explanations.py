"""What spoke for and against each side's range, in words: the moves, and the phases."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from config.language import _, english, retold
from config.localized import localized
from engines.evals import COLORS, Color
from pipeline.records import (
    Explanation,
    GameReport,
    MoveEvidence,
    MoveScore,
    Phase,
    StrengthRange,
)
from reports.lines import ABSENT
from reports.terms import color_name, marked_san, move_number_text
from reports.words import rating_text

FOR_HIGHER, FOR_LOWER = "▲", "▼"

PHASE_NAMES = (english("opening"), english("middlegame"), english("endgame"))

EXPLANATION_NOTE = english(
    "What spoke for and against: two ratings are compared, around the middle of a side's range "
    "(within 600 to 2,600). A move speaks for those who play it more often, right or wrong; "
    "“4 times” means that the human-move model finds it 4 times as likely from them. It is the "
    "larger part of what a range is made of, not all."
)
UNEXPLAINED = english(
    "Which moves spoke for and against these ranges is not listed: only the human-move model "
    "can tell, and it had no part in them."
)


def phase_names() -> tuple[str, ...]:
    """What the three phases are called, in the order of the game."""
    return tuple(map(retold, PHASE_NAMES))


def explanation_note() -> str:
    """What it means that a move speaks for a rating."""
    return retold(EXPLANATION_NOTE)


_LEAST_SUM, _CLEAR_SUM = math.log(2), math.log(10)
_MOST_TIMES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenMove:
    """A move and how much likelier it is from the one rating than from the other."""

    ply: int
    move: str
    times: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SideExplanation:
    """One side; all of it dashes and empty where there is nothing to say of that side.

    `phases` are one phrase for the opening, the middlegame and the endgame each.
    """

    color: str
    lower: str
    higher: str
    for_higher: tuple[SpokenMove, ...]
    for_lower: tuple[SpokenMove, ...]
    phases: tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveMark:
    """The sign on a named move, and what it stands for."""

    sign: str
    meaning: str


def side_explanations(game: GameReport) -> tuple[SideExplanation, ...]:
    """White's and Black's; empty when there is nothing to say of either."""
    if not any(isinstance(game.side(color).explanation, Explanation) for color in COLORS):
        return ()
    by_ply = {move.ply: move for move in game.moves}
    return tuple(_side_explanation(game, color, by_ply) for color in COLORS)


def unexplained(game: GameReport) -> str:
    """The sentence on a game that has ranges and nothing that explains them; else empty."""
    sides = (game.white, game.black)
    has_range = any(isinstance(side.strength, StrengthRange) for side in sides)
    explained = any(isinstance(side.explanation, Explanation) for side in sides)
    return retold(UNEXPLAINED) if has_range and not explained else ""


def move_marks(game: GameReport) -> dict[int, MoveMark]:
    """By ply: the moves that are named in the explanations."""
    return dict(_marks(game))


def _marks(game: GameReport) -> Iterator[tuple[int, MoveMark]]:
    for color in COLORS:
        said = game.side(color).explanation
        if isinstance(said, Explanation):
            lower, higher = rating_text(said.lower_rating), rating_text(said.higher_rating)
            for move in said.for_higher:
                yield move.ply, MoveMark(sign=FOR_HIGHER, meaning=_meaning(move, higher, lower))
            for move in said.for_lower:
                yield move.ply, MoveMark(sign=FOR_LOWER, meaning=_meaning(move, lower, higher))


def _meaning(said: MoveEvidence, rating: str, other: str) -> str:
    return _("speaks for {rating}: {times} as likely as from {other}").format(
        rating=rating, times=_times(said), other=other
    )


def _side_explanation(
    game: GameReport, color: Color, by_ply: dict[int, MoveScore]
) -> SideExplanation:
    said = game.side(color).explanation
    if not isinstance(said, Explanation):
        return SideExplanation(
            color=color_name(color), lower=ABSENT, higher=ABSENT, for_higher=(), for_lower=(),
            phases=(ABSENT, ABSENT, ABSENT),
        )  # fmt: skip
    opening, middlegame, endgame = (_phase_text(said, phase) for phase in Phase)
    return SideExplanation(
        color=color_name(color),
        lower=rating_text(said.lower_rating),
        higher=rating_text(said.higher_rating),
        for_higher=tuple(_spoken(move, by_ply) for move in said.for_higher),
        for_lower=tuple(_spoken(move, by_ply) for move in said.for_lower),
        phases=(opening, middlegame, endgame),
    )


def _spoken(said: MoveEvidence, by_ply: dict[int, MoveScore]) -> SpokenMove:
    move = by_ply[said.ply]
    named = f"{move_number_text(move)} {marked_san(move)}"
    return SpokenMove(ply=said.ply, move=named, times=_times(said))


def _times(said: MoveEvidence) -> str:
    """`4.1 times`, `15 times`, `over 100 times`."""
    times = math.exp(min(abs(said.log_likelihood_ratio), math.log(_MOST_TIMES) + 1))
    if times > _MOST_TIMES:
        return _("over {number} times").format(number=_MOST_TIMES)
    number = localized(f"{times:.0f}" if times >= 9.95 else f"{times:.1f}")
    return _("{number} times").format(number=number)


def _phase_text(said: Explanation, phase: Phase) -> str:
    """`for 1,900`, `clearly for 1,300`: the sum is no probability, so no number is shown."""
    sums = [p.log_likelihood_ratio for p in said.phases if p.phase is phase]
    if not sums:
        return ABSENT
    strength = abs(sums[0])
    if strength < _LEAST_SUM:
        return _("says little")
    rating = rating_text(said.higher_rating if sums[0] > 0 else said.lower_rating)
    if strength >= _CLEAR_SUM:
        return _("clearly for {rating}").format(rating=rating)
    return _("for {rating}").format(rating=rating)
