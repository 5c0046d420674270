"""From readings with known ratings to figures: errors, coverage, width, and baselines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from math import exp
from statistics import fmean, median

import numpy as np

from config.errors import ModelError
from pipeline.records import Evidence, NoEstimate, StrengthRange
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.evaluation import Figures, Measured
from pipeline.strength.own_moves import Column

POOL_SIZES = (1, 10, 50)
BAND_WIDTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One side of one game: what the model says, and what is known."""

    speed: str
    player: str
    rating: int
    steady: bool
    created_at: datetime
    evidence: Evidence
    average_centipawn_loss: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Consecutive games of one player, their common range and their mean rating."""

    player: str
    rating: float
    range: StrengthRange
    average_centipawn_loss: float | None


def all_figures(readings: Sequence[Reading], model: StrengthModel) -> tuple[Figures, ...]:
    """By speed, then by labels, then by size of pool; all ratings first, then each band."""
    figures: list[Figures] = []
    for speed in sorted({reading.speed for reading in readings}):
        at_speed = [reading for reading in readings if reading.speed == speed]
        constant = median(reading.rating for reading in at_speed)
        for labels in ("steady", "all"):
            chosen = [r for r in at_speed if r.steady or labels == "all"]
            for size in POOL_SIZES:
                pools = [_pool(games, speed, model) for games in consecutive(chosen, size)]
                figures += _with_bands(pools, (speed, size, labels), constant)
    return tuple(figures)


def consecutive(readings: Sequence[Reading], size: int) -> Iterator[list[Reading]]:
    """Each player's games in order of time, `size` at a time; the rest of them is left."""
    ordered = sorted(readings, key=lambda r: (r.player, r.created_at, r.evidence.game_id))
    for _, group in groupby(ordered, key=lambda r: r.player):
        games = list(group)
        for start in range(0, len(games) - size + 1, size):
            yield games[start : start + size]


def _pool(games: Sequence[Reading], speed: str, model: StrengthModel) -> Pool:
    found = model.strength_range([game.evidence for game in games], speed=speed)
    if isinstance(found, NoEstimate):
        raise ModelError(f"The model made evidence of {speed} games and then no range of it.")
    losses = [g.average_centipawn_loss for g in games if g.average_centipawn_loss is not None]
    return Pool(
        player=games[0].player,
        rating=fmean(game.rating for game in games),
        range=found,
        average_centipawn_loss=fmean(losses) if losses else None,
    )


def _with_bands(
    pools: Sequence[Pool], group: tuple[str, int, str], constant: float
) -> Iterator[Figures]:
    if not pools:
        return
    yield _figures(pools, group, constant, band=None)
    for band in sorted({_band(pool.rating) for pool in pools}):
        inside = [pool for pool in pools if _band(pool.rating) == band]
        yield _figures(inside, group, constant, band=band)


def _band(rating: float) -> tuple[int, int]:
    low = int(rating // BAND_WIDTH) * BAND_WIDTH
    return low, low + BAND_WIDTH


def _figures(
    pools: Sequence[Pool],
    group: tuple[str, int, str],
    constant: float,
    band: tuple[int, int] | None,
) -> Figures:
    rating = np.array([pool.rating for pool in pools])
    low, middle, high = np.array([(p.range.low, p.range.median, p.range.high) for p in pools]).T
    players = [pool.player for pool in pools]
    error = middle - rating
    return Figures(
        speed=group[0],
        games_per_pool=group[1],
        labels=group[2],
        band=band,
        pools=len(pools),
        players=len(set(players)),
        mae=measured(np.abs(error), players),
        bias=measured(error, players),
        coverage=measured(((low <= rating) & (rating <= high)).astype(np.float64), players),
        mean_width=measured(high - low, players),
        r_squared=_r_squared(rating, error) if band is None else None,
        constant_mae=float(np.abs(rating - constant).mean()),
        acpl_formula_mae=_acpl_formula_mae(pools),
    )


def measured(values: Column, players: Sequence[str]) -> Measured:
    """The mean of `values`; its standard error treats each player's values as one draw."""
    mean = float(values.mean())
    _, player = np.unique(np.array(players), return_inverse=True)
    sums = np.bincount(player, weights=values - mean)
    count = len(sums)
    if count < 2:
        return Measured(value=mean, standard_error=None)
    error = float(np.sqrt((sums**2).sum() * count / (count - 1)) / len(values))
    return Measured(value=mean, standard_error=error)


def _r_squared(rating: Column, error: Column) -> float | None:
    variance = float(rating.var())
    return 1 - float((error**2).mean()) / variance if variance > 0 else None


def _acpl_formula_mae(pools: Sequence[Pool]) -> float | None:
    """Of 3100·e^(−0.01·ACPL), which several review programs show as a rating."""
    errors = [
        abs(3100 * exp(-0.01 * pool.average_centipawn_loss) - pool.rating)
        for pool in pools
        if pool.average_centipawn_loss is not None
    ]
    return fmean(errors) if errors else None
