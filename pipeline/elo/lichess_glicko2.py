"""Lichess's ratings: Glicko-2 after every game, with Lichess's bounds and adjustments.

Sources: scalachess `rating/` (GlickoCalculator, RatingCalculator, model, RatingRegulator), lila
`modules/rating/src/main/Glicko.scala` and `PerfsUpdater.scala`, as read in 2026. Each rated
game is its own rating period with no time in it; time only widens the deviation between games
(`live_deviation`). What Lichess shows is the rating without its fraction.
"""

from __future__ import annotations

from dataclasses import replace
from math import isfinite, sqrt

from config.errors import InputError
from config.language import _
from pipeline.elo.glicko1 import GlickoGame, check_deviation
from pipeline.elo.glicko2 import SCALE, Glicko2Rating, check_player, update
from pipeline.elo.played import check_score

TAU = 0.75
NEW_PLAYER = Glicko2Rating(rating=1500.0, deviation=500.0, volatility=0.09)
SMALLEST_DEVIATION = 45.0
LARGEST_DEVIATION = 500.0
LARGEST_VOLATILITY = 0.1
LOWEST_RATING = 400.0
HIGHEST_RATING = 4000.0
LARGEST_CHANGE = 700.0
PROVISIONAL_DEVIATION = 110.0
PERIODS_PER_DAY = 0.21436
"""Chosen by Lichess so that a typical deviation grows from 60 to 110 in a year."""

_SPEEDS = ("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence")
_VARIANTS = (
    *("chess960", "kingOfTheHill", "threeCheck", "antichess", "atomic"),
    *("horde", "racingKings", "crazyhouse"),
)
PERFS = (*_SPEEDS, *_VARIANTS)
"""Lichess's keys of everything that has a rating of its own."""

_COLOR_ADVANTAGES = dict.fromkeys(_SPEEDS, 11.782457) | {"crazyhouse": 20.30966}
_GAIN_FACTORS = {
    "ultraBullet": 1.013,
    "bullet": 1.010,
    "blitz": 1.005,
    "rapid": 1.015,
    "classical": 1.010,
    "antichess": 1.02,
    "atomic": 1.02,
}


def lichess_game(
    white: Glicko2Rating,
    black: Glicko2Rating,
    score_white: float,
    *,
    perf: str,
    white_is_bot: bool = False,
    black_is_bot: bool = False,
    color_advantage: float | None = None,
) -> tuple[Glicko2Rating, Glicko2Rating]:
    """White and Black after a rated game, from their live values before it.

    `perf` is one of `PERFS`. In order: both deviations are brought to 45 to 500; Glicko-2 with
    tau 0.75, White counting as `color_advantage` points stronger (None: as today, 11.78 in
    standard chess, 20.31 in crazyhouse; 0 before November 2025); a gain is multiplied by the
    perf's factor, a loss is not; a human who met a bot moves half the way; at most ±700; rating
    400 to 4000, deviation 45 to 500, volatility up to 0.1. Two readings of the gain factors
    differ for bullet and classical; the newer one is used. InputError for an unknown perf, a
    score other than 1, ½ or 0, and impossible ratings.
    """
    check_perf(perf)
    check_score(score_white, where=_("White's score"))
    advantage = _advantage(perf, color_advantage)
    before_white, before_black = _capped(_checked(white)), _capped(_checked(black))
    after_white = _after(before_white, before_black, score_white, perf, advantage)
    after_black = _after(before_black, before_white, 1 - score_white, perf, -advantage)
    if white_is_bot != black_is_bot:
        after_white = after_white if white_is_bot else _half_way(before_white, after_white)
        after_black = after_black if black_is_bot else _half_way(before_black, after_black)
    return _bounded(before_white, after_white), _bounded(before_black, after_black)


def live_deviation(rd: float, volatility: float, days: float) -> float:
    """The deviation `days` after the last rated game at this perf, 45 to 500 points.

    √(RD² + periods × volatility²) on Glicko-2's scale, 0.21436 periods a day. InputError for
    impossible numbers and for days below 0.
    """
    check_player(Glicko2Rating(rating=NEW_PLAYER.rating, deviation=rd, volatility=volatility))
    if not (isfinite(days) and days >= 0):
        raise InputError(
            _("The days since the last game must be 0 or more, not {days}.").format(
                days=f"{days:g}"
            )
        )
    grown = SCALE * sqrt((rd / SCALE) ** 2 + PERIODS_PER_DAY * days * volatility**2)
    return max(SMALLEST_DEVIATION, min(LARGEST_DEVIATION, grown))


def is_provisional(rd: float) -> bool:
    """Whether Lichess shows the rating with a question mark: a deviation of 110 or more."""
    check_deviation(rd)
    return rd >= PROVISIONAL_DEVIATION


def rating_diff(before: float, after: float) -> int:
    """`ratingDiff` of an export: the whole points shown after, less those shown before."""
    return int(after) - int(before)


def check_perf(perf: str) -> None:
    """InputError unless Lichess has a rating for `perf`."""
    if perf not in PERFS:
        raise InputError(
            _("Lichess has no rating for {perf}: give one of {perfs}.").format(
                perf=f"{perf!r}", perfs=", ".join(PERFS)
            )
        )


def _advantage(perf: str, color_advantage: float | None) -> float:
    if color_advantage is None:
        return _COLOR_ADVANTAGES.get(perf, 0.0)
    if not abs(color_advantage) <= LARGEST_CHANGE:
        raise InputError(
            _("White's advantage must be a few points, not {color_advantage}.").format(
                color_advantage=f"{color_advantage:g}"
            )
        )
    return color_advantage


def _after(
    own: Glicko2Rating, other: Glicko2Rating, score: float, perf: str, advantage: float
) -> Glicko2Rating:
    # Only the difference enters the expectation, so the whole advantage goes to one side of it.
    game = GlickoGame(other.rating - advantage, other.deviation, score)
    after = update(own, [game], tau=TAU, elapsed_periods=0.0)
    gain = after.rating - own.rating
    if gain <= 0:
        return after
    return replace(after, rating=own.rating + gain * _GAIN_FACTORS.get(perf, 1.0))


def _half_way(before: Glicko2Rating, after: Glicko2Rating) -> Glicko2Rating:
    return Glicko2Rating(
        rating=(before.rating + after.rating) / 2,
        deviation=(before.deviation + after.deviation) / 2,
        volatility=(before.volatility + after.volatility) / 2,
    )


def _bounded(before: Glicko2Rating, after: Glicko2Rating) -> Glicko2Rating:
    lowest, highest = before.rating - LARGEST_CHANGE, before.rating + LARGEST_CHANGE
    return _capped(replace(after, rating=max(lowest, min(highest, after.rating))))


def _capped(player: Glicko2Rating) -> Glicko2Rating:
    return Glicko2Rating(
        rating=max(LOWEST_RATING, min(HIGHEST_RATING, player.rating)),
        deviation=max(SMALLEST_DEVIATION, min(LARGEST_DEVIATION, player.deviation)),
        volatility=min(LARGEST_VOLATILITY, player.volatility),
    )


def _checked(player: Glicko2Rating) -> Glicko2Rating:
    check_player(player)
    if not LOWEST_RATING <= player.rating <= HIGHEST_RATING:
        raise InputError(
            _(
                "A Lichess rating lies between {lowest_rating} and {highest_rating}, and "
                "this one is {rating}."
            ).format(
                lowest_rating=f"{LOWEST_RATING:g}",
                highest_rating=f"{HIGHEST_RATING:g}",
                rating=f"{player.rating:g}",
            )
        )
    return player
