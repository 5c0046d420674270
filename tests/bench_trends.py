"""How far the trends hold what they promise: `python tests/bench_trends.py [PLAYERS] [GAMES]`.

Simulated players whose strength is constant, rises, jumps, falls in a gap or wanders; for each
kind the share of true strengths that the 80 % ranges hold (± one standard error, by player), the
ranges' width and the mean absolute error of their medians, over the days with games; for the
difference over the whole period also how often the moves, being level, are called above.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import numpy as np
from simulated_trends import CAREERS, SCALE, Career, Simulated, pooling, simulated

from pipeline.records import SpeedTrends, Trend, TrendDifference, TrendPoint
from pipeline.trends.trends import speed_trends

COVERAGE = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Of one player's ranges: the share that holds, the mean width, the mean absolute error."""

    holds: float
    width: float
    error: float


def trends_of(player: Simulated) -> SpeedTrends:
    found = speed_trends(player.played, scale=SCALE, pooling=pooling(), coverage=COVERAGE)
    assert isinstance(found, SpeedTrends)
    return found


def of_strength(player: Simulated, points: tuple[TrendPoint, ...], *, above: float) -> Figures:
    """On the days with games, which are as many as there are points with games."""
    truth = [float(player.strengths[player.days == day][0]) for day in np.unique(player.days)]
    return _figures([p for p in points if p.games], [t + above for t in truth])


def of_difference(player: Simulated, points: tuple[TrendPoint, ...]) -> Figures:
    shown = [p for p in points if p.games]
    return _figures(shown, [player.moves_above] * len(shown))


def of_whole(player: Simulated, found: TrendDifference) -> Figures:
    above = player.moves_above
    return Figures(
        holds=float(found.low <= above <= found.high),
        width=found.high - found.low,
        error=abs(found.median - above),
    )


def figures_of(player: Simulated) -> dict[str, Figures]:
    found = trends_of(player)
    assert isinstance(found.results, Trend) and isinstance(found.moves, Trend)
    assert isinstance(found.difference, TrendDifference)
    return {
        "results": of_strength(player, found.results.points, above=0.0),
        "moves": of_strength(player, found.moves.points, above=player.moves_above),
        "difference": of_difference(player, found.difference.points),
        "whole difference": of_whole(player, found.difference),
    }


def _figures(points: list[TrendPoint], truth: list[float]) -> Figures:
    pairs = list(zip(points, truth, strict=True))
    return Figures(
        holds=float(np.mean([p.low <= t <= p.high for p, t in pairs])),
        width=float(np.mean([p.high - p.low for p, _ in pairs])),
        error=float(np.mean([abs(p.median - t) for p, t in pairs])),
    )


def main() -> None:
    players, games = (int(argument) for argument in (*sys.argv[1:], "200", "150")[:2])
    for career in CAREERS:
        started = time.perf_counter()
        found = [figures_of(_player(career, seed, games)) for seed in range(players)]
        seconds = (time.perf_counter() - started) / players
        for view in found[0]:
            _print(career.name, view, [one[view] for one in found])
        print(f"{career.name:20} {seconds:.2f} seconds a player of {games} games")


def _player(career: Career, seed: int, games: int) -> Simulated:
    rng = np.random.default_rng(seed)
    return simulated(career, rng, games=games, moves_above=float(rng.choice((0.0, 100.0))))


def _print(career: str, view: str, found: list[Figures]) -> None:
    holds = np.array([one.holds for one in found])
    error = holds.std(ddof=1) / np.sqrt(len(holds)) if len(holds) > 1 else 0.0
    width = np.mean([one.width for one in found])
    missed = np.mean([one.error for one in found])
    print(
        f"{career:20} {view:17} holds {100 * holds.mean():5.1f} ± {100 * error:.1f} %  "
        f"width {width:4.0f}  error {missed:4.0f}"
    )


if __name__ == "__main__":
    main()
