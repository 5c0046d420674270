"""From examples to the fitted parts of a model, one for each speed that has enough of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.strength.balance import Balance, Unseen, fit_balance
from pipeline.strength.boosting import Grow
from pipeline.strength.calibrate import (
    circumstances,
    depth_effect,
    shared_variance,
    unseen_likelihoods,
)
from pipeline.strength.examples import Examples, in_training
from pipeline.strength.features import all_feature_names, clock_feature_names
from pipeline.strength.fit_human import MIN_HUMAN_GAMES, fit_human
from pipeline.strength.likelihood import fit_likelihood
from pipeline.strength.model import COVERAGE, Channel, SpeedModel
from pipeline.strength.own_moves import Column
from pipeline.strength.prior import log_prior

_REFERENCE_ROWS = 5


def fit_speeds(
    examples: Examples,
    *,
    seed: int,
    grow: Grow,
    min_player_games: int,
    min_human_games: int = MIN_HUMAN_GAMES,
) -> Iterator[SpeedModel]:
    """Training players grow the forests; calibration players say how far to trust them.

    With clocks and without is fitted apart, so that absent clocks cost width and no bias. A
    speed or a channel with fewer than `min_player_games` player-games is left out, and so is
    the human-move model where fewer than `min_human_games` of them have been shown to it.
    """
    twice_evaluated = _calibration_only(examples)
    for speed in sorted(set(examples.speeds.tolist())):
        at_speed = examples.where((examples.speeds == speed) & examples.first)
        parts = {False: at_speed, True: at_speed.where(at_speed.have_clocks)}
        fitted = [
            _fit_channel(
                part,
                twice_evaluated,
                with_clocks=with_clocks,
                seed=seed,
                grow=grow,
                min_human_games=min_human_games,
            )
            for with_clocks, part in parts.items()
            if len(part) >= min_player_games
        ]
        if fitted:
            prior = log_prior(at_speed.ratings)
            yield SpeedModel(
                speed=speed,
                log_prior=prior,
                balance=_balance([part.unseen for part in fitted], prior),
                human_balance=_balance([part.unseen_with_human for part in fitted], prior),
                shared_variance=max(part.shared_variance for part in fitted),
                channels=tuple(part.channel for part in fitted),
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Fitted:
    """A channel, the shared variance of its readings, and how it reads whom it has not seen."""

    channel: Channel
    shared_variance: float
    unseen: Unseen
    unseen_with_human: Unseen | None


def _calibration_only(examples: Examples) -> Examples:
    """Those whom no forest has seen, with both kinds of evaluations where they have both.

    What shallow evaluations do is learned from all speeds together: few games have
    both kinds.
    """
    return examples.where(~in_training(examples))


def _fit_channel(
    examples: Examples,
    twice_evaluated: Examples,
    *,
    with_clocks: bool,
    seed: int,
    grow: Grow,
    min_human_games: int,
) -> _Fitted:
    names, columns = _feature_columns(with_clocks)
    rows = examples.rows[:, columns]
    training = in_training(examples)
    calibration, unseen = examples.where(~training), rows[~training]
    reference = unseen[:_REFERENCE_ROWS]
    grown = grow(rows[training], examples.ratings[training], reference_rows=reference, seed=seed)
    readings = grown.forest.predict(unseen)
    paired = twice_evaluated.where(twice_evaluated.have_clocks | (not with_clocks))
    depth = depth_effect(grown.forest.predict(paired.rows[:, columns]), paired)
    given = circumstances(calibration)
    likelihood = fit_likelihood(readings, calibration.ratings, given, depth=depth)
    channel = Channel(
        with_clocks=with_clocks,
        feature_names=names,
        forest=grown.forest,
        likelihood=likelihood,
        reference_rows=reference,
        reference_readings=grown.reference_readings,
        made_with=grown.made_with,
    )
    human = fit_human(examples, columns, channel, seed=seed, grow=grow, least=min_human_games)
    return _Fitted(
        channel=replace(channel, human=human[0]) if human else channel,
        shared_variance=shared_variance(readings, calibration, likelihood),
        unseen=unseen_likelihoods(readings, calibration, likelihood),
        unseen_with_human=human[1] if human else None,
    )


def _balance(parts: Sequence[Unseen | None], log_prior: Column) -> Balance:
    """One for all ways of reading a speed's games: a pool may have games of several."""
    found = [part for part in parts if part is not None]
    if not found:
        return Balance()
    together = Unseen(
        log_likelihoods=np.concatenate([part.log_likelihoods for part in found]),
        ratings=np.concatenate([part.ratings for part in found]),
    )
    return fit_balance(together, log_prior, coverage=COVERAGE)


def _feature_columns(with_clocks: bool) -> tuple[tuple[str, ...], list[int]]:
    pairs = [
        (name, column)
        for column, name in enumerate(all_feature_names())
        if with_clocks or name not in clock_feature_names()
    ]
    return tuple(name for name, _ in pairs), [column for _, column in pairs]
