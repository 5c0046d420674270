"""A batch from its first player to its last.

Games are fetched, and worked on by engines, ahead of who is reported on. Whatever is finished is
kept at once: a run that is begun again, wherever the one before ended, goes on there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime

from config.errors import MoveloError
from config.language import _
from pipeline.batch.ahead import WorkAhead
from pipeline.batch.fetching import AllHere, Arrived, FetchAhead, OpenFetcher
from pipeline.batch.folder import BatchFolder
from pipeline.batch.kept_open import KeptOpen
from pipeline.batch.lease import HeldLease
from pipeline.batch.making import BatchOrder, Made, OpenWhole, PlayerMaker, unforeseen
from pipeline.batch.patience import patient
from pipeline.batch.progress import REPORTED, BatchProgress, SayOnly
from pipeline.batch.second_tries import SecondTries
from pipeline.batch.slow_games import SlowGames
from pipeline.progress import Progress
from pipeline.store.batch_records import OutcomeState, PlayerOutcome, RunAccount
from pipeline.workshop import Workshop

_FAULTS_OF_ALL_IN_A_ROW = 3


@dataclass(slots=True, kw_only=True)
class Tally:
    """What became of the players in this run, as it goes.

    `states` counts them; of the reported and those without games, `unchanged` were so before.
    `told` are those with something to tell: new reports and faults.
    """

    began_at: datetime
    ended_at: datetime | None = None
    states: Counter[OutcomeState] = field(default_factory=Counter)
    unchanged: int = 0
    new_games: int = 0
    games_reported: int = 0
    told: list[PlayerOutcome] = field(default_factory=list)
    stopped_by: str = ""

    @property
    def players(self) -> int:
        """All of them."""
        return self.states.total()

    @property
    def faults(self) -> int:
        """Those of whom nothing was made although something should have been."""
        return self.states["failed"] + self.states["not_reached"]

    @property
    def exit_code(self) -> int:
        """0 when all went well, 3 when part of it did, 1 when nothing did."""
        if not self.faults:
            return 0
        return 3 if self.players > self.faults else 1

    def account(self) -> RunAccount:
        """The whole run, when it is over."""
        return RunAccount(
            began_at=self.began_at,
            ended_at=self.ended_at or self.began_at,
            exit_code=self.exit_code,
            states=tuple(sorted(self.states.items())),
            unchanged=self.unchanged,
            new_games=self.new_games,
            games_reported=self.games_reported,
            stopped_by=self.stopped_by,
            told=tuple(self.told),
        )

    def add(self, made: Made, *, new_games: int) -> None:
        """One more player."""
        self.states[made.outcome.state] += 1
        self.unchanged += made.is_unchanged
        self.new_games += new_games
        if not made.is_unchanged:
            self.games_reported += made.outcome.games
            self.told.append(made.outcome.told_briefly())


def run_batch(
    players: Sequence[str],
    folder: BatchFolder,
    order: BatchOrder,
    workshop: Workshop,
    *,
    open_fetcher: OpenFetcher | None,
    lease: HeldLease,
    open_whole: OpenWhole,
    clock: Callable[[], datetime],
    sleep: Callable[[float], None],
) -> Tally:
    """Fetch (unless `open_fetcher` is None) and report on everybody; what became of them.

    Raises StoreError when the store is gone for long, MoveloError when another run took over.
    """
    progress = BatchProgress(workshop.progress)
    tally = Tally(began_at=clock())
    with ExitStack() as stack:
        second_tries = SecondTries()
        kept = stack.enter_context(KeptOpen(replace(workshop, progress=SayOnly(progress))))
        reporting = second_tries.tried_in(kept.workshop)
        maker = PlayerMaker(folder, order, reporting, open_whole=open_whole, clock=clock)
        fetch: AllHere | FetchAhead = AllHere(players)
        if open_fetcher is not None:
            fetch = FetchAhead(
                players, order.selection, open_fetcher, progress=progress, clock=clock
            )
        ahead = second_tries.first_tried_in(replace(workshop, progress=progress))
        work = WorkAhead(
            fetch,
            ahead,
            slow_games=SlowGames(order.selection, ahead),
            is_up_to_date=maker.is_up_to_date,
            second_tries=second_tries,
        )
        stack.enter_context(work)
        stack.enter_context(fetch)  # and ends first: whoever works ahead waits for it
        run = _Run(maker, progress, workshop.progress, lease, sleep, tally)
        run.report(len(players), work.arrived())
    tally.ended_at = clock()
    return tally


class _Run:
    """Who is reported on, one after the other."""

    def __init__(
        self,
        maker: PlayerMaker,
        progress: BatchProgress,
        shown: Progress,
        lease: HeldLease,
        sleep: Callable[[float], None],
        tally: Tally,
    ) -> None:
        self._maker = maker
        self._progress = progress
        self._shown = shown
        self._lease = lease
        self._sleep = sleep
        self._tally = tally
        self._faults_of_all = 0

    def report(self, players: int, arriving: Iterable[Arrived]) -> None:
        """On each that arrives."""
        self._shown.begin(REPORTED, players)
        for arrived in arriving:
            if self._lease.is_lost.is_set():
                raise MoveloError(_taken_over())
            made = patient(
                lambda arrived=arrived: self._made(arrived),  # type: ignore[misc]
                sleep=self._sleep,
                say=self._progress.say,
            )
            self._tally.add(made, new_games=arrived.new)
            self._shown.advance(REPORTED)

    def _made(self, arrived: Arrived) -> Made:
        player = arrived.player
        if arrived.error is not None:
            is_reached = arrived.is_asked
            sentence = _sentence(arrived.error)
            return Made(outcome=self._maker.failed(player, sentence, is_reached=is_reached))
        if self._tally.stopped_by:
            sentence = self._tally.stopped_by
            return Made(outcome=self._maker.failed(player, sentence, is_reached=False))
        made = self._maker.made(player)
        self._note_faults_of_all(made)
        return made

    def _note_faults_of_all(self, made: Made) -> None:
        """What is wrong with everybody is not tried with hundreds of them."""
        if made.is_unchanged:
            return
        self._faults_of_all = self._faults_of_all + 1 if made.is_of_all else 0
        if self._faults_of_all >= _FAULTS_OF_ALL_IN_A_ROW:
            self._tally.stopped_by = made.outcome.sentence


def _sentence(error: BaseException) -> str:
    return str(error) if isinstance(error, MoveloError) else unforeseen()


def _taken_over() -> str:
    return _(
        "This machine was silent for too long, and another one goes on with this batch: see there."
    )
