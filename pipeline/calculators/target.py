"""What it takes to reach a rating, as a calculator, in any of the systems."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from config.language import _
from pipeline.calculators.calculator import Calculator, Solution, beside
from pipeline.calculators.limits import MOST_GAMES
from pipeline.calculators.systems import SYSTEMS
from pipeline.calculators.usual_fields import (
    date_field,
    deviation_field,
    k_field,
    perf_field,
    prior_games_field,
    rating_field,
)
from pipeline.elo import rating_after, usual
from pipeline.elo.what_if import RatingAfter, ScoreNeeded, score_needed
from pipeline.records import NoEstimate
from reports.calculator_form import CalculatorField, CalculatorForm, RuleSource
from reports.elo_view_answers import target_answer


def target() -> Calculator:
    """The score that a target takes."""
    return Calculator(
        form=CalculatorForm(
            name="target",
            title=_("What it takes"),
            summary=_("The score that takes a rating to a target, in any of the systems."),
            fields=(rating_field(), *_target_fields()),
            source=RuleSource(text=_("The rules of the system that is chosen")),
            example="rating=1900&target=1920&opponents=1850+1950+2000&k=20",
        ),
        solve=solve_target,
        record=ScoreNeeded | NoEstimate,
        blamed="opponents",
        dated=True,
    )


def _target_fields() -> tuple[CalculatorField, ...]:
    return (
        rating_field(name="target", label=_("Target"), about=_("The rating to reach.")),
        CalculatorField(
            name="opponents",
            kind="ratings",
            label=_("Opponents’ ratings"),
            help=_("Such as 1850 1950 2000."),
            required=True,
        ),
        CalculatorField(
            name="times",
            kind="whole",
            label=_("Games with each"),
            default="1",
            minimum=1,
            maximum=MOST_GAMES,
        ),
        CalculatorField(
            name="system",
            kind="choice",
            label=_("System"),
            default="elo",
            choices=tuple(SYSTEMS.items()),
        ),
        k_field(),
        date_field(aside=True),
        prior_games_field(about=_("For US Chess: games rated before."), aside=True),
        perf_field(about=_("For Lichess."), aside=True),
        deviation_field(
            name="rd",
            label=_("Deviation"),
            about=_("For Lichess: everybody’s."),
            default=f"{usual.DEVIATION:g}",
            aside=True,
        ),
    )


def solve_target(
    *,
    rating: float,
    target: float,
    opponents: list[float],
    times: int,
    system: str,
    k: float,
    on: date,
    prior_games: int,
    perf: str,
    rd: float,
) -> Solution:
    """The score that takes `rating` to `target` in as many games with each as `times` says.

    `system` is one of `SYSTEMS`; `k` is for elo and fide, `on` for `DATED_SYSTEMS`, `prior_games`
    for uscf, `perf` and everybody's deviation `rd` for lichess.
    """
    met = [opponent for _time in range(times) for opponent in opponents]
    with beside("on"):
        after = _rating_after(system, rating, k=k, on=on, prior_games=prior_games, perf=perf, rd=rd)
    found = score_needed(met, target, after)
    return Solution(
        question="target",
        asked={"rating": rating, "target": target, "system": system, "opponents": met, "k": k},
        record=found,
        answer=target_answer(found, system=system, rating=rating, games=len(met)),
    )


def _rating_after(
    system: str, rating: float, *, k: float, on: date, prior_games: int, perf: str, rd: float
) -> RatingAfter:
    makers: dict[str, Callable[[], RatingAfter]] = {
        "elo": lambda: rating_after.elo(rating, k=k),
        "fide": lambda: rating_after.fide(rating, k=k, on=on),
        "cma": lambda: rating_after.cma(rating),
        "cfc": lambda: rating_after.cfc(rating),
        "uscf": lambda: rating_after.uscf(rating, prior_games=prior_games, on=on),
        "lichess": lambda: rating_after.lichess(rating, deviation=rd, perf=perf),
    }
    return makers[system]()
