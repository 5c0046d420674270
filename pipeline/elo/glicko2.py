"""Glicko-2: rating, deviation and volatility after one rating period.

Source: Glickman, *Example of the Glicko-2 system* (2022, glicko.net/glicko/glicko2.pdf), steps 2
to 8, with the elapsed periods of step 6 as a fraction, as Lichess uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, isfinite, log, pi, sqrt

from config.errors import InputError
from config.language import _
from pipeline.elo.glicko1 import (
    GlickoGame,
    check_deviation,
    check_glicko_games,
    check_glicko_rating,
)

SCALE = 173.7178
"""Points of rating in one unit of the internal scale."""

_ORIGIN = 1500.0
_CONVERGED = 1e-6
_MAX_ITERATIONS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Glicko2Rating:
    """Rating and deviation in points; volatility per period on the internal scale."""

    rating: float
    deviation: float
    volatility: float


def update(
    player: Glicko2Rating,
    games: Sequence[GlickoGame],
    *,
    tau: float,
    elapsed_periods: float = 1.0,
) -> Glicko2Rating:
    """The player after a period with `games`, each opponent as before the period.

    `tau` (0.3 to 1.2) constrains the change of volatility. `elapsed_periods` is 1 in the paper;
    Lichess grows the deviation beforehand and passes 0. InputError for an empty list and for
    impossible numbers, naming the game by its place.
    """
    check_player(player)
    check_glicko_games(games)
    _check_dials(tau, elapsed_periods)
    phi = player.deviation / SCALE
    variance, surprise = _estimates(player.rating, games)
    volatility = new_volatility(
        phi=phi,
        volatility=player.volatility,
        variance=variance,
        delta=variance * surprise,
        tau=tau,
    )
    # Step 6 and 7: time makes less certain, games make more certain.
    phi_star_squared = phi**2 + elapsed_periods * volatility**2
    phi_squared = 1 / (1 / phi_star_squared + 1 / variance)
    return Glicko2Rating(
        rating=player.rating + SCALE * phi_squared * surprise,
        deviation=SCALE * sqrt(phi_squared),
        volatility=volatility,
    )


def variance_and_delta(rating: float, games: Sequence[GlickoGame]) -> tuple[float, float]:
    """Steps 3 and 4, on the internal scale: v, the games' variance, and Δ, the improvement."""
    variance, surprise = _estimates(rating, games)
    return variance, variance * surprise


def new_volatility(
    *, phi: float, volatility: float, variance: float, delta: float, tau: float
) -> float:
    """σ′ of step 5 by the Illinois algorithm, to 1e-6; everything on the internal scale."""
    a = log(volatility**2)

    def f(x: float) -> float:
        spread = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - a) / tau**2

    return exp(_illinois(f, a, _other_end(f, a, phi, variance, delta, tau)) / 2)


def g(phi: float) -> float:
    """The weight, 0 to 1, of a game against an opponent of deviation `phi` (internal scale)."""
    return 1 / sqrt(1 + 3 * (phi / pi) ** 2)


def expectation(rating: float, opponent_rating: float, opponent_deviation: float) -> float:
    """E of step 3: the expected score, 0 to 1; ratings and deviation in points."""
    weight = g(opponent_deviation / SCALE)
    return 1 / (1 + exp(-weight * (rating - opponent_rating) / SCALE))


def check_player(player: Glicko2Rating) -> None:
    """InputError unless rating, deviation and volatility are possible."""
    check_glicko_rating(player.rating)
    check_deviation(player.deviation)
    if not 0 < player.volatility <= 1:
        raise InputError(
            _("The volatility must be above 0 and at most 1, and it is {volatility}.").format(
                volatility=f"{player.volatility:g}"
            )
        )


def _estimates(rating: float, games: Sequence[GlickoGame]) -> tuple[float, float]:
    information = surprise = 0.0
    for game in games:
        weight = g(game.opponent_deviation / SCALE)
        own = expectation(rating, game.opponent_rating, game.opponent_deviation)
        # The opponent's expectation keeps its digits where 1 - E would lose them.
        other = expectation(game.opponent_rating, rating, game.opponent_deviation)
        information += weight**2 * own * other
        surprise += weight * (game.score - own)
    return 1 / information, surprise


def _other_end(
    f: Callable[[float], float], a: float, phi: float, variance: float, delta: float, tau: float
) -> float:
    if delta**2 > phi**2 + variance:
        return log(delta**2 - phi**2 - variance)
    steps = 1
    while f(a - steps * tau) < 0:
        steps += 1
    return a - steps * tau


def _illinois(f: Callable[[float], float], start: float, end: float) -> float:
    f_start, f_end = f(start), f(end)
    for _step in range(_MAX_ITERATIONS):
        if abs(end - start) <= _CONVERGED:
            break
        middle = start + (start - end) * f_start / (f_end - f_start)
        f_middle = f(middle)
        if f_middle * f_end <= 0:
            start, f_start = end, f_end
        else:
            f_start /= 2
        end, f_end = middle, f_middle
    return start


def _check_dials(tau: float, elapsed_periods: float) -> None:
    if not (isfinite(tau) and tau > 0):
        raise InputError(
            _("Glicko-2's tau must be a number above 0, and it is {tau}.").format(tau=f"{tau:g}")
        )
    if not (isfinite(elapsed_periods) and elapsed_periods >= 0):
        raise InputError(
            _(
                "The elapsed rating periods must be 0 or more, and they are {elapsed_periods}."
            ).format(elapsed_periods=f"{elapsed_periods:g}")
        )
