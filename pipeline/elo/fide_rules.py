"""Which of FIDE's rating rules hold on a day.

Sources: FIDE handbook, B022022 (1 January 2022 to 29 February 2024), B022024 (from 1 March 2024)
and the rapid and blitz regulations beside them; the Council's amendment of 8.3.1 from 1 October
2025; for rapid and blitz the K of 1 October 2022 and the limit on differences of 1 December 2024.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from math import isfinite
from typing import Literal, TypeAlias, get_args

from config.errors import InputError
from config.language import _, english, retold

TimeControl: TypeAlias = Literal["standard", "rapid", "blitz"]

TIME_CONTROLS: tuple[TimeControl, ...] = get_args(TimeControl)


@dataclass(frozen=True, slots=True, kw_only=True)
class FideRules:
    """What differs between the rules; everything else is the same in all of them.

    `rating_floor`: a lower rating is not published (7.2.1). `one_upgrade_per_event`: the higher
    rated player's difference is cut to 400 in one game an event, not in each. `uncapped_from`:
    standard ratings from which no difference is cut to 400 (8.3.1).
    `first_rating_from_two_draws`: whether two hypothetical draws against 1800 enter a first
    rating (8.2.2). `junior_and_master_k_in_rapid`: otherwise K is 20 for everyone in rapid and
    blitz. `unrated_mismatches_in_rapid`: see `is_rated`.
    """

    begins: date
    rating_floor: int
    one_upgrade_per_event: bool
    uncapped_from: int | None
    first_rating_from_two_draws: bool
    junior_and_master_k_in_rapid: bool
    unrated_mismatches_in_rapid: bool


_JANUARY_2022 = FideRules(
    begins=date(2022, 1, 1),
    rating_floor=1000,
    one_upgrade_per_event=True,
    uncapped_from=None,
    first_rating_from_two_draws=False,
    junior_and_master_k_in_rapid=False,
    unrated_mismatches_in_rapid=False,
)
_OCTOBER_2022 = replace(_JANUARY_2022, begins=date(2022, 10, 1), junior_and_master_k_in_rapid=True)
_MARCH_2024 = replace(
    _OCTOBER_2022,
    begins=date(2024, 3, 1),
    rating_floor=1400,
    one_upgrade_per_event=False,
    first_rating_from_two_draws=True,
)
_DECEMBER_2024 = replace(_MARCH_2024, begins=date(2024, 12, 1), unrated_mismatches_in_rapid=True)
_OCTOBER_2025 = replace(_DECEMBER_2024, begins=date(2025, 10, 1), uncapped_from=2650)

FIDE_RULES = (_JANUARY_2022, _OCTOBER_2022, _MARCH_2024, _DECEMBER_2024, _OCTOBER_2025)
"""Oldest first. The changes of October 2022 and December 2024 touch rapid and blitz only."""


def rules_on(day: date) -> FideRules:
    """The rules that hold on `day`; InputError before 1 January 2022.

    FIDE applies a rule to games from its day on; the newest rules here hold for all later days.
    """
    in_force = [rules for rules in FIDE_RULES if rules.begins <= day]
    if not in_force:
        raise InputError(
            _(
                "The FIDE rules known here begin on {begins}, and the date is {day}; give a "
                "later date."
            ).format(begins=FIDE_RULES[0].begins, day=day)
        )
    return in_force[-1]


def check_control(control: str) -> None:
    """InputError unless `control` is one of FIDE's three rating lists."""
    if control not in TIME_CONTROLS:
        raise InputError(
            _("FIDE rates standard, rapid and blitz, and {control} is none of these.").format(
                control=f"{control!r}"
            )
        )


def fide_rating(rating: float, *, whose: str = english("The rating")) -> int:
    """`rating` as the whole number that FIDE publishes; InputError, naming `whose`, otherwise."""
    if not (isfinite(rating) and rating == int(rating) and rating >= 0):
        raise InputError(
            _("{whose} must be a whole number as FIDE publishes it, not {rating}.").format(
                whose=retold(whose), rating=f"{rating:g}"
            )
        )
    return int(rating)


def march_2024_raise(rating: float) -> int:
    """The new rating of 1 March 2024: 40 % of the way to 2000 for everyone rated 1000 to 1999.

    Sources: qc.fide.com, 1 March 2024; chesseasy.com for the formula. Whether rapid and blitz
    ratings were raised too is told differently (the Norwegian federation says they were).
    InputError for a rating below 1000, which the list before had not.
    """
    old = fide_rating(rating)
    if old < 1000:
        raise InputError(
            _("FIDE's list of February 2024 has no rating {old}: it begins at 1000.").format(
                old=old
            )
        )
    # 0.4 (2000 - old) never ends in a half, so every rounding to the nearest agrees.
    return old + round(2 * max(0, 2000 - old) / 5)
