"""Glicko's systems as calculators: Glicko-1, and Glicko-2 as Lichess counts."""

from __future__ import annotations

from config.language import _
from engines.evals import Color
from pipeline.calculators.calculator import Calculator, Solution
from pipeline.calculators.game_lines import GameLines
from pipeline.calculators.usual_fields import (
    deviation_field,
    glicko_games_field,
    perf_field,
    rating_field,
)
from pipeline.elo import usual
from pipeline.elo.game_list import parse_glicko_games
from pipeline.elo.glicko1 import GlickoGame, GlickoRating, update
from pipeline.elo.glicko2 import Glicko2Rating
from pipeline.elo.lichess_games import LichessGames, lichess_games
from pipeline.elo.lichess_glicko2 import live_deviation
from reports.calculator_form import CalculatorField, CalculatorForm, RuleSource
from reports.elo_glicko_answers import glicko1_answer, lichess_answer


def glicko1() -> Calculator:
    """One Glicko-1 rating period."""
    return Calculator(
        form=CalculatorForm(
            name="glicko1",
            title="Glicko-1",
            summary=_("Chess.com’s family: all games as one rating period."),
            fields=(rating_field(), *_glicko1_fields()),
            source=RuleSource(
                text="Glickman, The Glicko system", url="http://www.glicko.net/glicko/glicko.pdf"
            ),
            example="rating=1500&rd=200&games=1400/30:1+1550/100:0+1700/300:0",
        ),
        solve=solve_glicko1,
        record=GlickoRating,
        blamed="games",
    )


def glicko2() -> Calculator:
    """Rated Lichess games."""
    return Calculator(
        form=CalculatorForm(
            name="glicko2",
            title=_("Glicko-2, as Lichess counts"),
            summary=_("Rated Lichess games one after another."),
            fields=(rating_field(), glicko_games_field(), *_glicko2_fields()),
            source=RuleSource(
                text="Glickman, Example of the Glicko-2 system (2022); Lichess, scalachess rating/",
                url="http://www.glicko.net/glicko/glicko2.pdf",
            ),
            example="rating=1500&games=1520:1+1480/90:½&rd=75&color=white",
        ),
        solve=solve_glicko2,
        record=LichessGames,
        blamed="games",
    )


def _glicko1_fields() -> tuple[CalculatorField, ...]:
    return (
        CalculatorField(
            name="rd",
            kind="number",
            label=_("Deviation"),
            help=_("The rating deviation before the games."),
            unit=_("points"),
            required=True,
            minimum=1,
            maximum=1000,
        ),
        glicko_games_field(),
        deviation_field(
            name="opponent_rd",
            label=_("Opponents’ deviation"),
            about=_("For opponents written without one."),
        ),
        CalculatorField(
            name="c",
            aside=True,
            kind="number",
            label=_("c"),
            help=_("Growth of the deviation with time."),
            minimum=0,
            maximum=1000,
        ),
        CalculatorField(
            name="periods",
            aside=True,
            kind="number",
            label=_("Rating periods"),
            help=_("Since the last game."),
            default="0",
            minimum=0,
            maximum=100_000,
        ),
    )


def _glicko2_fields() -> tuple[CalculatorField, ...]:
    return (
        deviation_field(
            name="rd",
            label=_("Deviation"),
            about=_("Your rating deviation; Lichess shows it on your page of the speed."),
            default=f"{usual.DEVIATION:g}",
        ),
        CalculatorField(
            name="volatility",
            aside=True,
            kind="number",
            label=_("Volatility"),
            default=f"{usual.VOLATILITY:g}",
            minimum=0.001,
            maximum=1,
        ),
        deviation_field(
            name="opponent_rd",
            label=_("Opponents’ deviation"),
            about=_("For opponents written without one."),
            default=f"{usual.DEVIATION:g}",
        ),
        CalculatorField(
            name="days",
            aside=True,
            kind="number",
            label=_("Since your last game"),
            unit=_("days"),
            default="0",
            minimum=0,
            maximum=100_000,
        ),
        CalculatorField(
            name="color",
            kind="choice",
            label=_("Your colour"),
            choices=(("white", _("White")), ("black", _("Black"))),
        ),
        perf_field(),
    )


def solve_glicko1(
    *,
    rating: float,
    rd: float,
    games: GameLines,
    opponent_rd: float | None,
    c: float | None,
    periods: float,
) -> Solution:
    """One rating period after `periods` without games, for which `c` is needed.

    `opponent_rd` is the deviation of opponents written without one.
    """
    before, played = GlickoRating(rating=rating, deviation=rd), _played(games, opponent_rd)
    found = update(rating, rd, played, c=c, periods=periods)
    return Solution(
        question="glicko1",
        asked={"before": before, "games": played, "c": c, "periods": periods},
        record=found,
        answer=glicko1_answer(before, found, len(played)),
    )


def solve_glicko2(
    *,
    rating: float,
    games: GameLines,
    rd: float,
    volatility: float,
    opponent_rd: float,
    days: float,
    color: Color | None,
    perf: str,
) -> Solution:
    """Rated Lichess games one after another, the first one `days` after the last before.

    `opponent_rd` is the deviation of opponents written without one.
    """
    live = live_deviation(rd, volatility, days)
    before = Glicko2Rating(rating=rating, deviation=live, volatility=volatility)
    found = lichess_games(before, _played(games, opponent_rd), perf=perf, color=color)
    return Solution(
        question="glicko2",
        asked={"rd": rd, "volatility": volatility, "days": days, "opponent_rd": opponent_rd},
        record=found,
        answer=lichess_answer(found, days=days),
    )


def _played(games: GameLines, deviation: float | None) -> tuple[GlickoGame, ...]:
    return parse_glicko_games(
        games.lines, opponent_deviation=deviation, where=games.where, unit=games.unit
    )
