"""The range with the pairing: from a player's own moves and from the opponents'.

An option, never the default: it holds only as far as the player's opponents were found as those
of the games that the pairing was fitted on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from config.errors import ModelError
from config.language import _
from pipeline.records import Evidence, NoEstimate, StrengthRange
from pipeline.strength.aggregate import tempering
from pipeline.strength.balance import Balance
from pipeline.strength.grid import central_range, normalised
from pipeline.strength.model import SpeedModel
from pipeline.strength.own_moves import Column
from pipeline.strength.pairing import Pairing, PairingTables, paired_log_likelihood, pairing_tables

if TYPE_CHECKING:
    from pipeline.strength.estimate import StrengthModel


def strength_range_with_pairing(
    model: StrengthModel,
    own: Sequence[Evidence],
    opponents: Sequence[Sequence[Evidence]],
    *,
    speed: str,
) -> StrengthRange | NoEstimate:
    """As `StrengthModel.strength_range` of `own`, with the opponents' evidence in it.

    `opponents` has one entry a person, with all the evidence of that person's moves in the
    player's games; the order does not matter. Only what the human-move model has read counts;
    without any the range is that of the own moves. ModelError where no pairing was fitted for
    `speed`.
    """
    alone = model.strength_range(own, speed=speed)
    fitted = model.fitted.speed(speed)
    if isinstance(alone, NoEstimate) or fitted is None:
        return alone
    for games in filter(None, opponents):
        model.posterior(games, speed=speed)  # refuses evidence of another kind
    counting = _that_count(opponents)
    if not counting or not alone.games_with_human_model:
        return alone
    posterior = posterior_with_pairing(fitted, own, counting)
    low, median, high = central_range(posterior, alone.coverage)
    return replace(alone, low=low, median=median, high=high, with_pairing=True)


def speeds_with_pairing(model: StrengthModel) -> tuple[str, ...]:
    """Those that it was fitted for; ModelError when there is none."""
    fitted = tuple(speed.speed for speed in model.fitted.speeds if speed.pairing is not None)
    if not fitted:
        raise ModelError(
            _(
                "The model {model} was fitted without a pairing; leave --with-pairing out, "
                "or fit a model with 'movelo train --pairing FILE'."
            ).format(model=model.name)
        )
    return fitted


def check_pairing(model: StrengthModel, *, with_human_model: bool) -> tuple[str, ...]:
    """`speeds_with_pairing`; ModelError also when no human-move model is there to read games."""
    if not with_human_model:
        raise ModelError(
            _(
                "The pairing needs the human-move model; leave --with-pairing out, or "
                "install the model with 'movelo model install'."
            )
        )
    return speeds_with_pairing(model)


def posterior_with_pairing(
    model: SpeedModel, own: Sequence[Evidence], opponents: Sequence[Sequence[Evidence]]
) -> Column:
    """Probabilities over `grid.RATINGS`, of evidence with the human-move model.

    Opponents are different people, yet misread alike: their level, their time and their time
    control are the player's own. Measured on rapid games, the errors of two opponents of one
    player share nearly as much as those of two own games (0.08 of the variance against 0.09).
    They are tempered alike, and count less than own moves, as a game misleads about both sides.
    """
    pairing, balance = _fitted_pairing(model), model.human_balance
    shared = model.human_shared_variance
    against = sum(len(games) for games in opponents)
    weight = tempering(against, shared) * pairing.opponent_weight
    log_likelihood = paired_log_likelihood(
        balance.evidence_weight * tempering(len(own), shared) * _summed(own),
        [balance.evidence_weight * weight * _summed(games) for games in opponents],
        _tables(model, pairing, balance),
    )
    return normalised(balance.prior_weight * model.log_prior + log_likelihood)


def _fitted_pairing(model: SpeedModel) -> Pairing:
    if model.pairing is None:
        raise ModelError(
            _(
                "The model for {speed} games was fitted without a pairing; leave "
                "--with-pairing out, or fit a model with 'movelo train --pairing FILE'."
            ).format(speed=model.speed)
        )
    return model.pairing


def _that_count(opponents: Sequence[Sequence[Evidence]]) -> list[list[Evidence]]:
    # By Stockfish's view alone a game misleads about both sides so much alike that measured
    # errors do not fall with the opponent's moves, while ranges hold less than they say.
    read = ([e for e in games if e.with_human_model] for games in opponents)
    return [games for games in read if games]


def _summed(evidences: Sequence[Evidence]) -> Column:
    return np.asarray(np.sum([e.log_likelihoods for e in evidences], axis=0), dtype=np.float64)


@lru_cache(maxsize=8)
def _tables(model: SpeedModel, pairing: Pairing, balance: Balance) -> PairingTables:
    return pairing_tables(pairing, balance.prior_weight * model.log_prior)
