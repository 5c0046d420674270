"""What it takes to reach a rating, as a calculator, in any of the systems."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from config.language import _, ngettext
from pipeline.elo import rating_after
from pipeline.elo.what_if import RatingAfter, ScoreNeeded, score_needed
from pipeline.records import NoEstimate
from pipeline.web.calculator import Calculator, Refused, Solution, Solved, beside
from pipeline.web.calculator_fields import MOST_GAMES
from pipeline.web.calculator_usual import (
    date_field,
    deviation_field,
    k_field,
    perf_field,
    prior_games_field,
    rating_field,
)
from reports.elo_view_answers import target_answer
from reports.web_calculators import CalculatorField, CalculatorForm, RuleSource


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
        solve=_solve_target,
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
            choices=tuple(_systems().items()),
        ),
        k_field(),
        date_field(aside=True),
        prior_games_field(about=_("For US Chess: games rated before."), aside=True),
        perf_field(about=_("For Lichess."), aside=True),
        deviation_field(
            name="rd",
            label=_("Deviation"),
            about=_("For Lichess: everybody’s."),
            default="60",
            aside=True,
        ),
    )


def _systems() -> dict[str, str]:
    return {
        "elo": "Elo",
        "fide": "FIDE",
        "cma": "CMA",
        "cfc": "CFC",
        "uscf": "US Chess",
        "lichess": "Lichess",
    }


def _solve_target(
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
) -> Solved:
    if refused := _too_many(len(opponents) * times):
        return refused
    met = [opponent for _time in range(times) for opponent in opponents]
    with beside("on"):
        after = _rating_after(system, rating, k=k, on=on, prior_games=prior_games, perf=perf, rd=rd)
    found = score_needed(met, target, after)
    return Solution(
        question="target",
        asked={
            "rating": rating,
            "target": target,
            "system": system,
            "opponents": met,
            "k": k,
        },
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


def _too_many(games: int) -> Refused | None:
    if games <= MOST_GAMES:
        return None
    sentence = ngettext(
        "At most {count} game at once, and there are {number}: take fewer.",
        "At most {count} games at once, and there are {number}: take fewer.",
        MOST_GAMES,
    )
    return Refused(errors={"times": sentence.format(count=MOST_GAMES, number=games)})
