"""Winning positions, won and let go: the player's, and the opponents' in the same games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.differences.account import Account, Reached
from pipeline.differences.thresholds import LOSING_PERCENT, WINNING_PERCENT
from pipeline.records import Chances, Ending, EndingCount, TurnedGame


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """A finished game as one side saw it: percents are its own, 0 to 100."""

    best_percent: float
    final_percent: float
    score: float
    ending: Ending


def chances(accounts: Iterable[Account], *, of_opponents: bool = False) -> Chances:
    """Of the games that are evaluated to the end."""
    sides = [side for a in accounts if (side := _side(a, of_opponents)) is not None]
    fates = Counter(_fate(side) for side in sides if side.best_percent >= WINNING_PERCENT)
    return Chances(
        reached=fates.total(),
        won=fates["won"],
        on_time=fates["on_time"],
        drawn=fates["drawn"],
        resigned=fates["resigned"],
        at_the_board=fates["at_the_board"],
    )


def slipped_cost(account: Account, *, of_opponent: bool = False) -> float | None:
    """What one side's winning position cost that slipped at the board, in points.

    0 where it was won or let go otherwise; None where there was none, or nobody knows.
    """
    side = _side(account, of_opponent)
    if side is None or side.best_percent < WINNING_PERCENT:
        return None
    return 1 - side.score if _fate(side) == "at_the_board" else 0.0


def best_chance_wasted(accounts: Sequence[Account]) -> TurnedGame | None:
    """The winning position of which the result gave least; None where all were won."""
    wasted = [
        (a.best.win_percent - 100 * a.score, a, a.best)
        for a in accounts
        if a.worth is not None and a.best and a.score < 1 and a.best.win_percent >= WINNING_PERCENT
    ]
    return _turned(max(wasted, key=lambda found: found[0], default=None))


def worst_escaped(accounts: Sequence[Account]) -> TurnedGame | None:
    """The lost position of which the result made most; None where none was saved."""
    saved = [
        (100 * a.score - a.worst.win_percent, a, a.worst)
        for a in accounts
        if a.worth is not None and a.worst and a.score > 0 and a.worst.win_percent <= LOSING_PERCENT
    ]
    return _turned(max(saved, key=lambda found: found[0], default=None))


def ending_counts(accounts: Sequence[Account]) -> tuple[EndingCount, ...]:
    """How games ended, and how they went; ways in which none ended are absent."""
    found = Counter((account.ending, account.score) for account in accounts)
    return tuple(
        EndingCount(
            ending=ending,
            wins=found[ending, 1.0],
            draws=found[ending, 0.5],
            losses=found[ending, 0.0],
        )
        for ending in Ending
        if any(found[ending, score] for score in (1.0, 0.5, 0.0))
    )


def _side(account: Account, of_opponents: bool) -> _Side | None:
    if account.worth is None or account.best is None or account.worst is None:
        return None
    best, final, score = account.best.win_percent, 100 * account.worth, account.score
    if of_opponents:
        best, final, score = 100 - account.worst.win_percent, 100 - final, 1 - score
    return _Side(best_percent=best, final_percent=final, score=score, ending=account.ending)


def _fate(side: _Side) -> str:
    if side.score == 1:
        return "won"
    if side.final_percent < WINNING_PERCENT:
        return "at_the_board"
    if side.ending is Ending.CLOCK:
        return "on_time"
    return "drawn" if side.score == 0.5 else "resigned"


def _turned(found: tuple[float, Account, Reached] | None) -> TurnedGame | None:
    if found is None:
        return None
    _, account, reached = found
    return TurnedGame(
        game_id=account.game_id,
        url=account.url,
        created_at=account.created_at,
        opponent=account.opponent,
        ply=reached.ply,
        win_percent=reached.win_percent,
        score=account.score,
        ending=account.ending,
    )
