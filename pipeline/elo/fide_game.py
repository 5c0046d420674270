"""One FIDE-rated game: the difference that counts, what it promises, what it changes (8.3)."""

from __future__ import annotations

from config.errors import InputError
from config.language import _
from pipeline.elo.fide_rules import FideRules, TimeControl, check_control, fide_rating
from pipeline.elo.fide_tables import scoring_percent
from pipeline.elo.played import check_score

LARGEST_COUNTED_DIFFERENCE = 400


def expected(
    rating: float, opponent: float, rules: FideRules, control: TimeControl = "standard"
) -> float:
    """PD of table 8.1.2, 0 to 1 in steps of 0.01, at the difference that counts.

    InputError for a rating that is no whole number and for an unknown time control.
    """
    return scoring_percent(counted_difference(rating, opponent, rules, control)) / 100


def game_change(
    rating: float,
    opponent: float,
    score: float,
    k: int,
    rules: FideRules,
    control: TimeControl = "standard",
) -> float:
    """K (score - PD) for one game alone, in exact hundredths; 0.0 when it is not rated.

    InputError as for `expected`, and for a score other than 1, ½ or 0 or a K below 1.
    """
    check_score(score)
    check_whole_k(k)
    difference = counted_difference(rating, opponent, rules, control)
    if not is_rated(rating, opponent, rules, control):
        return 0.0
    return change_hundredths(score, difference, k) / 100


def counted_difference(
    rating: float, opponent: float, rules: FideRules, control: TimeControl = "standard"
) -> int:
    """Own less opponent's rating as it counts for one game alone: mostly cut to ±400 (8.3.1).

    From 1 October 2025 standard ratings of 2650 and more count the true difference, up and down.
    """
    check_control(control)
    own = fide_rating(rating)
    difference = own - fide_rating(opponent, whose=_("The opponent's rating"))
    if control == "standard" and rules.uncapped_from is not None and own >= rules.uncapped_from:
        return difference
    return max(-LARGEST_COUNTED_DIFFERENCE, min(LARGEST_COUNTED_DIFFERENCE, difference))


def is_rated(
    rating: float, opponent: float, rules: FideRules, control: TimeControl = "standard"
) -> bool:
    """False for rapid and blitz games of 600 points or more apart with a player above 2600.

    Since 1 December 2024; before, and in standard chess, every game is rated.
    """
    mismatch = abs(rating - opponent) >= 600 and max(rating, opponent) > 2600
    return not (mismatch and rules.unrated_mismatches_in_rapid and control != "standard")


def change_hundredths(score: float, counted: int, k: int) -> int:
    """K (score - PD) in hundredths of a point, exactly, at a difference already `counted`."""
    return k * (round(score * 100) - scoring_percent(counted))


def check_whole_k(k: int) -> None:
    """InputError unless K is a whole number of at least 1."""
    if not k >= 1 or k % 1 != 0:
        raise InputError(
            _("FIDE's K must be a whole number above 0, and it is {k}.").format(k=f"{k:g}")
        )
