"""The face of this stage: one player's games at one speed in, both trends out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from config.language import english
from pipeline.elo.opponents import opponent_kind
from pipeline.evidence import Played
from pipeline.records import (
    Evidence,
    NoEstimate,
    RatingPoint,
    SpeedTrends,
    Trend,
    TrendDifference,
    TrendPoint,
    TrendStep,
)
from pipeline.strength import grid
from pipeline.strength.aggregate import Pooling
from pipeline.trends import by_moves, by_results
from pipeline.trends.densities import (
    DIFFERENCE_EDGES,
    EDGES,
    difference,
    quantiles,
    share_above,
)
from pipeline.trends.smoother import smooth
from pipeline.trends.timeline import Timeline, timeline

Floats = npt.NDArray[np.float64]

FEWEST_GAMES = 10
"""With fewer, a line over time says hardly more than the population does."""
FEWEST_STEPS = 3
"""Two points are no line."""


def speed_trends(
    played: Sequence[Played],
    *,
    scale: str,
    pooling: Pooling | NoEstimate,
    coverage: float,
    step: TrendStep = "day",
) -> SpeedTrends | NoEstimate:
    """Both views over time from a player's games at one speed, in any order.

    `pooling` is how the model pools these very games (`StrengthModel.pooling`), or why it does
    not. Each view counts the games that its range over all games counts, and has a reason in
    place of a trend where they are too few; so has the whole where there are too few days.
    The two views are taken as independent given the player: where a good day shows in both,
    the difference is rather too wide than too narrow.
    """
    if not played:
        return NoEstimate(reason=english("there are no games"))
    games = sorted(played, key=lambda p: (p.game.created_at, p.game.id))
    line = timeline([p.game.created_at for p in games], step)
    if refusal := _too_few_steps(line, step):
        return refusal
    results, moves = _results_view(games, line), _moves_view(games, line, pooling)
    return SpeedTrends(
        scale=scale,
        step=step,
        results=_trend(results, line, scale=scale, coverage=coverage),
        moves=_trend(moves, line, scale=scale, coverage=coverage),
        difference=_difference(results, moves, line, coverage=coverage),
        ratings=tuple(_ratings(games)),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _View:
    """`counts` says of each game whether it counts; `cells` has a row a step."""

    counts: tuple[bool, ...]
    cells: Floats
    walk_points: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ResultsView(_View):
    opponents: Floats
    scores: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _MovesView(_View):
    evidence: Floats
    pooling: Pooling


def _results_view(games: Sequence[Played], line: Timeline) -> _ResultsView | NoEstimate:
    counts = tuple(opponent_kind(p.game, p.color) == "counted" for p in games)
    if sum(counts) < FEWEST_GAMES:
        return _too_few(_TOO_FEW_RESULTS, sum(counts))
    counted = [p for p, counting in zip(games, counts, strict=True) if counting]
    opponents = np.array([p.game.opponent(p.color).rating for p in counted], dtype=np.float64)
    scores = np.array([p.game.score(p.color) for p in counted], dtype=np.float64)
    rows = by_results.score_log_likelihoods(opponents, scores, by_results.RATINGS)
    smoothed = smooth(by_results.RATINGS, line.summed(rows, np.flatnonzero(counts)), line.gaps)
    return _ResultsView(
        counts=counts,
        cells=by_results.trend_by_results(smoothed, opponents),
        walk_points=smoothed.walk_points,
        opponents=opponents,
        scores=scores,
    )


def _moves_view(
    games: Sequence[Played], line: Timeline, pooling: Pooling | NoEstimate
) -> _MovesView | NoEstimate:
    if isinstance(pooling, NoEstimate):
        return pooling
    found = [p.evidence[p.color] for p in games]
    counts = tuple(isinstance(evidence, Evidence) for evidence in found)
    if sum(counts) < FEWEST_GAMES:
        return _too_few(_TOO_FEW_MOVES, sum(counts))
    evidence = np.array([e.log_likelihoods for e in found if isinstance(e, Evidence)])
    rows = by_moves.game_log_likelihoods(evidence, pooling)
    smoothed = smooth(grid.RATINGS, line.summed(rows, np.flatnonzero(counts)), line.gaps)
    return _MovesView(
        counts=counts,
        cells=by_moves.trend_by_moves(smoothed, evidence, pooling),
        walk_points=smoothed.walk_points,
        evidence=evidence,
        pooling=pooling,
    )


_TOO_FEW_RESULTS = english(
    "too few games: {games} with a result against a rated opponent, and a trend needs {fewest}"
)
_TOO_FEW_MOVES = english(
    "too few games: {games} whose moves can be judged, and a trend needs {fewest}"
)
_TOO_FEW_IN_BOTH = english(
    "too few games: {games} that count in both views, and a comparison needs {fewest}"
)


def _too_few(reason: str, games: int) -> NoEstimate:
    return NoEstimate(reason=reason.format(games=games, fewest=FEWEST_GAMES))


def _too_few_steps(line: Timeline, step: TrendStep) -> NoEstimate | None:
    steps = len(set(line.step_of_game.tolist()))
    if steps >= FEWEST_STEPS:
        return None
    if step == "game":
        reason = english("too few games: {steps}, and a line over time needs {fewest}")
    else:
        reason = english("too few days with games: {steps}, and a line over time needs {fewest}")
    return NoEstimate(reason=reason.format(steps=steps, fewest=FEWEST_STEPS))


def _trend(
    view: _View | NoEstimate, line: Timeline, *, scale: str, coverage: float
) -> Trend | NoEstimate:
    if isinstance(view, NoEstimate):
        return view
    return Trend(
        scale=scale,
        coverage=coverage,
        games=sum(view.counts),
        walk_points=view.walk_points,
        points=_points(line, EDGES, view.cells, view.counts, coverage),
    )


def _points(
    line: Timeline, edges: Floats, rows: Floats, counts: Sequence[bool], coverage: float
) -> tuple[TrendPoint, ...]:
    ranges = [quantiles(edges, row, _levels(coverage)).tolist() for row in rows]
    return tuple(
        TrendPoint(at=at, low=low, median=median, high=high, games=int(games))
        for at, (low, median, high), games in zip(
            line.at, ranges, line.games_at(counts), strict=True
        )
    )


def _levels(coverage: float) -> Floats:
    return np.array([(1 - coverage) / 2, 0.5, (1 + coverage) / 2])


def _difference(
    results: _ResultsView | NoEstimate,
    moves: _MovesView | NoEstimate,
    line: Timeline,
    *,
    coverage: float,
) -> TrendDifference | NoEstimate:
    for view in (results, moves):
        if isinstance(view, NoEstimate):
            return view
    assert isinstance(results, _ResultsView) and isinstance(moves, _MovesView)  # noqa: S101
    both = np.array(results.counts) & np.array(moves.counts)
    if both.sum() < FEWEST_GAMES:
        return _too_few(_TOO_FEW_IN_BOTH, int(both.sum()))
    over_all = _over_all(results, moves, both)
    low, median, high = quantiles(DIFFERENCE_EDGES, over_all, _levels(coverage)).tolist()
    rows = np.array([difference(*pair) for pair in zip(moves.cells, results.cells, strict=True)])
    return TrendDifference(
        coverage=coverage,
        games=int(both.sum()),
        low=low,
        median=median,
        high=high,
        moves_above_probability=share_above(DIFFERENCE_EDGES, over_all, 0.0),
        points=_points(line, DIFFERENCE_EDGES, rows, both.tolist(), coverage),
    )


def _over_all(results: _ResultsView, moves: _MovesView, both: npt.NDArray[np.bool_]) -> Floats:
    """The difference over the very games that both views count."""
    of_results, of_moves = both[np.array(results.counts)], both[np.array(moves.counts)]
    return difference(
        by_moves.whole_by_moves(moves.evidence[of_moves], moves.pooling),
        by_results.whole_by_results(results.opponents[of_results], results.scores[of_results]),
    )


def _ratings(games: Sequence[Played]) -> list[RatingPoint]:
    known = ((p.game.created_at, p.game.player(p.color).rating) for p in games)
    return [RatingPoint(at=at, rating=rating) for at, rating in known if rating is not None]
