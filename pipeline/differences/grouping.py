"""By what games are divided: one word for each game and aspect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import tzinfo

from pipeline.differences.account import Account
from pipeline.differences.sessions import game_before, session_part
from pipeline.differences.thresholds import NEAR_RATING
from pipeline.records import Aspect

HOURS_TOGETHER = 4


def group_keys(accounts: Sequence[Account], zone: tzinfo) -> Mapping[Aspect, Sequence[str | None]]:
    """For each aspect that divides games, each game's key; None where it is not known.

    Oldest game first. Hours and weekdays (1 is Monday) are those of `zone`. The key of an opening
    is the colour and the family: `white:Italian Game`. That of a time control is in
    seconds: `300+3`. Opponents are `weaker`, `equal` or `stronger`.
    """
    return {
        Aspect.COLOR: [account.color for account in accounts],
        Aspect.OPPONENT: [_opponent(account) for account in accounts],
        Aspect.OPENING: [_opening(account) for account in accounts],
        Aspect.TIME_CONTROL: [_time_control(account) for account in accounts],
        Aspect.GAME_BEFORE: game_before(accounts),
        Aspect.SESSION: session_part(accounts),
        Aspect.HOUR: [_hours(account, zone) for account in accounts],
        Aspect.WEEKDAY: [str(a.created_at.astimezone(zone).isoweekday()) for a in accounts],
    }


def _opponent(account: Account) -> str | None:
    difference = account.rating_difference
    if difference is None:
        return None
    if abs(difference) <= NEAR_RATING:
        return "equal"
    return "stronger" if difference > 0 else "weaker"


def _opening(account: Account) -> str | None:
    if account.opening is None:
        return None
    # "Sicilian Defense: Alapin Variation": the family is what a player means by their opening.
    family = account.opening.name.partition(":")[0].strip()
    # A PGN may have the code alone, under which different openings are together.
    return f"{account.color}:{family}" if family else None


def _time_control(account: Account) -> str | None:
    clock = account.clock
    return None if clock is None else f"{clock.initial_seconds}+{clock.increment_seconds}"


def _hours(account: Account, zone: tzinfo) -> str:
    first = account.created_at.astimezone(zone).hour // HOURS_TOGETHER * HOURS_TOGETHER
    return f"{first:02d}-{first + HOURS_TOGETHER:02d}"
