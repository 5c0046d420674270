"""From readings with known ratings to figures: errors, coverage, width, beside the baselines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from pipeline.records import StrengthRange
from pipeline.strength.acpl_line import AcplLine
from pipeline.strength.baselines import Baselines, baselines
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.measured import Measured, measured, r_squared
from pipeline.strength.own_moves import Column
from pipeline.strength.pools import Pool, PoolMaker
from pipeline.strength.reading import Reading
from pipeline.strength.reliability import Reliability, reliability
from pipeline.strength.selections import DIVISIONS, SELECTIONS, parts_of

POOL_SIZES = (1, 3, 5, 10, 20, 50)
POOL_SIZES_OF_PARTS = (1, 10)
BAND_WIDTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What some figures are about: a speed, a selection, the games in a pool, and a part.

    `selection` is one of `selections.SELECTIONS`. `band` is None for all ratings, else
    (1400, 1600) for 1400 to 1599. `division` and `part` are one of `selections.DIVISIONS` and
    one of its parts, None for all of the selection.
    """

    speed: str
    selection: str
    games_per_pool: int
    band: tuple[int, int] | None = None
    division: str | None = None
    part: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeFigures:
    """How good some ranges are.

    Errors are median of the range less rating (the mean one of a pool's games), in points of
    the scale; coverage is 0 to 1. `r_squared` is the share of the ratings' variance that the
    medians explain; None within a band, and where the ratings do not vary.
    """

    mae: Measured
    bias: Measured
    coverage: Measured
    mean_width: Measured
    r_squared: Measured | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The ranges of some pools, beside the baselines.

    `without_human_model` is about the same pools without the human-move model; None where it
    was not asked anyway.
    """

    about: About
    pools: int
    players: int
    ranges: RangeFigures
    without_human_model: RangeFigures | None
    baselines: Baselines


def all_figures(
    readings: Sequence[Reading], model: StrengthModel
) -> tuple[tuple[Figures, ...], tuple[Reliability, ...]]:
    """By speed, selection and size of pool: all ratings first, then each band; then the parts."""
    figures: list[Figures] = []
    reliable: list[Reliability] = []
    for speed in sorted({reading.speed for reading in readings}):
        at_speed = [reading for reading in readings if reading.speed == speed]
        of_speed = _OfSpeed(speed, at_speed, model)
        for selection in SELECTIONS:
            figures += of_speed.by_band(selection)
            figures += of_speed.by_part(selection)
            reliable += of_speed.reliability(selection)
    return tuple(figures), tuple(reliable)


class _OfSpeed:
    """All player-games of one speed, and what their figures have in common."""

    def __init__(self, speed: str, readings: Sequence[Reading], model: StrengthModel) -> None:
        fitted = model.fitted.speed(speed)
        self._speed = speed
        self._readings = readings
        self._maker = PoolMaker(model)
        self._line = fitted.acpl_line if fitted else None
        self._constant = float(median(reading.rating for reading in readings))

    def by_band(self, selection: str) -> Iterator[Figures]:
        for size in POOL_SIZES:
            pools = self._pools(selection, size)
            about = About(speed=self._speed, selection=selection, games_per_pool=size)
            if pools:
                yield self._figures(pools, about)
            for band in sorted({_band(pool.rating) for pool in pools}):
                inside = [pool for pool in pools if _band(pool.rating) == band]
                yield self._figures(inside, replace(about, band=band))

    def by_part(self, selection: str) -> Iterator[Figures]:
        chosen = self._chosen(selection)
        for division, parts in DIVISIONS.items():
            for part in parts:
                inside = [r for r in chosen if (division, part) in parts_of(r)]
                yield from self._of_part(inside, selection, division, part)

    def _of_part(
        self, inside: Sequence[Reading], selection: str, division: str, part: str
    ) -> Iterator[Figures]:
        about = About(
            speed=self._speed, selection=selection, games_per_pool=1, division=division, part=part
        )
        for size in POOL_SIZES_OF_PARTS:
            if pools := self._maker.pools(inside, size):
                yield self._figures(pools, replace(about, games_per_pool=size))

    def reliability(self, selection: str) -> Iterator[Reliability]:
        for size in POOL_SIZES:
            if pools := self._pools(selection, size):
                yield reliability(
                    pools, speed=self._speed, selection=selection, games_per_pool=size
                )

    def _pools(self, selection: str, size: int) -> list[Pool]:
        return self._maker.pools(self._chosen(selection), size)

    def _chosen(self, selection: str) -> list[Reading]:
        return [reading for reading in self._readings if SELECTIONS[selection](reading)]

    def _figures(self, pools: Sequence[Pool], about: About) -> Figures:
        return _figures(pools, about, constant=self._constant, line=self._line)


def _band(rating: float) -> tuple[int, int]:
    low = int(rating // BAND_WIDTH) * BAND_WIDTH
    return low, low + BAND_WIDTH


def _figures(
    pools: Sequence[Pool], about: About, *, constant: float, line: AcplLine | None
) -> Figures:
    players = [pool.player for pool in pools]
    ratings = np.array([pool.rating for pool in pools])
    alone = [p.range_without_human_model for p in pools if p.range_without_human_model is not None]
    whole = about.band is None
    return Figures(
        about=about,
        pools=len(pools),
        players=len(set(players)),
        ranges=range_figures([pool.range for pool in pools], ratings, players, whole=whole),
        without_human_model=(
            range_figures(alone, ratings, players, whole=whole)
            if len(alone) == len(pools)
            else None
        ),
        baselines=baselines(pools, constant=constant, line=line),
    )


def range_figures(
    ranges: Sequence[StrengthRange], ratings: Column, players: Sequence[str], *, whole: bool
) -> RangeFigures:
    """Of one range a pool; R² only where they are `whole`, not chosen by their rating."""
    low, middle, high = np.array([(r.low, r.median, r.high) for r in ranges]).T
    error = middle - ratings
    inside = (low <= ratings) & (ratings <= high)
    return RangeFigures(
        mae=measured(np.abs(error), players),
        bias=measured(error, players),
        coverage=measured(inside.astype(np.float64), players),
        mean_width=measured(high - low, players),
        r_squared=r_squared(ratings, error, players) if whole else None,
    )
