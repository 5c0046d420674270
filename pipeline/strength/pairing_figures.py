"""Ranges with the pairing beside those of the own moves alone, for the same player-games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from config.errors import ModelError
from config.language import _
from pipeline.records import Evidence, NoEstimate, StrengthRange
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.figures import POOL_SIZES, About, RangeFigures, range_figures
from pipeline.strength.pairing_estimate import speeds_with_pairing
from pipeline.strength.pools import consecutive
from pipeline.strength.reading import Reading
from pipeline.strength.selections import SELECTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingFigures:
    """The ranges of some pools, from the own moves alone and with the opponents' moves too."""

    about: About
    pools: int
    players: int
    own_moves: RangeFigures
    with_pairing: RangeFigures


def pairing_figures(
    readings: Sequence[Reading], model: StrengthModel
) -> tuple[PairingFigures, ...]:
    """By speed, selection and size of pool, of games with both sides read by the human-move model.

    A model looks too good on an opponent whom it was fitted on: give readings of players of
    whom none was. ModelError when the model has no pairing.
    """
    fitted = speeds_with_pairing(model)
    opponents = _opponents(readings)
    both = [reading for reading in readings if reading in opponents and reading.speed in fitted]
    return tuple(_all_figures(both, opponents, model))


def _opponents(readings: Sequence[Reading]) -> dict[Reading, Reading]:
    """Each reading's other side, where that was read."""
    sides: dict[str, list[Reading]] = {}
    for reading in (r for r in readings if r.evidence.with_human_model):
        sides.setdefault(reading.game_id, []).append(reading)
    found: dict[Reading, Reading] = {}
    for game in sides.values():
        if len(game) == 2 and game[0].evidence.color != game[1].evidence.color:
            found |= {game[0]: game[1], game[1]: game[0]}
    return found


def _all_figures(
    readings: Sequence[Reading], opponents: dict[Reading, Reading], model: StrengthModel
) -> Iterator[PairingFigures]:
    for speed in sorted({reading.speed for reading in readings}):
        for selection, belongs in SELECTIONS.items():
            chosen = [r for r in readings if r.speed == speed and belongs(r)]
            for size in POOL_SIZES:
                about = About(speed=speed, selection=selection, games_per_pool=size)
                if pools := list(consecutive(chosen, size)):
                    yield _figures(about, pools, opponents, model)


def _figures(
    about: About,
    pools: Sequence[Sequence[Reading]],
    opponents: dict[Reading, Reading],
    model: StrengthModel,
) -> PairingFigures:
    ratings = np.array([fmean(game.rating for game in pool) for pool in pools])
    players = [pool[0].player for pool in pools]
    alone = [_range(pool, (), about.speed, model) for pool in pools]
    paired = [
        _range(pool, [opponents[game] for game in pool], about.speed, model) for pool in pools
    ]
    return PairingFigures(
        about=about,
        pools=len(pools),
        players=len(set(players)),
        own_moves=range_figures(alone, ratings, players, whole=True),
        with_pairing=range_figures(paired, ratings, players, whole=True),
    )


def _range(
    own: Sequence[Reading], opponents: Sequence[Reading], speed: str, model: StrengthModel
) -> StrengthRange:
    by_person: dict[str, list[Evidence]] = {}
    for reading in opponents:
        by_person.setdefault(reading.player, []).append(reading.evidence)
    evidences = [reading.evidence for reading in own]
    found = model.strength_range_with_pairing(evidences, list(by_person.values()), speed=speed)
    if isinstance(found, NoEstimate):
        raise ModelError(
            _("The model made evidence of {speed} games and then no range of it.").format(
                speed=speed
            )
        )
    return found
