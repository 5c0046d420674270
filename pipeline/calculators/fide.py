"""FIDE's rules as calculators: a rating period, a first rating."""

from __future__ import annotations

from datetime import date
from typing import Any

from config.language import _
from pipeline.calculators.calculator import Calculator, Solution, beside
from pipeline.calculators.usual_fields import date_field, games_field, rating_field
from pipeline.elo import fide as rules_of_fide
from pipeline.elo.fide import FidePeriod, FirstRating, TimeControl
from pipeline.elo.fide_k import NEW_PLAYER_GAMES
from pipeline.elo.played import Played, total_score
from pipeline.records import NoEstimate
from reports.calculator_form import CalculatorField, CalculatorForm, RuleSource
from reports.elo_federation_answers import fide_answer, fide_first_answer


def fide() -> Calculator:
    """One FIDE rating period."""
    return Calculator(
        form=CalculatorForm(
            name="fide",
            title="FIDE",
            summary=_("One rating period: tables, K, the rules of 400 and 700, by date."),
            fields=(rating_field(whole=True), games_field(), date_field(), *_fide_fields()),
            source=_handbook(),
            example="rating=1900&games=1850:1+2010:½+2400:0&on=2025-11-01",
        ),
        solve=_solve_as_chosen,
        record=FidePeriod,
        blamed="games",
        dated=True,
    )


def fide_first() -> Calculator:
    """A first FIDE rating."""
    return Calculator(
        form=CalculatorForm(
            name="fide-first",
            title=_("First FIDE rating"),
            summary=_("From games against rated opponents."),
            fields=(games_field(), date_field()),
            source=_handbook(),
            example="games=1900:1+1850:½+1700:1+2000:0+1650:1&on=2025-11-01",
        ),
        solve=solve_fide_first,
        record=FirstRating | NoEstimate,
        blamed="games",
        dated=True,
    )


def _handbook() -> RuleSource:
    return RuleSource(
        text=_("FIDE Rating Regulations (handbook B.02)"),
        url="https://handbook.fide.com/chapter/B022024",
    )


def _fide_fields() -> tuple[CalculatorField, ...]:
    return (
        CalculatorField(
            name="control",
            kind="choice",
            label=_("List"),
            help=_("FIDE keeps three, each with a rating of its own."),
            default="standard",
            choices=(
                ("standard", _("standard")),
                ("rapid", _("rapid")),
                ("blitz", _("blitz")),
            ),
        ),
        CalculatorField(
            name="k",
            aside=True,
            kind="choice",
            label=_("K"),
            help=_("Left open, it follows the rules from what stands below."),
            choices=(("40", "40"), ("20", "20"), ("10", "10")),
        ),
        *_fields_for_k(),
    )


def _fields_for_k() -> tuple[CalculatorField, ...]:
    return (
        CalculatorField(
            name="born",
            aside=True,
            kind="whole",
            label=_("Year of birth"),
            help=_("For K."),
            minimum=1900,
            maximum=9999,
        ),
        rating_field(
            name="highest",
            label=_("Highest rating"),
            about=_("The highest published one, for K."),
            required=False,
            whole=True,
            aside=True,
        ),
        CalculatorField(
            name="games_played",
            aside=True,
            kind="whole",
            label=_("Games rated before"),
            help=_("For K."),
            minimum=0,
            maximum=100_000,
        ),
    )


def solve_fide(
    *,
    rating: float,
    games: tuple[Played, ...],
    on: date,
    control: TimeControl,
    k: int | None,
    born: int | None,
    highest: float | None,
    games_played: int | None,
) -> Solution:
    """One rating period by the rules of the day; without `k` it follows from what is known.

    `born` is a year, `highest` the highest published rating. A player whose number of rated games
    is not told counts as experienced.
    """
    with beside("on"):
        rules = rules_of_fide.rules_on(on)
    with beside("born" if highest is None else "highest"):
        by_rules = rules_of_fide.k_factor(
            rating=rating,
            highest_published_rating=highest,
            games_played=NEW_PLAYER_GAMES if games_played is None else games_played,
            birth_year=born,
            on=on,
            control=control,
        )
    used_k = by_rules if k is None else k
    found = rules_of_fide.period_change(rating, [games], k=used_k, rules=rules, control=control)
    supposed = k is None and games_played is None
    return Solution(
        question="fide",
        asked={"on": on, "control": control, "k": k, "born": born, "games_played": games_played},
        record=found,
        answer=fide_answer(found, rules=rules, control=control, supposed_experienced=supposed),
    )


def solve_fide_first(*, games: tuple[Played, ...], on: date) -> Solution:
    """A first rating by the rules of the day."""
    with beside("on"):
        rules = rules_of_fide.rules_on(on)
    opponents = [game.opponent_rating for game in games]
    found = rules_of_fide.first_rating(opponents, total_score(games), rules)
    return Solution(
        question="fide-first",
        asked={"on": on},
        record=found,
        answer=fide_first_answer(found, rules),
    )


def _solve_as_chosen(*, control: TimeControl, k: str | None, **others: Any) -> Solution:
    return solve_fide(control=control, k=None if k is None else int(k), **others)
