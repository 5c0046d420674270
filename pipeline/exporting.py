"""A player's games with what movelo found of them, one after the other: nothing is kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from config.errors import EngineNotFound, NoGames
from config.language import english
from engines.evals import EngineFailure, EngineId, GameEvals, PositionSequence
from pipeline.analysis import source_evals
from pipeline.assessment import Assessment, ReadableGame
from pipeline.evaluation import Deliver, Evaluator, OpenEvaluator
from pipeline.leftovers import notes_on, nothing_left
from pipeline.listing import Listing
from pipeline.records import Game, GameReport, NoEstimate, SetAside
from pipeline.replay import Replay
from pipeline.report import AssessedGame, game_report
from pipeline.selection import Selection
from pipeline.workshop import Workshop

NOT_ASKED = english("it came without evaluations, and no engine was asked")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldGame:
    """A game, and what a report says of it; `evals` are those that it is made of, if any."""

    report: GameReport
    game: Game
    replay: Replay
    evals: GameEvals | None


class Telling:
    """The games that a report would be about, by the same way, in its order: newest first.

    They are held until those before them are finished: a few hundred, however many there are.
    """

    def __init__(
        self, found: Iterable[Game | SetAside], selection: Selection, workshop: Workshop
    ) -> None:
        self._found = found
        self._selection = selection
        self._workshop = workshop
        self._listing: Listing | None = None
        self._begun: deque[ReadableGame] = deque()
        self.told = 0
        self.faults: list[SetAside] = []

    def games(self, *, with_evals: bool) -> Generator[ToldGame, None, None]:
        """Each once. NoGames says what there was instead; `evals` is None unless asked for."""
        with Assessment(self._workshop) as assessment:
            listing = self._listing = Listing(
                self._selection,
                arriving=(),
                found=lambda: self._found,
                expect=assessment.expect,
            )
            finished = assessment.assessed(self._noted(listing.games()))
            for readable, assessed in self._in_order(finished):
                self.told += 1
                self.faults.extend(assessed.faults)
                evals = self._evals(readable, assessed) if with_evals else None
                yield _told(readable, assessed, evals)
        if not self.told:
            raise NoGames(nothing_left(self._selection, listing.selected, self.left_out))

    @property
    def left_out(self) -> tuple[SetAside, ...]:
        """Games that were asked for and are not there; known once all have come."""
        listing = self._finished_listing()
        return (*listing.selected.set_aside, *listing.unreadable)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the selection itself leaves out, in sentences; known once all have come."""
        return tuple(notes_on(self._selection, self._finished_listing().selected))

    def _finished_listing(self) -> Listing:
        if self._listing is None:
            raise RuntimeError("nothing has been told yet")
        return self._listing

    def _noted(self, games: Iterable[ReadableGame]) -> Iterator[ReadableGame]:
        for readable in games:
            self._begun.append(readable)
            yield readable

    def _in_order(
        self, finished: Iterable[AssessedGame]
    ) -> Iterator[tuple[ReadableGame, AssessedGame]]:
        waiting: dict[str, AssessedGame] = {}
        for assessed in finished:
            waiting[assessed.game.id] = assessed
            while self._begun and self._begun[0].game.id in waiting:
                readable = self._begun.popleft()
                yield readable, waiting.pop(readable.game.id)

    def _evals(self, readable: ReadableGame, assessed: AssessedGame) -> GameEvals | None:
        analysis = assessed.analysis
        if analysis is None:
            return None
        if analysis.limit is None:
            return source_evals(readable.game, readable.replay)
        positions = readable.replay.positions()
        return self._workshop.store.evals(positions, analysis.engine, analysis.limit)


def without_searches(workshop: Workshop) -> Workshop:
    """The same, with the evaluations that an engine has made before, and no new ones."""
    opened = _kept_evaluations(workshop.open_evaluator)
    return replace(workshop, open_evaluator=opened, ask_others=None)


def _kept_evaluations(open_evaluator: OpenEvaluator) -> OpenEvaluator:
    @contextmanager
    def opened(deliver: Deliver) -> Iterator[Evaluator]:
        yield _OnlyKept(_engine_id(open_evaluator), deliver)

    return opened


def _engine_id(open_evaluator: OpenEvaluator) -> EngineId:
    """Whose evaluations to look for in the store; without an engine, nobody's."""
    try:
        with open_evaluator(_ignore) as evaluator:  # it may say, at its end, that it is no more
            return evaluator.engine_id
    except EngineNotFound:
        return EngineId(name="no engine")


def _ignore(outcome: GameEvals | EngineFailure | BaseException) -> None:
    """Nothing was asked."""


class _OnlyKept:
    """An evaluator that refuses whatever it is asked."""

    def __init__(self, engine_id: EngineId, deliver: Deliver) -> None:
        self.engine_id = engine_id
        self._deliver = deliver

    def submit(self, sequence: PositionSequence) -> None:
        """There is no answer for this one."""
        self._deliver(EngineFailure(game_id=sequence.game_id, reason=NOT_ASKED))


def _told(readable: ReadableGame, assessed: AssessedGame, evals: GameEvals | None) -> ToldGame:
    report = game_report(assessed)
    if assessed.engine_failure == NOT_ASKED:
        absent = NoEstimate(reason=NOT_ASKED)
        white = replace(report.white, strength=absent, explanation=absent)
        black = replace(report.black, strength=absent, explanation=absent)
        report = replace(report, white=white, black=black)
    return ToldGame(report=report, game=readable.game, replay=readable.replay, evals=evals)
