"""What costs nothing, or next to it: the estimates that the model must beat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.strength.acpl_line import AcplLine
from pipeline.strength.measured import Measured, measured
from pipeline.strength.own_moves import Column
from pipeline.strength.pools import Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Baselines:
    """Mean absolute errors of other estimates of the same pools, in points.

    `constant`: always the median rating of all player-games of the speed that were evaluated,
    which no program can know beforehand. `acpl_formula`: 3100·e^(−0.01·ACPL), which several
    review programs show as a rating. `acpl_line`: a straight line in ACPL, fitted on training
    players; None where the model has none. Both None where no game has an ACPL.
    """

    constant: Measured
    acpl_formula: Measured | None
    acpl_line: Measured | None


def baselines(pools: Sequence[Pool], *, constant: float, line: AcplLine | None) -> Baselines:
    """Of at least one pool."""
    fitted = None
    if line is not None:
        fitted = _error(pools, line.ratings, lambda pool: pool.todays_centipawn_loss)
    always = np.array([abs(pool.rating - constant) for pool in pools])
    return Baselines(
        constant=measured(always, [pool.player for pool in pools]),
        acpl_formula=_error(pools, acpl_formula, lambda pool: pool.average_centipawn_loss),
        acpl_line=fitted,
    )


def acpl_formula(average_centipawn_losses: Column) -> Column:
    """3100·e^(−0.01·ACPL)."""
    return np.asarray(3100 * np.exp(-0.01 * average_centipawn_losses))


def _error(
    pools: Sequence[Pool],
    estimate: Callable[[Column], Column],
    loss_of: Callable[[Pool], float | None],
) -> Measured | None:
    known = [(pool, loss) for pool in pools if (loss := loss_of(pool)) is not None]
    if not known:
        return None
    losses, ratings = np.array([(loss, pool.rating) for pool, loss in known]).T
    return measured(np.abs(estimate(losses) - ratings), [pool.player for pool, _ in known])
