"""What moves lost, by phase and by the mover's clock, and what they did to a player's prospects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engines.evals import Color
from pipeline.differences.thresholds import PRESSURE_SECONDS, PRESSURE_SHARE
from pipeline.records import Clock, MoveScore, Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """`win_percent` lost by `moves` moves, each 0 or more; `accuracy` sums their percents."""

    moves: int = 0
    win_percent: float = 0.0
    accuracy: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BothLosses:
    """The losses of the player and of the opponent."""

    own: Losses = Losses()
    theirs: Losses = Losses()


NOTHING = BothLosses()


def losses_by_phase(moves: Iterable[MoveScore], color: Color) -> Mapping[Phase, BothLosses]:
    """Phases without a move are absent; `color` is the player's."""
    found: dict[Phase, list[MoveScore]] = {}
    for move in moves:
        found.setdefault(move.phase, []).append(move)
    return {phase: _both(chosen, color) for phase, chosen in found.items()}


def losses_by_clock(
    moves: Iterable[MoveScore], clock: Clock | None, color: Color
) -> tuple[BothLosses, BothLosses] | None:
    """Under time pressure, and not; None where no clock is known."""
    if clock is None:
        return None
    pressed: list[MoveScore] = []
    calm: list[MoveScore] = []
    for move in moves:
        seconds = _seconds_before(move, clock)
        if seconds is not None:
            (pressed if seconds < pressure_seconds(clock) else calm).append(move)
    return (_both(pressed, color), _both(calm, color)) if pressed or calm else None


def pressure_seconds(clock: Clock) -> float:
    """With less on the clock a player is in time pressure."""
    return min(PRESSURE_SECONDS, PRESSURE_SHARE * clock.initial_seconds)


def changes_by_phase(
    moves: Iterable[MoveScore], color: Color, *, start: float, end: float
) -> Mapping[Phase, float]:
    """What each phase did to the player's prospects, in points, from `start` to `end` (0 to 1).

    Where evaluations are missing, the change is that of the next move which has one; what is
    between the last evaluation and `end` (a mate is no 97.5 %) belongs to the last move.
    """
    changes: dict[Phase, float] = {}
    now, phase = start, Phase.OPENING
    for move in moves:
        after, phase = own_win_percent(move, color) / 100, move.phase
        changes[phase] = changes.get(phase, 0.0) + after - now
        now = after
    changes[phase] = changes.get(phase, 0.0) + end - now
    return changes


def own_win_percent(move: MoveScore, color: Color) -> float:
    """The player's win percent (0 to 100) after the move, whoever made it."""
    return move.win_percent_after if move.color == color else 100 - move.win_percent_after


def _both(moves: list[MoveScore], color: Color) -> BothLosses:
    return BothLosses(
        own=_losses([move for move in moves if move.color == color]),
        theirs=_losses([move for move in moves if move.color != color]),
    )


def _losses(moves: list[MoveScore]) -> Losses:
    changes = [move.win_percent_before - move.win_percent_after for move in moves]
    return Losses(
        moves=len(moves),
        win_percent=sum([change for change in changes if change > 0]),
        accuracy=sum([move.accuracy_percent for move in moves]),
    )


def _seconds_before(move: MoveScore, clock: Clock) -> float | None:
    if move.seconds_left is None or move.seconds_spent is None:
        return None
    return move.seconds_left + move.seconds_spent - clock.increment_seconds
