"""Games of one player put together, and what the model makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from config.errors import ModelError
from config.language import _
from pipeline.records import Evidence, NoEstimate, StrengthRange
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.grid import share_below
from pipeline.strength.reading import Reading


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pool:
    """Some games of one player, their common range, and their mean rating.

    `probability_below` (0 to 1) is what the model gives to strengths below that rating.
    """

    player: str
    rating: float
    range: StrengthRange
    range_without_human_model: StrengthRange | None
    probability_below: float
    average_centipawn_loss: float | None
    todays_centipawn_loss: float | None


class PoolMaker:
    """Makes each pool once, in however many selections it occurs."""

    def __init__(self, model: StrengthModel) -> None:
        self._model = model
        self._made: dict[tuple[Reading, ...], Pool] = {}

    def pools(self, readings: Sequence[Reading], size: int) -> list[Pool]:
        """Of `size` consecutive games of a player each; `readings` are of one speed."""
        return [self._pool(tuple(games)) for games in consecutive(readings, size)]

    def _pool(self, games: tuple[Reading, ...]) -> Pool:
        if games not in self._made:
            self._made[games] = _pool(games, self._model)
        return self._made[games]


def consecutive(readings: Sequence[Reading], size: int) -> Iterator[list[Reading]]:
    """Each player's games in order of time, `size` at a time; the rest of them is left."""
    ordered = sorted(readings, key=lambda r: (r.player, r.created_at, r.game_id))
    for _player, group in groupby(ordered, key=lambda r: r.player):
        games = list(group)
        for start in range(0, len(games) - size + 1, size):
            yield games[start : start + size]


def _pool(games: Sequence[Reading], model: StrengthModel) -> Pool:
    speed, rating = games[0].speed, fmean(game.rating for game in games)
    evidence = [game.evidence for game in games]
    alone = [game.evidence_without_human_model for game in games]
    others = [one for one in alone if one is not None]
    return Pool(
        player=games[0].player,
        rating=rating,
        range=_range(evidence, speed, model),
        range_without_human_model=(
            _range(others, speed, model) if len(others) == len(games) else None
        ),
        probability_below=share_below(model.posterior(evidence, speed=speed), rating),
        average_centipawn_loss=_mean([game.average_centipawn_loss for game in games]),
        todays_centipawn_loss=_mean([game.todays_centipawn_loss for game in games]),
    )


def _range(evidences: Sequence[Evidence], speed: str, model: StrengthModel) -> StrengthRange:
    found = model.strength_range(evidences, speed=speed)
    if isinstance(found, NoEstimate):
        raise ModelError(
            _("The model made evidence of {speed} games and then no range of it.").format(
                speed=speed
            )
        )
    return found


def _mean(losses: Sequence[float | None]) -> float | None:
    """Of those that are known."""
    known = [loss for loss in losses if loss is not None]
    return fmean(known) if known else None
