"""Fields that several calculators ask for."""

from __future__ import annotations

from config.language import _
from pipeline.calculators.limits import HIGHEST_RATING
from pipeline.elo import usual
from pipeline.elo.lichess_glicko2 import PERFS
from reports.calculator_form import CalculatorField


def rating_field(
    *,
    name: str = "rating",
    label: str = "",
    about: str = "",
    required: bool = True,
    whole: bool = False,
    aside: bool = False,
) -> CalculatorField:
    """A rating, `whole` as FIDE's are; without a label one's own before the games."""
    return CalculatorField(
        name=name,
        kind="whole" if whole else "rating",
        label=label or _("Your rating"),
        help=about or ("" if label else _("The rating before the games.")),
        unit=_("points"),
        required=required,
        minimum=0,
        maximum=HIGHEST_RATING,
        aside=aside,
    )


def games_field() -> CalculatorField:
    """Opponents' ratings and results."""
    return CalculatorField(
        name="games",
        kind="games",
        label=_("Games"),
        help=_(
            "The opponent’s rating and your result, such as 1800:1 1750:½ 1900:0; beside each "
            "other or one a line."
        ),
        required=True,
    )


def glicko_games_field() -> CalculatorField:
    """The same, where an opponent's deviation may stand after a stroke."""
    return CalculatorField(
        name="games",
        kind="glicko_games",
        label=_("Games"),
        help=_(
            "The opponent’s rating, after a stroke the rating deviation if you know it, and your "
            "result: 1400/30:1 1550/100:0."
        ),
        required=True,
    )


def k_field() -> CalculatorField:
    """K of plain Elo."""
    return CalculatorField(
        name="k",
        kind="number",
        label=_("K"),
        help=_("Points that a whole game is worth."),
        unit=_("points"),
        default=f"{usual.K:g}",
        minimum=0,
        maximum=1000,
    )


def date_field(*, aside: bool = False) -> CalculatorField:
    """The day whose rules hold."""
    return CalculatorField(
        name="on",
        kind="date",
        label=_("Day"),
        help=_("The day whose rules hold; empty: today."),
        aside=aside,
    )


def perf_field(*, about: str = "", aside: bool = False) -> CalculatorField:
    """What Lichess keeps a rating for."""
    return CalculatorField(
        name="perf",
        kind="choice",
        label=_("Speed or variant"),
        help=about,
        default="blitz",
        choices=tuple((perf, perf) for perf in PERFS),
        aside=aside,
    )


def prior_games_field(*, about: str, aside: bool = False) -> CalculatorField:
    """Games before an event of US Chess."""
    return CalculatorField(
        name="prior_games",
        kind="whole",
        label=_("Games before"),
        help=about,
        default=f"{usual.PRIOR_GAMES}",
        minimum=0,
        maximum=100_000,
        aside=aside,
    )


def deviation_field(
    *, name: str, label: str, about: str, default: str = "", aside: bool = False
) -> CalculatorField:
    """A rating deviation of Glicko's systems."""
    return CalculatorField(
        name=name,
        kind="number",
        label=label,
        help=about,
        unit=_("points"),
        default=default,
        minimum=1,
        maximum=1000,
        aside=aside,
    )
