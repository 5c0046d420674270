"""One player of a batch: nothing where nothing is new, else a report, and what is kept of it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from config.errors import EngineError, ModelError, MoveloError, StoreError
from config.language import english
from pipeline.batch.folder import BatchFolder, file_stem
from pipeline.batch.inputs import inputs_digest, kept_digest
from pipeline.batch.order import BatchOrder, OpenWhole
from pipeline.batch.reporting import Reported, ReportMaker, ToReport
from pipeline.store.batch_records import PlayerOutcome
from pipeline.store.runs import Kept
from pipeline.workshop import Workshop

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What became of a player in this run; `is_unchanged`: it was so before, and nothing is new.

    `is_of_all`: what failed is no matter of this player, such as an engine that is missing.
    """

    outcome: PlayerOutcome
    is_unchanged: bool = False
    is_of_all: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A player before anything is made: what runs `before` kept, and what is in the store.

    `is_done` where nothing is new and nothing is missing.
    """

    player: str
    before: Kept | None
    kept_digest: str
    is_done: bool

    @property
    def stem(self) -> str:
        """What the player's files are called."""
        return _stem(self.player, self.before)


class PlayerMaker:
    """Makes one player after the other; `clock` gives UTC."""

    def __init__(
        self,
        folder: BatchFolder,
        order: BatchOrder,
        workshop: Workshop,
        *,
        open_whole: OpenWhole,
        clock: Callable[[], datetime],
    ) -> None:
        self._folder = folder
        self._order = order
        self._store = workshop.store
        self._reports = ReportMaker(folder, order, workshop, open_whole=open_whole)
        self._open_whole = open_whole
        self._clock = clock

    def look(self, player: str) -> Look:
        """At a player whose games are in the store. StoreError where it can't be looked at."""
        before = self._store.runs.kept(self._folder.id, player.casefold())
        kept = kept_digest(player, self._store)
        is_done = before is not None and self._is_done(player, before, kept)
        return Look(player=player, before=before, kept_digest=kept, is_done=is_done)

    def to_report(self, look: Look) -> ToReport:
        """What is to be made."""
        return ToReport(player=look.player, stem=look.stem, now=self._clock())

    def made(self, look: Look, reported: Reported | None = None) -> Made:
        """Kept now, of what was `reported` elsewhere if anything was, and else made here.

        StoreError is raised, other errors are told.
        """
        before = look.before
        if before is not None and look.is_done:
            if before.kept_digest != look.kept_digest:
                self._keep(look, before.inputs_digest, before.outcome)
            return Made(outcome=before.outcome, is_unchanged=True)
        made = reported or self._made(look)
        if isinstance(made, Reported):
            self._note_books_due()
            self._keep(look, made.inputs_digest, made.outcome)
            return Made(outcome=made.outcome)
        return made

    def failed(self, player: str, sentence: str, *, is_reached: bool = True) -> PlayerOutcome:
        """Nothing was made; what was made before stays."""
        runs = self._store.runs
        before = runs.kept(self._folder.id, player.casefold())
        outcome = PlayerOutcome(
            player=player,
            file_stem=_stem(player, before),
            state="failed" if is_reached else "not_reached",
            sentence=sentence,
        )
        if before is None or (before.outcome.is_fault and before.outcome != outcome):
            self._note_books_due()
            kept = Kept(recipe="", kept_digest="", inputs_digest="", outcome=outcome)
            runs.keep(self._folder.id, player.casefold(), kept)
        return outcome

    def _is_done(self, player: str, before: Kept, kept: str) -> bool:
        if before.recipe != self._order.recipe or not self._reports.has_files(before.outcome):
            return False
        if before.kept_digest == kept:
            return True
        selection = replace(self._order.selection, player=player)
        return before.inputs_digest == inputs_digest(selection, self._store)

    def _made(self, look: Look) -> Reported | Made:
        try:
            return self._reports.reported(self.to_report(look))
        except StoreError:
            raise
        except (EngineError, ModelError) as error:
            return Made(outcome=self.failed(look.player, str(error)), is_of_all=True)
        except MoveloError as error:
            return Made(outcome=self.failed(look.player, str(error)))
        except Exception:
            _log.exception("the report on %s failed", look.player)
            return Made(outcome=self.failed(look.player, unforeseen()))

    def _keep(self, look: Look, inputs_digest: str, outcome: PlayerOutcome) -> None:
        kept = Kept(
            recipe=self._order.recipe,
            kept_digest=look.kept_digest,
            inputs_digest=inputs_digest,
            outcome=outcome,
        )
        self._store.runs.keep(self._folder.id, look.player.casefold(), kept)

    def _note_books_due(self) -> None:
        """Before anything is kept: a run that ends between the two leaves it to the next one."""
        if not self._folder.books_due.exists():
            with self._open_whole(self._folder.books_due):
                pass


def _stem(player: str, before: Kept | None) -> str:
    """Whoever is spelled otherwise today still has one report, and each game once in the table."""
    return file_stem(player) if before is None else before.outcome.file_stem


def unforeseen() -> str:
    """What is told of an error in movelo itself."""
    return english(
        "Something went wrong that nobody foresaw; the log on standard error has it. Run the batch "
        "again, or leave this player out."
    )
