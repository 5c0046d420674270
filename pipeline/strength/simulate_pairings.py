"""Who plays whom in a simulated sample: equals, each rated exactly as strong as they play."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from pipeline.records import Clock, GamePlayer
from pipeline.strength.simulate import PlannedGame

_FIRST_GAME_AT = datetime(2026, 1, 1, tzinfo=UTC)
_BETWEEN_GAMES = timedelta(hours=1)


def pairings(
    strengths: Sequence[int],
    *,
    games: int,
    games_a_player: int,
    clock: Clock,
    speed: str,
    seed: int,
) -> Iterator[PlannedGame]:
    """`games` of them at each strength; every `games_a_player` games two new players come.

    The id of a game says everything that it depends on, so that `generator_of` makes it the
    same whatever else is played.
    """
    for strength in strengths:
        for number in range(games):
            game_id = (
                f"sim-{seed}-{strength}-{clock.initial_seconds}+{clock.increment_seconds}-"
                f"{games_a_player}-{number}"
            )
            names = _names(strength, number // games_a_player, seed)
            white, black = names if number % 2 == 0 else names[::-1]
            yield PlannedGame(
                game_id=game_id,
                created_at=_FIRST_GAME_AT + number * _BETWEEN_GAMES,
                speed=speed,
                clock=clock,
                white=GamePlayer(name=white, rating=strength),
                black=GamePlayer(name=black, rating=strength),
                white_strength=strength,
                black_strength=strength,
            )


def generator_of(pairing: PlannedGame) -> random.Random:
    """The randomness of one game."""
    return random.Random(pairing.game_id)  # noqa: S311 (nothing secret)


def _names(strength: int, pair: int, seed: int) -> tuple[str, str]:
    one, other = (f"simulated-{seed}-{strength}-{2 * pair + side}" for side in (1, 2))
    return one, other
