"""What results and ratings are worth, as calculators: performance, conversion."""

from __future__ import annotations

from dataclasses import dataclass

from config.language import _
from pipeline.elo.convert import SCALES, Conversion
from pipeline.elo.convert import convert as converted
from pipeline.elo.expected import expected_score
from pipeline.elo.luck import score_luck
from pipeline.elo.performance_kinds import PerformanceKinds, performance_kinds
from pipeline.elo.played import Played
from pipeline.records import NoEstimate, ScoreLuck
from pipeline.web.calculator import Calculator, Solution
from pipeline.web.calculator_usual import games_field, rating_field
from reports.elo_view_answers import conversion_answer, performance_answer
from reports.web_calculators import CalculatorField, CalculatorForm, RuleSource
from reports.words import scale_name


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
        default="80",
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
        solve=_solve_performance,
        record=PerformanceRecord,
        blamed="games",
    )


def convert() -> Calculator:
    """A rating on another scale."""
    scales = tuple((scale, scale_name(scale)) for scale in SCALES)
    return Calculator(
        form=CalculatorForm(
            name="convert",
            title=_("Another scale"),
            summary=_("A rating of one site or federation on the scale of another: a range."),
            fields=(
                rating_field(about=_("The rating to convert.")),
                CalculatorField(
                    name="from",
                    kind="choice",
                    label=_("From"),
                    default="chesscom_blitz",
                    choices=scales,
                ),
                CalculatorField(
                    name="to", kind="choice", label=_("To"), default="lichess_blitz", choices=scales
                ),
            ),
            source=RuleSource(text=_("Comparisons of players’ ratings, named with the answer")),
            example="rating=1500&from=chesscom_blitz&to=lichess_blitz",
        ),
        solve=_solve_convert,
        record=Conversion | NoEstimate,
        blamed="to",
    )


def _solve_performance(
    *, games: tuple[Played, ...], rating: float | None, coverage: float
) -> Solution:
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


def _solve_convert(*, rating: float, to: str, **others: str) -> Solution:
    # `from` is a word of Python's own, and no name for a parameter.
    from_scale = others["from"]
    found = converted(rating, from_scale=from_scale, to_scale=to)
    return Solution(
        question="convert",
        asked={"rating": rating, "from_scale": from_scale, "to_scale": to},
        record=found,
        answer=conversion_answer(found, rating=rating, from_scale=from_scale, to_scale=to),
    )
