"""Elo's own arithmetic as calculators: expected score, one game, a list of games."""

from __future__ import annotations

from dataclasses import dataclass

from config.language import _
from pipeline.calculators.calculator import Calculator, Solution
from pipeline.calculators.usual_fields import games_field, k_field, rating_field
from pipeline.elo import logistic, usual
from pipeline.elo.expected import expected_score
from pipeline.elo.game_list import parse_score
from pipeline.elo.logistic import ExpectedRow, PeriodChange, both_changes, expected_table
from pipeline.elo.played import Played
from reports.calculator_form import CalculatorField, CalculatorForm, RuleSource
from reports.elo_basic_answers import (
    change_answer,
    expected_answer,
    expected_table_answer,
    period_answer,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedScores:
    """Expected scores, 0 to 1, of both sides of one game; a draw counts half."""

    expected_score: float
    opponent_expected_score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChange:
    """What one result, 1, ½ or 0, changes for both players, in points."""

    score: float
    change: float
    rating_after: float
    opponent_change: float
    opponent_rating_after: float


def expected() -> Calculator:
    """Expected score of one player against another, or the whole table."""
    return Calculator(
        form=CalculatorForm(
            name="expected",
            title=_("Expected score"),
            summary=_("Of one player against another; without ratings the whole table."),
            fields=(
                rating_field(about=_("Leave both ratings empty for the table."), required=False),
                rating_field(name="opponent", label=_("Opponent’s rating"), required=False),
                _table_field("step", _("Steps of the table"), usual.TABLE_STEP),
                _table_field("limit", _("End of the table"), usual.TABLE_END),
            ),
            source=_elo(),
            example="rating=1500&opponent=1700",
        ),
        solve=solve_expected,
        record=ExpectedScores | tuple[ExpectedRow, ...],
        blamed="step",
    )


def change() -> Calculator:
    """What one game changes."""
    return Calculator(
        form=CalculatorForm(
            name="change",
            title=_("One game"),
            summary=_("What one game changes, for both players, with any K."),
            fields=(
                rating_field(),
                rating_field(name="opponent", label=_("Opponent’s rating")),
                CalculatorField(
                    name="result",
                    kind="choice",
                    label=_("Result"),
                    help=_("Left open, all three are shown."),
                    choices=(("1", _("win")), ("½", _("draw")), ("0", _("loss"))),
                ),
                k_field(),
                CalculatorField(
                    name="opponent_k",
                    aside=True,
                    kind="number",
                    label=_("Opponent’s K"),
                    help=_("If it is another one."),
                    unit=_("points"),
                    minimum=0,
                    maximum=1000,
                ),
            ),
            source=_elo(),
            example="rating=1500&opponent=1700&result=1&k=20",
        ),
        solve=_solve_change_as_chosen,
        record=tuple[GameChange, ...],
        blamed="k",
    )


def period() -> Calculator:
    """What a list of games changes."""
    return Calculator(
        form=CalculatorForm(
            name="period",
            title=_("Several games"),
            summary=_("As one rating period, or one game after another, with any K."),
            fields=(
                rating_field(),
                games_field(),
                k_field(),
                CalculatorField(
                    name="one_after_another",
                    kind="switch",
                    label=_("One after another"),
                    help=_("Count each game from the rating that the one before it left."),
                ),
                CalculatorField(
                    name="cap",
                    aside=True,
                    kind="number",
                    label=_("Largest difference"),
                    help=_("A larger difference counts as this one."),
                    unit=_("points"),
                    minimum=0,
                    maximum=5000,
                ),
            ),
            source=_elo(),
            example="rating=1500&games=1400:1+1600:½+1550:0&k=20",
        ),
        solve=solve_period,
        record=PeriodChange,
        blamed="k",
    )


def solve_expected(
    *, rating: float | None, opponent: float | None, step: int, limit: int
) -> Solution:
    """The expected scores of two ratings; with one of them or none the whole table.

    `step` and `limit` are the table's, in points.
    """
    if rating is None or opponent is None:
        rows = expected_table(step, limit)
        return Solution(
            question="expected-table",
            asked={"step": step, "limit": limit},
            record=rows,
            answer=expected_table_answer(rows),
        )
    found = expected_score(rating, opponent)
    return Solution(
        question="expected",
        asked={"rating": rating, "opponent_rating": opponent},
        record=ExpectedScores(
            expected_score=found, opponent_expected_score=expected_score(opponent, rating)
        ),
        answer=expected_answer(rating, opponent, found),
    )


def solve_change(
    *, rating: float, opponent: float, score: float | None, k: float, opponent_k: float | None
) -> Solution:
    """What a game with this score changes, or each of the three; `opponent_k` if it is not `k`."""
    scores = (1.0, 0.5, 0.0) if score is None else (score,)
    k_other = k if opponent_k is None else opponent_k
    changes = [(made, *both_changes(rating, opponent, made, k, k_other)) for made in scores]
    record = tuple(
        GameChange(
            score=made,
            change=mine,
            rating_after=rating + mine,
            opponent_change=theirs,
            opponent_rating_after=opponent + theirs,
        )
        for made, mine, theirs in changes
    )
    return Solution(
        question="change",
        asked={"rating": rating, "opponent_rating": opponent, "k": k, "opponent_k": k_other},
        record=record,
        answer=change_answer(rating, opponent, changes),
    )


def solve_period(
    *,
    rating: float,
    games: tuple[Played, ...],
    k: float,
    one_after_another: bool,
    cap: float | None,
) -> Solution:
    """What a list of games changes; a difference above `cap` points counts as `cap`."""
    count = logistic.one_after_another if one_after_another else logistic.as_rating_period
    found = count(rating, games, k, max_difference=cap)
    return Solution(
        question="period",
        asked={"k": k, "one_after_another": one_after_another, "max_difference": cap},
        record=found,
        answer=period_answer(found, one_after_another=one_after_another),
    )


def _elo() -> RuleSource:
    return RuleSource(text="Elo, The Rating of Chessplayers, Past and Present (1978), 1.6, 8.4")


def _table_field(name: str, label: str, default: int) -> CalculatorField:
    return CalculatorField(
        name=name,
        kind="whole",
        label=label,
        unit=_("points"),
        default=f"{default}",
        minimum=1,
        maximum=logistic.LARGEST_TABLE_DIFFERENCE,
        aside=True,
    )


def _solve_change_as_chosen(
    *, rating: float, opponent: float, result: str | None, k: float, opponent_k: float | None
) -> Solution:
    score = None if result is None else parse_score(result, where=_("Result"))
    return solve_change(rating=rating, opponent=opponent, score=score, k=k, opponent_k=opponent_k)
