"""One game against a rated opponent, and what every rating formula refuses to calculate with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

from config.errors import InputError
from config.language import _, english, retold

SCORES = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Played:
    """A game's opponent (rating before the game) and the player's own score: 1, ½ or 0."""

    opponent_rating: float
    score: float


def check_rating(rating: float, *, whose: str = english("The rating")) -> None:
    """InputError, naming `whose` it is, unless `rating` is a finite number."""
    if not isfinite(rating):
        raise InputError(
            _("{whose} must be a finite number, and it is {rating}.").format(
                whose=retold(whose), rating=rating
            )
        )


def check_score(score: float, *, where: str = english("The score")) -> None:
    """InputError, naming `where`, unless `score` is 1, ½ or 0."""
    if score not in SCORES:
        raise InputError(
            _("{where} must be 1, 0.5 or 0, and it is {score}.").format(
                where=retold(where), score=f"{score:g}"
            )
        )


def check_k(k: float) -> None:
    """InputError unless K, the points that a whole game is worth, is finite and above 0."""
    if not (isfinite(k) and k > 0):
        raise InputError(_("K must be a number above 0, and it is {k}.").format(k=f"{k:g}"))


def check_games(games: Sequence[Played]) -> None:
    """InputError when there is no game, or one (named by its place, from 1) is impossible."""
    if not games:
        raise InputError(_("There are no games: give at least one opponent's rating and a score."))
    for number, game in enumerate(games, start=1):
        check_rating(
            game.opponent_rating,
            whose=_("Game {number}: the opponent's rating").format(number=number),
        )
        check_score(game.score, where=_("Game {number}: the score").format(number=number))


def total_score(games: Iterable[Played]) -> float:
    """The points made: wins count 1, draws ½."""
    return sum(game.score for game in games)
