"""Games that were played in one go: what came before each, and how many there had been."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.differences.account import Account
from pipeline.differences.thresholds import SESSION_GAP_SECONDS

_BEFORE = {0.0: "after_loss", 0.5: "after_draw", 1.0: "after_win"}
_LAST_OF_SHORT, _LAST_OF_MIDDLE = 3, 9


def game_before(accounts: Sequence[Account]) -> list[str]:
    """`first` in a session, `after_win`, `after_draw` or `after_loss`; oldest game first."""
    found = []
    for position, number in enumerate(_numbers(accounts)):
        found.append("first" if number == 1 else _BEFORE[accounts[position - 1].score])
    return found


def session_part(accounts: Sequence[Account]) -> list[str]:
    """`1-3`, `4-9` or `10+`: the game's number in its session; oldest game first."""
    return [_part(number) for number in _numbers(accounts)]


def _part(number: int) -> str:
    if number <= _LAST_OF_SHORT:
        return "1-3"
    return "4-9" if number <= _LAST_OF_MIDDLE else "10+"


def _numbers(accounts: Sequence[Account]) -> list[int]:
    numbers: list[int] = []
    for position, account in enumerate(accounts):
        follows = position > 0 and (
            (account.created_at - accounts[position - 1].created_at).total_seconds()
            <= SESSION_GAP_SECONDS
        )
        numbers.append(numbers[-1] + 1 if follows else 1)
    return numbers
