"""A batch from its first player to its last.

Games are fetched, and worked on by engines, ahead of who is reported on. Whatever is finished is
kept at once: a run that is begun again, wherever the one before ended, goes on there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime

from config.errors import MoveloError
from config.language import _
from pipeline.batch.ahead import WorkAhead
from pipeline.batch.fetching import AllHere, FetchAhead, OpenFetcher
from pipeline.batch.folder import BatchFolder
from pipeline.batch.kept_open import KeptOpen
from pipeline.batch.lease import HeldLease
from pipeline.batch.making import Made, PlayerMaker, unforeseen
from pipeline.batch.order import BatchOrder, OpenWhole
from pipeline.batch.patience import patient
from pipeline.batch.progress import REPORTED, BatchProgress, SayOnly
from pipeline.batch.second_tries import FirstTries, SecondTries
from pipeline.batch.side_by_side import Due, Elsewhere, InTurn, SideBySide
from pipeline.batch.slow_games import SlowGames
from pipeline.batch.tally import Tally
from pipeline.progress import Progress
from pipeline.workshop import Workshop

_FAULTS_OF_ALL_IN_A_ROW = 3


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
    elsewhere: Elsewhere | None = None,
) -> Tally:
    """Fetch (unless `open_fetcher` is None) and report on everybody; what became of them.

    `elsewhere` makes reports in other processes; without it all are made here, one by one.
    Raises StoreError when the store is gone for long, MoveloError when another run took over.
    """
    progress = BatchProgress(workshop.progress)
    tally = Tally(began_at=clock())
    with ExitStack() as stack:
        second_tries = SecondTries(FirstTries(engine_id=workshop.noted_engine()))
        kept = stack.enter_context(KeptOpen(replace(workshop, progress=SayOnly(progress))))
        reporting = second_tries.tried_in(kept.workshop)
        maker = PlayerMaker(folder, order, reporting, open_whole=open_whole, clock=clock)
        fetch: AllHere | FetchAhead = AllHere(players)
        if open_fetcher is not None:
            fetch = FetchAhead(
                players, order.selection, open_fetcher, progress=progress, clock=clock
            )
        ahead = second_tries.first_tried_in(replace(workshop, progress=progress))
        slow_games = SlowGames(order.selection, ahead)
        work = WorkAhead(
            fetch,
            ahead,
            slow_games=slow_games,
            is_up_to_date=lambda player: maker.look(player).is_done,
            second_tries=second_tries,
        )
        hand_out: InTurn | SideBySide = InTurn(work.ready())
        if elsewhere is not None:
            hand_out = SideBySide(
                work.ready(),
                maker,
                elsewhere,
                second_tries,
                network=lambda: slow_games.network,
                is_stopped=lambda: bool(tally.stopped_by),
            )
        stack.enter_context(hand_out)
        stack.enter_context(work)
        stack.enter_context(fetch)  # and ends first: each waits for the one that it is handed by
        run = _Run(maker, progress, workshop.progress, lease, sleep, tally)
        run.report(len(players), hand_out.players())
    tally.end(clock(), players)
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

    def report(self, players: int, due: Iterable[Due]) -> None:
        """On each whose turn it is."""
        self._shown.begin(REPORTED, players)
        for one in due:
            if self._lease.is_lost.is_set():
                raise MoveloError(_taken_over())
            made = patient(
                lambda one=one: self._made(one),  # type: ignore[misc]
                sleep=self._sleep,
                say=self._progress.say,
            )
            self._tally.add(made, new_games=one.arrived.new)
            self._shown.advance(REPORTED)

    def _made(self, due: Due) -> Made:
        player, error = due.arrived.player, due.arrived.error
        if error is not None:
            is_reached = due.arrived.is_asked
            return Made(outcome=self._maker.failed(player, _sentence(error), is_reached=is_reached))
        if self._tally.stopped_by:
            sentence = self._tally.stopped_by
            return Made(outcome=self._maker.failed(player, sentence, is_reached=False))
        made = self._maker.made(due.look or self._maker.look(player), due.reported)
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
