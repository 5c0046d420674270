"""Accuracy of a move and of a game, and average centipawn loss, as Lichess computes them.

Sources: lila `AccuracyPercent.scala`, `AccuracyCP.scala`; scalalib `Maths.scala`;
https://lichess.org/page/accuracy (which leaves out the bonus of 1 that the code has).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import exp, floor, fsum, sqrt

from engines.evals import Color, Eval
from pipeline.formulas.win_percent import mover_centipawns, win_percent


def accuracy_percent(win_percent_before: float, win_percent_after: float) -> float:
    """0 to 100 for one move; both win percents (0 to 100) from the mover's point of view."""
    if win_percent_after >= win_percent_before:
        return 100.0
    loss = win_percent_before - win_percent_after
    raw = 103.1668100711649 * exp(-0.04354415386753951 * loss) - 3.166924740191411
    uncertainty_bonus = 1
    return max(0.0, min(100.0, raw + uncertainty_bonus))


def game_accuracy_percent(
    evals: Sequence[Eval | None], start_color: Color
) -> dict[Color, float | None]:
    """Each side's accuracy over a game, 0 to 100; None unless both sides have a scored move.

    `evals` speaks for White, one for each position from the start on; `start_color` moves
    first. The mean of the volatility-weighted mean and the harmonic mean of the moves'
    accuracies. A position without evaluation takes out the two moves beside it (Lichess
    closes such holes up, and so mistakes the colours after it).
    """
    weights = _volatility_weights([win_percent(e) for e in evals if e is not None])
    moves: dict[Color, list[tuple[float, float]]] = {"white": [], "black": []}
    for nth_known, color, before, after in _scored_moves(evals, start_color):
        moves[color].append((_mover_accuracy(before, after, color), weights[nth_known]))
    if not moves["white"] or not moves["black"]:
        return {"white": None, "black": None}
    return {color: _combined(pairs) for color, pairs in moves.items()}


def average_centipawn_loss(
    evals: Sequence[Eval | None], start_color: Color
) -> dict[Color, int | None]:
    """Each side's mean loss in centipawns (rounded half up), both ends clamped to ±1000."""
    losses: dict[Color, list[int]] = {"white": [], "black": []}
    for _, color, before, after in _scored_moves(evals, start_color):
        losses[color].append(centipawn_loss(before, after, color))
    return {c: floor(sum(ls) / len(ls) + 0.5) if ls else None for c, ls in losses.items()}


def centipawn_loss(before: Eval, after: Eval, mover: Color) -> int:
    """What the move cost its mover, 0 to 2000 centipawns."""
    return max(0, mover_centipawns(before, mover) - mover_centipawns(after, mover))


def _scored_moves(
    evals: Sequence[Eval | None], start_color: Color
) -> Iterator[tuple[int, Color, Eval, Eval]]:
    """With each move, how many evaluations are known before the one that it starts from."""
    color, known_before = start_color, 0
    for before, after in pairwise(evals):
        if before is not None and after is not None:
            yield known_before, color, before, after
        known_before += before is not None
        color = "black" if color == "white" else "white"


def _mover_accuracy(before: Eval, after: Eval, color: Color) -> float:
    sign = 1 if color == "white" else -1
    return accuracy_percent(sign * win_percent(before), sign * win_percent(after))


def _volatility_weights(win_percents: Sequence[float]) -> list[float]:
    """One weight a move: how much the win percent moved around it, 0.5 to 12."""
    moves = len(win_percents) - 1
    if moves < 1:
        return []
    size = max(2, min(8, moves // 10))
    first = list(win_percents[:size])
    windows = [first] * (min(size, len(win_percents)) - 2)
    windows += [list(win_percents[i : i + size]) for i in range(len(win_percents) - size + 1)]
    return [max(0.5, min(12.0, _standard_deviation(window))) for window in windows]


def _standard_deviation(values: Sequence[float]) -> float:
    """Of all there is; the library's own, exact in fractions, takes twenty times as long."""
    mean = fsum(values) / len(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / len(values))


def _combined(moves: Sequence[tuple[float, float]]) -> float:
    weighted_mean = sum(a * w for a, w in moves) / sum(w for _, w in moves)
    harmonic_mean = len(moves) / sum(1 / max(1.0, a) for a, _ in moves)
    return min(100.0, (weighted_mean + harmonic_mean) / 2)  # rounding may go above
