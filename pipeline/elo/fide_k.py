"""FIDE's development coefficient K (8.3.3)."""

from __future__ import annotations

from datetime import date

from config.errors import InputError
from config.language import _
from pipeline.elo.fide_rules import TimeControl, check_control, fide_rating, rules_on

NEW_PLAYER_GAMES = 30
LAST_JUNIOR_AGE = 18
MOST_PER_PERIOD = 700
"""Points: K times the number of games in a rating period may not exceed this."""


def k_factor(
    *,
    rating: float,
    highest_published_rating: float | None,
    games_played: int,
    birth_year: int | None,
    on: date,
    control: TimeControl = "standard",
) -> int:
    """K: 40, 20 or 10 points for the games of a rating period, before the 700 rule.

    All values are those of one list (standard, rapid or blitz) as published for the period:
    `rating`, the highest ever (None: not above `rating`), and the games rated so far.
    - 10 once a published rating has reached 2400, for ever, even below it. The text orders the
      cases nowhere; "for ever" is taken to come before the two that follow.
    - 40 until the end of the year of the 18th birthday, while the rating is under 2300.
      Without `birth_year` the player counts as grown up.
    - 40 until 30 games are completed; otherwise 20.
    - In rapid and blitz 20 for everybody until 30 September 2022 (fide.com, 16 November 2011).

    Source: FIDE handbook B02, 8.3.3. InputError for impossible numbers, for a highest rating
    under the current one, and for a date before 2022.
    """
    check_control(control)
    current = fide_rating(rating)
    highest = _highest(current, highest_published_rating)
    _check_person(games_played, birth_year, on)
    if not rules_on(on).junior_and_master_k_in_rapid and control != "standard":
        return 20
    if highest >= 2400:
        return 10
    junior = birth_year is not None and on.year - birth_year <= LAST_JUNIOR_AGE
    if games_played < NEW_PLAYER_GAMES or (junior and current < 2300):
        return 40
    return 20


def k_within_700(k: int, games: int) -> int:
    """K itself, or the largest whole K with K × `games` ≤ 700 (8.3.3; 0 beyond 700 games)."""
    if games < 1:
        raise InputError(
            _("A rating period needs at least one game, and there are {games}.").format(games=games)
        )
    return min(k, MOST_PER_PERIOD // games)


def _highest(rating: int, highest_published_rating: float | None) -> int:
    if highest_published_rating is None:
        return rating
    highest = fide_rating(highest_published_rating, whose=_("The highest published rating"))
    if highest < rating:
        raise InputError(
            _(
                "The highest published rating ({highest}) cannot be under the current one "
                "({rating})."
            ).format(highest=highest, rating=rating)
        )
    return highest


def _check_person(games_played: int, birth_year: int | None, on: date) -> None:
    if games_played < 0:
        raise InputError(
            _("The number of rated games must be 0 or more, not {games_played}.").format(
                games_played=games_played
            )
        )
    if birth_year is not None and not on.year - 120 <= birth_year <= on.year:
        raise InputError(
            _("Nobody born in {birth_year} plays in {year}: check the birth year.").format(
                birth_year=birth_year, year=on.year
            )
        )
