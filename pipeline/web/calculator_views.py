"""What results and ratings are worth, as calculators: performance, conversion, target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from config.language import _, ngettext
from pipeline.elo import rating_after
from pipeline.elo.convert import SCALES, Conversion
from pipeline.elo.convert import convert as converted
from pipeline.elo.expected import expected_score
from pipeline.elo.luck import score_luck
from pipeline.elo.performance_kinds import PerformanceKinds, performance_kinds
from pipeline.elo.played import Played
from pipeline.elo.what_if import RatingAfter, ScoreNeeded, score_needed
from pipeline.records import NoEstimate, ScoreLuck
from pipeline.web.calculator import Calculator, Refused, Solution, Solved, beside
from pipeline.web.calculator_fields import MOST_GAMES
from pipeline.web.calculator_usual import (
    date_field,
    deviation_field,
    games_field,
    k_field,
    perf_field,
    prior_games_field,
    rating_field,
)
from reports.elo_view_answers import conversion_answer, performance_answer, target_answer
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
            unit=_("games"),
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
