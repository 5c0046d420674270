"""Which of eight bands of 200 points were these twenty games played in?

Games of many players, drawn from one band: what a model is wrong about in one player averages
out, so that the test shows where its scale lies, and that it does not shrink to the middle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import TypeAlias

import numpy as np

from pipeline.records import Evidence
from pipeline.strength.aggregate import pooled_posterior
from pipeline.strength.grid import RATINGS, quantile
from pipeline.strength.measured import Measured
from pipeline.strength.reading import Reading

Sides: TypeAlias = tuple[Evidence, ...]
"""What is drawn at once: a game's two sides, or one side."""

LOWEST, WIDTH, BANDS = 1000, 200, 8
GAMES_PER_DRAW = 20
DRAWS_PER_BAND = 200
SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BandResult:
    """One band: how much there was to draw from, and how many draws were exact (0 to 1).

    `exact` is None where the test could not be made.
    """

    band: tuple[int, int]
    available: int
    exact: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BandTest:
    """How often (0 to 1) the estimate from 20 games of a band fell into that band.

    A draw is of 20 games whose two players were both evaluated and are in the band, or, with
    `both_players` False, where some band has too few of those (one of two players is seldom
    held out with the other), of 40 player-games: as many sides. `exact` is None when some band
    has too few even of these. Draws overlap, so that its standard error counts only as many as
    there are disjoint ones, with one more success and one more failure (Agresti and Coull,
    1998).
    """

    speed: str
    both_players: bool
    sides_per_draw: int
    draws_per_band: int
    seed: int
    exact: Measured | None
    bands: tuple[BandResult, ...]


def exact_band_of_eight(readings: Sequence[Reading], *, speed: str) -> BandTest:
    """`readings` are of one speed. A median beyond the eight bands counts for the nearest."""
    games = {band: list(_games_within(readings, band)) for band in _bands()}
    both = min(map(len, games.values())) >= GAMES_PER_DRAW
    size = GAMES_PER_DRAW if both else 2 * GAMES_PER_DRAW
    if not both:
        games = {band: [(side,) for side in _sides_within(readings, band)] for band in _bands()}
    enough = min(map(len, games.values())) >= size
    random = np.random.default_rng(SEED)
    results = tuple(
        BandResult(
            band=band,
            available=len(found),
            exact=_exact(found, band, size, random) if enough else None,
        )
        for band, found in games.items()
    )
    return BandTest(
        speed=speed,
        both_players=both,
        sides_per_draw=2 * GAMES_PER_DRAW,
        draws_per_band=DRAWS_PER_BAND,
        seed=SEED,
        exact=_overall(results, size),
        bands=results,
    )


def band_of_eight(rating: float) -> tuple[int, int]:
    """The band that holds `rating`, or the nearest one."""
    number = min(max(int((rating - LOWEST) // WIDTH), 0), BANDS - 1)
    return LOWEST + WIDTH * number, LOWEST + WIDTH * (number + 1)


def _bands() -> list[tuple[int, int]]:
    return [band_of_eight(LOWEST + WIDTH * number) for number in range(BANDS)]


def _games_within(readings: Sequence[Reading], band: tuple[int, int]) -> Iterator[Sides]:
    """Both sides' evidence of every game whose players both have a rating within `band`."""
    sides: dict[str, dict[str, Evidence]] = {}
    for evidence in _sides_within(readings, band):
        sides.setdefault(evidence.game_id, {})[evidence.color] = evidence
    yield from (tuple(both.values()) for both in sides.values() if len(both) == 2)


def _sides_within(readings: Sequence[Reading], band: tuple[int, int]) -> Iterator[Evidence]:
    """In an order that is the same for the same games."""
    for reading in sorted(readings, key=lambda r: (r.game_id, r.evidence.color)):
        if band[0] <= reading.rating < band[1]:
            yield reading.evidence


def _exact(
    games: Sequence[Sides], band: tuple[int, int], size: int, random: np.random.Generator
) -> float:
    draws = [random.choice(len(games), size, replace=False) for _ in range(DRAWS_PER_BAND)]
    return fmean(
        band_of_eight(_median([side for i in draw for side in games[i]])) == band for draw in draws
    )


def _median(evidences: Sequence[Evidence]) -> float:
    """Forty players share no error, and each of the eight bands is as likely as the others."""
    posterior = pooled_posterior(evidences, log_prior=np.zeros(len(RATINGS)), shared_variance=0.0)
    return quantile(posterior, 0.5)


def _overall(results: Sequence[BandResult], size: int) -> Measured | None:
    rates = [result.exact for result in results if result.exact is not None]
    if len(rates) < len(results):
        return None
    rate, disjoint = fmean(rates), sum(result.available // size for result in results)
    drawn = (rate * disjoint + 1) / (disjoint + 2)
    return Measured(value=rate, standard_error=sqrt(drawn * (1 - drawn) / disjoint))
