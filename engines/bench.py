"""What an engine pool reaches on this machine, beside what its engines reach by themselves."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from config.errors import EngineError
from config.language import _
from engines.alone import Searched
from engines.evals import EngineFailure, EngineId, GameEvals, PositionSequence, SearchLimit

Clock: TypeAlias = Callable[[], float]


class Pool(Protocol):
    """An `EnginePool` as far as it is measured; it is entered by whoever opens it."""

    workers: int

    def evaluate(
        self, sequences: Iterable[PositionSequence]
    ) -> Iterator[GameEvals | EngineFailure]:
        """Each game's outcome, as it is finished."""
        ...


OpenPool: TypeAlias = Callable[[SearchLimit], AbstractContextManager[Pool]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Seconds by the wall, by this process's CPU, by that of its children that have ended.

    `children_cpu` is None where the system does not tell (Windows).
    """

    wall: Clock
    own_cpu: Clock
    children_cpu: Callable[[], float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetFigures:
    """One run of a pool, from the first game handed in to the last engine's end.

    `alone` are some of its games, searched by one engine with the same limit: their nodes per
    position stand for those of the run. The engines' CPU seconds include their starts
    (`alone.start_seconds` each) and the clearing of their hash before each game.
    `idle_at_end_seconds` is what the workers together waited for the last games of the others.
    """

    limit: SearchLimit
    workers: int
    games: int
    positions: int
    wall_seconds: float
    engines_cpu_seconds: float | None
    own_cpu_seconds: float
    idle_at_end_seconds: float
    alone: Searched

    @property
    def games_per_minute(self) -> float:
        """Games a minute of wall time."""
        return 60 * self.games / self.wall_seconds

    @property
    def positions_per_second(self) -> float:
        """Positions a second, those that the rules finish (no engine is asked) among them."""
        return self.positions / self.wall_seconds

    @property
    def nodes_per_second(self) -> float:
        """Nodes a second of all workers together."""
        return self.positions_per_second * self.alone.nodes_per_position

    @property
    def busy_share(self) -> float | None:
        """The engines' CPU time in that of `workers` cores, 0 to 1."""
        if self.engines_cpu_seconds is None:
            return None
        return self.engines_cpu_seconds / (self.workers * self.wall_seconds)

    @property
    def idle_at_end_share(self) -> float:
        """The wait for the last games in the time of `workers` cores, 0 to 1."""
        return self.idle_at_end_seconds / (self.workers * self.wall_seconds)

    @property
    def own_cpu_milliseconds_per_position(self) -> float:
        """CPU time of this process for a position."""
        return 1000 * self.own_cpu_seconds / self.positions


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchResult:
    """A machine's figures. None is what an engine or the system does not tell.

    `alone_nodes_per_second` is one engine in its own `bench`, `together_nodes_per_second` the
    sum of `workers` of them at once: cores share memory and the heat that they may make.
    """

    engine: EngineId
    cores: int
    workers: int
    hash_mebibytes: int
    alone_nodes_per_second: int | None
    together_nodes_per_second: int | None
    budgets: tuple[tuple[str, BudgetFigures], ...]
    peak_mebibytes: float | None

    def engine_bound(self, figures: BudgetFigures) -> float | None:
        """The pool's nodes a second as a share of what its engines reach by themselves."""
        if self.together_nodes_per_second is None:
            return None
        return figures.nodes_per_second / self.together_nodes_per_second


def system_clocks() -> Clocks:
    """The clocks of this machine."""
    return Clocks(
        wall=time.perf_counter, own_cpu=time.process_time, children_cpu=children_cpu_seconds
    )


def measure_pool(
    sequences: Sequence[PositionSequence],
    *,
    limit: SearchLimit,
    open_pool: OpenPool,
    alone: Searched,
    clocks: Clocks,
    on_game: Callable[[], None] = lambda: None,
) -> BudgetFigures:
    """Evaluate the games in a pool that is opened for it, and time that.

    Not timed is the opening, with its trial search. Raises EngineError for a game without
    evaluations: the figures would be those of a machine at fault.
    """
    with open_pool(limit) as pool:
        own_before, children_before = clocks.own_cpu(), clocks.children_cpu()
        started_at = clocks.wall()
        finished_at = list(_finished(pool, sequences, clocks.wall, on_game))
        ended_at = clocks.wall()
        return BudgetFigures(
            limit=limit,
            workers=pool.workers,
            games=len(sequences),
            positions=position_count(sequences),
            wall_seconds=ended_at - started_at,
            engines_cpu_seconds=_difference(clocks.children_cpu(), children_before),
            own_cpu_seconds=clocks.own_cpu() - own_before,
            idle_at_end_seconds=sum(ended_at - moment for moment in finished_at[-pool.workers :]),
            alone=alone,
        )


def games_for(
    seconds: float, sequences: Sequence[PositionSequence], *, workers: int, alone: Searched
) -> list[PositionSequence]:
    """As many games as `workers` engines take about so long for, two a worker at least.

    There may be more than there are `sequences`: they are then taken again, under other names.
    """
    positions_wanted = seconds * workers * alone.positions / max(alone.seconds, 1e-3)
    chosen: list[PositionSequence] = []
    positions = 0
    for sequence in repeated(sequences):
        if positions >= positions_wanted and len(chosen) >= 2 * workers:
            return chosen
        chosen.append(sequence)
        positions += len(sequence.moves_uci) + 1
    return chosen


def repeated(sequences: Sequence[PositionSequence]) -> Iterator[PositionSequence]:
    """The games over and over, each time under other names; none if there are none."""
    for round_number in itertools.count(1) if sequences else ():
        for sequence in sequences:
            yield replace(sequence, game_id=f"{sequence.game_id}, round {round_number}")


def position_count(sequences: Iterable[PositionSequence]) -> int:
    """Positions in all: one more than plies, for each game."""
    return sum(len(sequence.moves_uci) + 1 for sequence in sequences)


def children_cpu_seconds() -> float | None:
    """User and system time of all child processes that have ended; None on Windows."""
    if sys.platform == "win32":
        return None
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def peak_mebibytes() -> float | None:
    """The most memory that this process has had resident so far; None on Windows."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10  # bytes there, else KiB


def _finished(
    pool: Pool, sequences: Sequence[PositionSequence], wall: Clock, on_game: Callable[[], None]
) -> Iterator[float]:
    """When each game was finished, to the end of the iteration: the engines are gone then."""
    for outcome in pool.evaluate(sequences):
        if isinstance(outcome, EngineFailure):
            raise EngineError(
                _("game {game_id} was not evaluated: {reason}").format(
                    game_id=outcome.game_id, reason=outcome.reason
                )
            )
        yield wall()
        on_game()


def _difference(after: float | None, before: float | None) -> float | None:
    return None if after is None or before is None else after - before
