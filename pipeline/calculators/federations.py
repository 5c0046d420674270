"""National federations as calculators: Échecs et Maths, Canada, the United States, Quebec."""

from __future__ import annotations

from datetime import date

from config.language import _
from pipeline.calculators.calculator import Calculator, Solution, beside
from pipeline.calculators.usual_fields import (
    date_field,
    games_field,
    prior_games_field,
    rating_field,
)
from pipeline.elo import cfc as canada
from pipeline.elo import echecs_maths, uschess
from pipeline.elo.cfc import CfcResult
from pipeline.elo.echecs_maths import CmaResult
from pipeline.elo.fqe import FORMULA_NOT_PUBLIC
from pipeline.elo.played import Played
from pipeline.elo.uschess import UsChessResult
from pipeline.records import NoEstimate
from reports.calculator_form import CalculatorField, CalculatorForm, RuleSource
from reports.elo_federation_answers import cfc_answer, cma_answer, fqe_answer, uscf_answer


def cma() -> Calculator:
    """One event of Échecs et Maths."""
    return Calculator(
        form=CalculatorForm(
            name="cma",
            title="CMA",
            summary=_("One event of the Association Échecs et Maths, in its parts."),
            fields=(rating_field(), games_field()),
            source=RuleSource(
                text=_("Échecs et Maths, scholastic rating"),
                url="https://www.chess-math.org/scholastic-rating",
            ),
            example="rating=600&games=575:1+600:1+625:0+650:1+675:½",
        ),
        solve=solve_cma,
        record=CmaResult,
        blamed="games",
    )


def cfc() -> Calculator:
    """One CFC event."""
    minutes = CalculatorField(
        name="minutes",
        aside=True,
        kind="number",
        label=_("Thinking time"),
        help=_("In quick chess, a player."),
        unit=_("minutes"),
        minimum=0,
        maximum=1000,
    )
    high = rating_field(
        name="highest",
        label=_("Highest rating"),
        about=_("Your all-time high, if it is above your rating."),
        required=False,
    )
    return Calculator(
        form=CalculatorForm(
            name="cfc",
            title="CFC",
            summary=_("One event of the Chess Federation of Canada, with its bonuses."),
            fields=(rating_field(), games_field(), high, minutes),
            source=RuleSource(
                text="chesscanada.info, 2506; annexchessclub.com, 2012-07",
            ),
            example="rating=1600&games=1700:1+1650:1+1500:1+1800:½&highest=1680",
        ),
        solve=solve_cfc,
        record=CfcResult,
        blamed="highest",
    )


def uscf() -> Calculator:
    """One US Chess event."""
    peak = rating_field(
        name="peak",
        label=_("Peak rating"),
        about=_("The highest established rating: it makes a floor."),
        required=False,
        aside=True,
    )
    before = prior_games_field(about=_("Games rated before this event."))
    return Calculator(
        form=CalculatorForm(
            name="uscf",
            title="US Chess",
            summary=_("One event: the formula for few or many games, bonus, floor."),
            fields=(rating_field(), games_field(), before, date_field(), peak),
            source=RuleSource(
                text="Glickman, Doan, The US Chess Rating system (2020-09-02)",
                url="http://www.glicko.net/ratings/approx.pdf",
            ),
            example="rating=1850&games=1900:1+2000:1+1700:1+1950:½&prior_games=60&on=2025-11-01",
        ),
        solve=solve_uscf,
        record=UsChessResult,
        blamed="games",
        dated=True,
    )


def fqe() -> Calculator:
    """Why there is no FQE calculation."""
    return Calculator(
        form=CalculatorForm(
            name="fqe",
            title="FQE",
            summary=_("What is known of the Fédération québécoise des échecs."),
            fields=(),
            source=RuleSource(text="fqechecs.qc.ca", url="https://fqechecs.qc.ca/calculateur"),
            example="",
        ),
        solve=solve_fqe,
        record=NoEstimate,
    )


def solve_cma(*, rating: float, games: tuple[Played, ...]) -> Solution:
    """One event of Échecs et Maths."""
    found = echecs_maths.new_rating(rating, games)
    answer = cma_answer(found, len(games))
    return Solution(question="cma", asked={"games": games}, record=found, answer=answer)


def solve_cfc(
    *, rating: float, games: tuple[Played, ...], highest: float | None, minutes: float | None
) -> Solution:
    """One CFC event; `highest` is the all-time high, `minutes` a player's time in quick chess."""
    with beside("minutes"):
        canada.k_factor(rating, minutes_per_game=minutes)
    found = canada.new_rating(rating, games, all_time_high=highest, minutes_per_game=minutes)
    return Solution(
        question="cfc",
        asked={"games": games, "highest": highest, "minutes": minutes},
        record=found,
        answer=cfc_answer(found, len(games)),
    )


def solve_uscf(
    *, rating: float, games: tuple[Played, ...], prior_games: int, on: date, peak: float | None
) -> Solution:
    """One US Chess event on a day; the highest established rating, `peak`, makes a floor."""
    with beside("peak"):
        floor = None if peak is None else uschess.peak_floor(peak)
    with beside("on"):
        threshold = uschess.bonus_threshold_on(on)
    found = uschess.new_rating(rating, games, prior_games=prior_games, bonus_threshold=threshold)
    return Solution(
        question="uscf",
        asked={"games": games, "on": on, "bonus_threshold": threshold, "floor": floor},
        record=found,
        answer=uscf_answer(found, len(games), bonus_threshold=threshold, floor=floor),
    )


def solve_fqe() -> Solution:
    """Why there is no answer."""
    return Solution(
        question="fqe",
        asked={},
        record=NoEstimate(reason=FORMULA_NOT_PUBLIC),
        answer=fqe_answer(),
    )
