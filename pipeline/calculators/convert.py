"""A rating on another scale, as a calculator."""

from __future__ import annotations

from config.language import _
from pipeline.calculators.calculator import Calculator, Solution
from pipeline.calculators.usual_fields import rating_field
from pipeline.elo.convert import SCALES, Conversion
from pipeline.elo.convert import convert as converted
from pipeline.records import NoEstimate
from reports.calculator_form import CalculatorField, CalculatorForm, RuleSource
from reports.elo_view_answers import conversion_answer
from reports.terms import scale_name


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
        solve=_solve_as_named,
        record=Conversion | NoEstimate,
        blamed="to",
    )


def solve_convert(*, rating: float, from_scale: str, to_scale: str) -> Solution:
    """The rating of one scale as a range on another; both are names of `SCALES`."""
    found = converted(rating, from_scale=from_scale, to_scale=to_scale)
    return Solution(
        question="convert",
        asked={"rating": rating, "from_scale": from_scale, "to_scale": to_scale},
        record=found,
        answer=conversion_answer(found, rating=rating, from_scale=from_scale, to_scale=to_scale),
    )


def _solve_as_named(*, rating: float, to: str, **others: str) -> Solution:
    # `from` is a word of Python's own, and no name for a parameter.
    return solve_convert(rating=rating, from_scale=others["from"], to_scale=to)
