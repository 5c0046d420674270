"""A FIDE rating period: all games since the last list, one K, one rounding (B.02, 8.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from config.language import _
from pipeline.elo.fide_game import (
    change_hundredths,
    check_whole_k,
    counted_difference,
    is_rated,
)
from pipeline.elo.fide_k import k_within_700
from pipeline.elo.fide_rules import FideRules, TimeControl, check_control, fide_rating
from pipeline.elo.fide_tables import scoring_percent
from pipeline.elo.played import Played, check_games


@dataclass(frozen=True, slots=True, kw_only=True)
class FideGame:
    """One game of a period: the difference (own less opponent's) as counted, PD, K(score - PD).

    A game that is not rated has no expectation and changes nothing.
    """

    opponent_rating: int
    score: float
    rated: bool
    counted_difference: int
    expected_score: float
    change: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FidePeriod:
    """A rating period. `k` was asked for, `k_used` is left of it by the 700 rule.

    `unrounded_change` is the sum over the rated games, `change` that sum rounded once. Under
    the floor of its rules (`below_floor`) the new rating is not published.
    """

    rating_before: int
    rating_after: int
    change: int
    unrounded_change: float
    k: int
    k_used: int
    score: float
    expected_score: float
    below_floor: bool
    games: tuple[FideGame, ...]


def period_change(
    rating: float,
    events: Sequence[Sequence[Played]],
    *,
    k: int,
    rules: FideRules,
    control: TimeControl = "standard",
) -> FidePeriod:
    """All rated games of one rating period, grouped by event, from the rating at its start.

    K shrinks by the 700 rule (8.3.3); the sum is rounded once, half a point away from zero
    (8.3.4). FIDE's lists show one rounding a period rather than one an event in 13 of 14 real
    cases that tell them apart. The grouping matters only where the rules allow one upgrade an
    event. InputError for no game at all and for impossible numbers, naming the game by its
    place in the period.
    """
    own = fide_rating(rating)
    check_control(control)
    check_whole_k(k)
    _check_events(events)
    lines = _counted(own, events, rules, control)
    k_used = k_within_700(k, max(1, sum(rated for _, rated, _ in lines)))
    return _period(own, [_fide_game(line, k_used) for line in lines], k, k_used, rules)


def rounded_change(change: float) -> int:
    """A period's change (it has at most two decimals) as FIDE rounds it: ½ away from zero."""
    hundredths = round(change * 100)
    points = (abs(hundredths) + 50) // 100
    return points if hundredths >= 0 else -points


def _check_events(events: Sequence[Sequence[Played]]) -> None:
    games = [game for event in events for game in event]
    check_games(games)
    for number, game in enumerate(games, start=1):
        fide_rating(
            game.opponent_rating,
            whose=_("Game {number}: the opponent's rating").format(number=number),
        )


_Line = tuple[Played, bool, int]
"""A game, whether it is rated, and the difference that counts."""


def _counted(
    rating: int, events: Sequence[Sequence[Played]], rules: FideRules, control: TimeControl
) -> list[_Line]:
    return [
        (game, is_rated(rating, game.opponent_rating, rules, control), difference)
        for event in events
        for game, difference in zip(
            event, _event_differences(rating, event, rules, control), strict=True
        )
    ]


def _event_differences(
    rating: int, event: Sequence[Played], rules: FideRules, control: TimeControl
) -> list[int]:
    # Only the higher rated benefits from an upgrade of the opponent, so the lower rated player's
    # difference is cut at 400 in every game. Of equal differences the first one is upgraded.
    capped = [counted_difference(rating, game.opponent_rating, rules, control) for game in event]
    if not rules.one_upgrade_per_event:
        return capped
    true = [rating - fide_rating(game.opponent_rating) for game in event]
    upgraded = max(range(len(event)), key=lambda index: true[index], default=None)
    return [
        cut if index == upgraded or difference < 0 else difference
        for index, (cut, difference) in enumerate(zip(capped, true, strict=True))
    ]


def _fide_game(line: _Line, k: int) -> FideGame:
    game, rated, difference = line
    percent = scoring_percent(difference)
    return FideGame(
        opponent_rating=int(game.opponent_rating),
        score=game.score,
        rated=rated,
        counted_difference=difference,
        expected_score=percent / 100 if rated else 0.0,
        change=change_hundredths(game.score, difference, k) / 100 if rated else 0.0,
    )


def _period(
    rating: int, games: Sequence[FideGame], k: int, k_used: int, rules: FideRules
) -> FidePeriod:
    rated = [game for game in games if game.rated]
    unrounded = round(sum(game.change for game in rated), 2)
    after = rating + rounded_change(unrounded)
    return FidePeriod(
        rating_before=rating,
        rating_after=after,
        change=after - rating,
        unrounded_change=unrounded,
        k=k,
        k_used=k_used,
        score=sum(game.score for game in rated),
        expected_score=round(sum(game.expected_score for game in rated), 2),
        below_floor=after < rules.rating_floor,
        games=tuple(games),
    )
