"""The new rating after a list of games, by system: what `pipeline.elo.what_if` asks of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from pipeline.elo import cfc as canada
from pipeline.elo import uschess, usual
from pipeline.elo.echecs_maths import new_rating
from pipeline.elo.fide import period_change, rules_on
from pipeline.elo.glicko1 import GlickoGame
from pipeline.elo.glicko2 import Glicko2Rating
from pipeline.elo.lichess_games import lichess_games
from pipeline.elo.logistic import as_rating_period
from pipeline.elo.played import Played
from pipeline.elo.what_if import RatingAfter


def elo(rating: float, *, k: float) -> RatingAfter:
    """Plain Elo, all games as one rating period."""
    return lambda games: as_rating_period(rating, games, k).rating_after


def fide(rating: float, *, k: float, on: date) -> RatingAfter:
    """One FIDE period of standard chess with a given K, by the rules of the day."""
    rules = rules_on(on)
    # period_change refuses a K that is no whole number; int() would hide it.
    whole_k = int(k) if k == int(k) else k
    return lambda games: period_change(rating, [games], k=whole_k, rules=rules).rating_after  # type: ignore[arg-type]


def cma(rating: float) -> RatingAfter:
    """One event of the Association Échecs et Maths."""
    return lambda games: new_rating(rating, games).rating_after


def cfc(rating: float) -> RatingAfter:
    """One CFC event of a player who has never been rated higher."""
    return lambda games: canada.new_rating(rating, games).rating_after


def uscf(rating: float, *, prior_games: int, on: date) -> RatingAfter:
    """One US Chess event that ends on a day, without floors."""
    threshold = uschess.bonus_threshold_on(on)
    return lambda games: (
        uschess.new_rating(
            rating, games, prior_games=prior_games, bonus_threshold=threshold
        ).rating_after
    )


def lichess(rating: float, *, deviation: float, perf: str) -> RatingAfter:
    """Rated Lichess games in their order, everybody with the same deviation, no colour known."""
    player = Glicko2Rating(rating=rating, deviation=deviation, volatility=usual.VOLATILITY)

    def after(games: Sequence[Played]) -> float:
        met = [GlickoGame(game.opponent_rating, deviation, game.score) for game in games]
        return lichess_games(player, met, perf=perf).after.rating

    return after
