"""A list of rated Lichess games one after another, from one player's side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.evals import Color
from pipeline.elo.glicko1 import GlickoGame, check_glicko_games
from pipeline.elo.glicko2 import Glicko2Rating
from pipeline.elo.lichess_glicko2 import NEW_PLAYER, lichess_game, rating_diff


@dataclass(frozen=True, slots=True, kw_only=True)
class LichessLine:
    """One game: the opponent, the score, the player after it, `ratingDiff` as Lichess shows it."""

    opponent_rating: float
    opponent_deviation: float
    score: float
    after: Glicko2Rating
    rating_diff: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LichessGames:
    """A player before and after a list of games; `color` None stands for no known colour."""

    perf: str
    color: Color | None
    before: Glicko2Rating
    after: Glicko2Rating
    games: tuple[LichessLine, ...]


def lichess_games(
    player: Glicko2Rating, games: Sequence[GlickoGame], *, perf: str, color: Color | None = None
) -> LichessGames:
    """Each game from the values that the one before it left, no time passing between them.

    `color` is the player's own in all games; without it White's advantage is left out. The
    opponents' volatility does not touch the player. InputError as for `lichess_game`.
    """
    check_glicko_games(games)
    lines: list[LichessLine] = []
    current = player
    for game in games:
        after = _after(current, game, perf, color)
        lines.append(
            LichessLine(
                opponent_rating=game.opponent_rating,
                opponent_deviation=game.opponent_deviation,
                score=game.score,
                after=after,
                rating_diff=rating_diff(current.rating, after.rating),
            )
        )
        current = after
    return LichessGames(perf=perf, color=color, before=player, after=current, games=tuple(lines))


def _after(
    player: Glicko2Rating, game: GlickoGame, perf: str, color: Color | None
) -> Glicko2Rating:
    opponent = Glicko2Rating(
        rating=game.opponent_rating,
        deviation=game.opponent_deviation,
        volatility=NEW_PLAYER.volatility,
    )
    advantage = None if color else 0.0
    if color == "black":
        return lichess_game(opponent, player, 1 - game.score, perf=perf)[1]
    return lichess_game(player, opponent, game.score, perf=perf, color_advantage=advantage)[0]
