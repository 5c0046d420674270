"""How many nodes a position are enough: the same games by evaluations of several depths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from statistics import fmean

import numpy as np

from config.errors import InputError, NoGames
from config.language import _, english, retold
from config.localized import number_text
from pipeline.records import NoEstimate, StrengthRange
from pipeline.strength.budget_table import BudgetRow, BudgetTable, SpeedBudgets
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.evaluations_file import EvaluationsFile
from pipeline.strength.figures import range_figures
from pipeline.strength.human_cache import HumanCache
from pipeline.strength.labelled import GameSource, Label, LeftOut, Progress, silent
from pipeline.strength.leveled_games import LeveledGame, LeveledGames, Players
from pipeline.strength.leveled_reading import LeveledReading, leveled_reading
from pipeline.strength.lichess_agreement import agreement, lichess_analysis
from pipeline.strength.measured import measured
from pipeline.strength.model import COVERAGE
from pipeline.strength.own_moves import Column
from pipeline.strength.staged import STAGED_SEARCHES, Policy, everywhere


def measure_budgets(
    model: StrengthModel,
    sources: Sequence[GameSource],
    evaluations: Sequence[EvaluationsFile],
    *,
    human: HumanCache | None = None,
    players: Players = "validation",
    against: int | None = None,
    nodes_per_second: float | None = None,
    staged_searches: Sequence[Policy] = STAGED_SEARCHES,
    progress: Progress = silent,
) -> BudgetTable:
    """Error, width and agreement with Lichess for each number of nodes in `evaluations`.

    Single games in steady ratings of `players` are read, those that have every number of nodes
    which the files have at their speed; with `human`, those whose likelihoods it has.
    Evaluations that came with the games are compared with, never read. `against` is the number
    of nodes with whose errors the others' are compared; None for the largest.

    NoGames when there are none such; InputError when two files have a game with the same
    number of nodes, and when nothing has those of `against`.
    """
    left_out = LeftOut()
    found = LeveledGames(model, evaluations, human, players, left_out)
    games = sorted(found.all(sources, progress), key=_speed)
    measuring = _Measuring(model, against, nodes_per_second, staged_searches, left_out, progress)
    speeds = [measuring.at_speed(speed, list(those)) for speed, those in groupby(games, key=_speed)]
    if not any(speeds):
        raise NoGames(_why_nothing(players, left_out))
    return BudgetTable(
        model_name=model.name,
        stated_coverage=COVERAGE,
        players=players,
        nodes_per_second=nodes_per_second,
        left_out=left_out.most_common(),
        speeds=tuple(speed for speed in speeds if speed is not None),
    )


def _speed(leveled: LeveledGame) -> str:
    return leveled.game.speed


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One side of one game, with its range by each row."""

    label: Label
    ranges: tuple[StrengthRange, ...]


class _Measuring:
    """One speed after the other."""

    def __init__(
        self,
        model: StrengthModel,
        against: int | None,
        nodes_per_second: float | None,
        staged_searches: Sequence[Policy],
        left_out: LeftOut,
        progress: Progress,
    ) -> None:
        self._model = model
        self._against = against
        self._nodes_per_second = nodes_per_second
        self._staged_searches = staged_searches
        self._left_out = left_out
        self._progress = progress

    def at_speed(self, speed: str, games: Sequence[LeveledGame]) -> SpeedBudgets | None:
        """None where no game has every number of nodes and a range by each."""
        levels = sorted(set(chain.from_iterable(leveled.levels for leveled in games)))
        against = self._compared_with(levels, speed)
        whole = [leveled for leveled in games if self._is_whole(leveled, levels)]
        policies = [everywhere(nodes) for nodes in levels]
        policies += [s for s in self._staged_searches if set(s.nodes) <= set(levels)]
        seen = [self._readings(leveled, policies, at) for at, leveled in enumerate(whole, 1)]
        sides = self._sides(whole, seen)
        if not sides:
            return None
        rows = [
            self._row(policy, [by_row[row] for by_row in seen], row, sides, levels.index(against))
            for row, policy in enumerate(policies)
        ]
        return SpeedBudgets(
            speed=speed,
            against=against,
            games=len(whole),
            player_games=len(sides),
            players=len({side.label.player.lower() for side in sides}),
            with_human_model=self._model.reads_human_likelihoods(speed)
            and all(human is not None for leveled in whole for human in leveled.human),
            rows=tuple(rows),
        )

    def _compared_with(self, levels: Sequence[int], speed: str) -> int:
        if self._against is None:
            return levels[-1]
        if self._against not in levels:
            have = ", ".join(f"{nodes:,}" for nodes in levels)
            raise InputError(
                _(
                    "No evaluations of {speed} games have {against} nodes a position to "
                    "compare with; name one of {have}."
                ).format(speed=speed, against=number_text(self._against), have=have)
            )
        return self._against

    def _is_whole(self, leveled: LeveledGame, levels: Sequence[int]) -> bool:
        missing = [nodes for nodes in levels if nodes not in leveled.levels]
        if missing:
            reason = english("no evaluations with {nodes} nodes a position").format(
                nodes=f"{missing[0]:,}"
            )
            self._left_out.add(reason, len(leveled.labels))
        return not missing

    def _readings(
        self, leveled: LeveledGame, policies: Sequence[Policy], number: int
    ) -> list[LeveledReading]:
        stage = english("measuring {speed} games").format(speed=leveled.game.speed)
        self._progress(stage, number)
        lichess = lichess_analysis(leveled.game, leveled.replay)
        return [leveled_reading(self._model, leveled, policy, lichess) for policy in policies]

    def _sides(
        self, games: Sequence[LeveledGame], seen: Sequence[Sequence[LeveledReading]]
    ) -> list[_Side]:
        """Those with a range by every row; the others are counted."""
        found: list[_Side] = []
        for leveled, by_row in zip(games, seen, strict=True):
            for side, label in enumerate(leveled.labels):
                ranges = [row.ranges[side] for row in by_row]
                refusals = [r.reason for r in ranges if isinstance(r, NoEstimate)]
                if refusals:
                    self._left_out.add(refusals[0])
                else:
                    known = tuple(r for r in ranges if isinstance(r, StrengthRange))
                    found.append(_Side(label=label, ranges=known))
        return found

    def _row(
        self,
        policy: Policy,
        seen: Sequence[LeveledReading],
        row: int,
        sides: Sequence[_Side],
        reference: int,
    ) -> BudgetRow:
        players = [side.label.player.lower() for side in sides]
        ratings = np.array([float(side.label.rating) for side in sides])
        nodes = fmean(one.nodes for one in seen)
        return BudgetRow(
            name=policy.name,
            nodes_per_position=None if policy.is_staged else policy.nodes[0],
            nodes_per_game=nodes,
            cpu_seconds_per_game=self._nodes_per_second and nodes / self._nodes_per_second,
            ranges=range_figures(
                [side.ranges[row] for side in sides], ratings, players, whole=True
            ),
            excess_error=measured(_errors(sides, row) - _errors(sides, reference), players),
            lichess=agreement(list(chain.from_iterable(one.compared for one in seen))),
        )


def _errors(sides: Sequence[_Side], row: int) -> Column:
    """Absolute, of the medians by one row."""
    return np.array([abs(side.ranges[row].median - side.label.rating) for side in sides])


def _why_nothing(players: Players, left_out: LeftOut) -> str:
    who = {
        "all": _("a player"),
        "validation": _("a validation player"),
        "held-out": _("a held-out player"),
    }[players]
    most = left_out.most_common()
    because = _(" (most often: {reason})").format(reason=retold(most[0][0])) if most else ""
    return _(
        "No game of {who} can be compared{because}; give rated games and, with --evals, what "
        "'movelo analyse' made of them with each number of nodes."
    ).format(who=who, because=because)
