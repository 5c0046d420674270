"""A player's games as columns of numbers: what the figures are computed from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipeline.differences.account import Account
from pipeline.differences.estimate import Floats
from pipeline.differences.move_losses import NOTHING, BothLosses
from pipeline.differences.thresholds import foreseen_score
from pipeline.records import Aspect, Phase

Flags = npt.NDArray[np.bool_]
PRESSED, CALM = "pressed", "calm"


@dataclass(frozen=True, slots=True, kw_only=True)
class LossColumns:
    """Moves and what they lost in win percent, an entry for each game; 0 where there are none."""

    own_moves: Floats
    own_loss: Floats
    own_accuracy: Floats
    their_moves: Floats
    their_loss: Floats

    def where(self, chosen: Flags) -> LossColumns:
        """Those of the chosen games, 0 elsewhere."""
        return LossColumns(
            own_moves=self.own_moves * chosen,
            own_loss=self.own_loss * chosen,
            own_accuracy=self.own_accuracy * chosen,
            their_moves=self.their_moves * chosen,
            their_loss=self.their_loss * chosen,
        )

    def without(self, part: LossColumns) -> LossColumns:
        """What remains when `part` is taken away."""
        return LossColumns(
            own_moves=self.own_moves - part.own_moves,
            own_loss=self.own_loss - part.own_loss,
            own_accuracy=self.own_accuracy - part.own_accuracy,
            their_moves=self.their_moves - part.their_moves,
            their_loss=self.their_loss - part.their_loss,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupColumns:
    """A group, and the rest that it is compared with: no game, or no move, is in both.

    `games` and `other_games` say which games; for groups of moves a game may be in both.
    """

    aspect: Aspect
    key: str
    games: Flags
    other_games: Flags
    losses: LossColumns
    other_losses: LossColumns

    @property
    def is_of_moves(self) -> bool:
        """Whether moves are divided, not games: then results do not belong to the group."""
        return self.aspect in (Aspect.PHASE, Aspect.TIME_PRESSURE)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameColumns:
    """Points a game, and 0 where unknown: score minus foreseen score, score minus last worth."""

    score: Floats
    expected_score: Floats
    result: Floats
    is_result_known: Flags
    end: Floats
    is_end_known: Flags


def game_columns(accounts: Sequence[Account]) -> GameColumns:
    """An entry for each game, in their order."""
    expected = [account.expected_score for account in accounts]
    worths = [account.worth for account in accounts]
    return GameColumns(
        score=np.array([account.score for account in accounts]),
        expected_score=np.array([value or 0.0 for value in expected]),
        result=np.array(
            [
                0.0 if e is None else a.score - foreseen_score(e, a.color)
                for a, e in zip(accounts, expected, strict=True)
            ]
        ),
        is_result_known=np.array([value is not None for value in expected]),
        end=np.array(
            [0.0 if w is None else a.score - w for a, w in zip(accounts, worths, strict=True)]
        ),
        is_end_known=np.array([value is not None for value in worths]),
    )


def groups_of_games(
    accounts: Sequence[Account], keys: Mapping[Aspect, Sequence[str | None]]
) -> Iterable[GroupColumns]:
    """Every group of every aspect, however small, aspects in the order of `keys`.

    An opening is compared with the others that were played with the same colour.
    """
    everything = _all_moves(accounts)
    colors = np.array([account.color for account in accounts])
    for aspect, of_games in keys.items():
        found = np.array([key or "" for key in of_games])
        known = found != ""
        for key in sorted({key for key in of_games if key is not None}):
            chosen = found == key
            others = known & ~chosen
            if aspect is Aspect.OPENING:
                others &= colors == accounts[int(chosen.argmax())].color
            yield GroupColumns(
                aspect=aspect,
                key=key,
                games=chosen,
                other_games=others,
                losses=everything.where(chosen),
                other_losses=everything.where(others),
            )


def groups_of_moves(accounts: Sequence[Account]) -> Iterable[GroupColumns]:
    """The phases, then time pressure and its absence; only those that have any move."""
    phases = {phase.value: _loss_columns(accounts, _in_phase(phase)) for phase in Phase}
    yield from _parts_of_moves(Aspect.PHASE, phases)
    clocks = {
        PRESSED: _loss_columns(accounts, lambda a: a.by_clock[0] if a.by_clock else NOTHING),
        CALM: _loss_columns(accounts, lambda a: a.by_clock[1] if a.by_clock else NOTHING),
    }
    yield from _parts_of_moves(Aspect.TIME_PRESSURE, clocks)


def _parts_of_moves(aspect: Aspect, parts: Mapping[str, LossColumns]) -> Iterable[GroupColumns]:
    everything = _sum_of(list(parts.values()))
    for key, losses in parts.items():
        rest = everything.without(losses)
        if losses.own_moves.any():
            yield GroupColumns(
                aspect=aspect,
                key=key,
                games=losses.own_moves > 0,
                other_games=rest.own_moves > 0,
                losses=losses,
                other_losses=rest,
            )


def _in_phase(phase: Phase) -> Callable[[Account], BothLosses]:
    return lambda account: account.phases.get(phase, NOTHING)


def _all_moves(accounts: Sequence[Account]) -> LossColumns:
    return _sum_of([_loss_columns(accounts, _in_phase(phase)) for phase in Phase])


def _sum_of(columns: Sequence[LossColumns]) -> LossColumns:
    return LossColumns(
        own_moves=np.sum([c.own_moves for c in columns], axis=0),
        own_loss=np.sum([c.own_loss for c in columns], axis=0),
        own_accuracy=np.sum([c.own_accuracy for c in columns], axis=0),
        their_moves=np.sum([c.their_moves for c in columns], axis=0),
        their_loss=np.sum([c.their_loss for c in columns], axis=0),
    )


def _loss_columns(
    accounts: Sequence[Account], chosen: Callable[[Account], BothLosses]
) -> LossColumns:
    both = [chosen(account) for account in accounts]
    return LossColumns(
        own_moves=np.array([b.own.moves for b in both], dtype=float),
        own_loss=np.array([b.own.win_percent for b in both]),
        own_accuracy=np.array([b.own.accuracy for b in both]),
        their_moves=np.array([b.theirs.moves for b in both], dtype=float),
        their_loss=np.array([b.theirs.win_percent for b in both]),
    )
