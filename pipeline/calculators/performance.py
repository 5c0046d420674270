"""What results are worth, as a calculator: performance ratings of one list."""

from __future__ import annotations

from dataclasses import dataclass

from config.language import _
from pipeline.calculators.calculator import Calculator, Solution
from pipeline.calculators.usual_fields import games_field, rating_field
from pipeline.elo import usual
from pipeline.elo.expected import expected_score
from pipeline.elo.luck import score_luck
from pipeline.elo.performance_kinds import PerformanceKinds, performance_kinds
from pipeline.elo.played import Played
from pipeline.records import ScoreLuck
from reports.calculator_form import CalculatorField, CalculatorForm, RuleSource
from reports.elo_view_answers import performance_answer


@dataclass(frozen=True, slots=True, kw_only=True)
class PerformanceRecord:
    """Every performance rating of a list; expected score and luck need a rating of one's own."""

    performance: PerformanceKinds
    expected_score: float | None
    luck: ScoreLuck | None


def performance() -> Calculator:
    """Performance ratings of one list."""
    own = rating_field(about=_("It adds the expected score and luck."), required=False)
    coverage = CalculatorField(
        name="coverage",
        aside=True,
        kind="number",
        label=_("Coverage"),
        help=_("What the range is to hold."),
        unit="%",
        default=f"{usual.COVERAGE_PERCENT:g}",
        minimum=1,
        maximum=99,
    )
    return Calculator(
        form=CalculatorForm(
            name="performance",
            title=_("Performance rating"),
            summary=_("With its range, beside the older formulas."),
            fields=(games_field(), own, coverage),
            source=RuleSource(
                text=_(
                    "Likelihood with Jeffreys’ prior (Firth, Biometrika 80, 1993); FIDE handbook "
                    "B.02, table 8.1.1"
                ),
                url="https://handbook.fide.com/chapter/B022024",
            ),
            example="games=1600:1+1550:½+1650:0&rating=1500&coverage=90",
        ),
        solve=solve_performance,
        record=PerformanceRecord,
        blamed="games",
    )


def solve_performance(
    *, games: tuple[Played, ...], rating: float | None, coverage: float
) -> Solution:
    """Every performance rating of the games; `coverage` is that of the range, in percent."""
    found = performance_kinds(games, coverage=coverage / 100)
    expected = luck = None
    if rating is not None:
        expectations = [expected_score(rating, game.opponent_rating) for game in games]
        expected = sum(expectations)
        luck = score_luck(expectations, [game.score for game in games])
    return Solution(
        question="performance",
        asked={"games": games, "rating": rating, "coverage": coverage / 100},
        record=PerformanceRecord(performance=found, expected_score=expected, luck=luck),
        answer=performance_answer(found, expected, luck),
    )
