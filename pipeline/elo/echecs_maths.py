"""The scholastic rating of the Association Échecs et Maths (Chess'n Math Association).

Source: chess-math.org/scholastic-rating. The formula is Elo's with K = 32 and a straight line
for the expected score: ½ + difference / 800, differences cut to ±350.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from config.errors import InputError
from config.language import _
from pipeline.elo.played import Played, check_games, check_rating

POINTS_PER_WIN = 16
POINTS_PER_POINT_OF_DIFFERENCE = 0.04
LARGEST_DIFFERENCE = 350
FEWEST_GAMES_FOR_BONUS = 3
POINTS_PER_GAME_PLAYED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CmaResult:
    """A new rating, and the parts it is the sum of: before, base, bonus, participation.

    `base_change` is 16 (wins - losses) + 0.04 × the sum of differences; `bonus` what a very good
    event adds; `participation` 2 points a game.
    """

    rating_before: float
    base_change: float
    bonus: float
    participation: float
    rating_after: float

    @property
    def rating_with_base(self) -> float:
        """NC: the rating after wins, losses and differences alone."""
        return self.rating_before + self.base_change

    @property
    def rating_with_bonus(self) -> float:
        """NC and the bonus, before the points for taking part."""
        return self.rating_with_base + self.bonus


def new_rating(rating: float, games: Sequence[Played]) -> CmaResult:
    """The rating after one event; all games count from the rating before it. Not rounded.

    The bonus is 1 point for each point gained above `bonus_threshold`. The 2 points a game are
    given for every game played, as in the association's worked example (600 → 637 → 648 → 658);
    its page adds that they depend on the games since the start of the school year, and another
    text gives them for games won, up to 50: neither is applied. InputError for an empty list
    and for impossible numbers, naming the game.
    """
    check_rating(rating)
    check_games(games)
    base = sum(_change(rating, game) for game in games)
    bonus = _bonus(base, len(games))
    participation = float(POINTS_PER_GAME_PLAYED * len(games))
    return CmaResult(
        rating_before=rating,
        base_change=base,
        bonus=bonus,
        participation=participation,
        rating_after=rating + base + bonus + participation,
    )


def bonus_threshold(games: int) -> int:
    """Points gained in an event of `games` games above which the bonus begins: 16 + 2 a game.

    22, 24, 26 for 3, 4, 5 games. The page does not speak of 1 or 2 games: there is no bonus
    then, and this raises InputError.
    """
    if games < FEWEST_GAMES_FOR_BONUS:
        raise InputError(
            _(
                "The bonus begins with events of {fewest_games_for_bonus} games, not of {games}."
            ).format(fewest_games_for_bonus=FEWEST_GAMES_FOR_BONUS, games=games)
        )
    return 16 + 2 * games


def _change(rating: float, game: Played) -> float:
    difference = game.opponent_rating - rating
    counted = max(-LARGEST_DIFFERENCE, min(LARGEST_DIFFERENCE, difference))
    wins_less_losses = 2 * game.score - 1
    return POINTS_PER_WIN * wins_less_losses + POINTS_PER_POINT_OF_DIFFERENCE * counted


def _bonus(gained: float, games: int) -> float:
    if games < FEWEST_GAMES_FOR_BONUS:
        return 0.0
    return max(0.0, gained - bonus_threshold(games))
