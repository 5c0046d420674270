"""One player of a batch: nothing where nothing is new, else a report, its files, what is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, TypeAlias

from config.errors import EngineError, ModelError, MoveloError, NoGames, StoreError
from config.language import english, speaking
from pipeline.batch.dataset import player_table
from pipeline.batch.folder import BatchFolder, file_stem
from pipeline.batch.inputs import Inputs, inputs_digest, kept_digest
from pipeline.batch.outcomes import outcome_of
from pipeline.records import PlayerReport
from pipeline.run import report_on
from pipeline.selection import Selection
from pipeline.store.batch_records import PlayerOutcome
from pipeline.store.runs import Kept
from pipeline.workshop import Workshop

OpenWhole: TypeAlias = Callable[[Path], AbstractContextManager[BinaryIO]]
"""A file that is there when all of it is written; StoreError when it cannot be."""

ToText: TypeAlias = Callable[[PlayerReport], str]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOrder:
    """What is made of everybody.

    `selection` is everybody's but for the name; `recipe` stands for whatever else changes
    reports (versions, models, limits, formats); `formats` are by the ending of their files.
    Alerts need `alert_probability` (0.5 to 1); what moved is looked for over `alert_days`.
    """

    selection: Selection
    recipe: str
    formats: Mapping[str, ToText]
    with_tables: bool
    alert_probability: float
    alert_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What became of a player in this run; `is_unchanged`: it was so before, and nothing is new.

    `is_of_all`: what failed is no matter of this player, such as an engine that is missing.
    """

    outcome: PlayerOutcome
    is_unchanged: bool = False
    is_of_all: bool = False


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
        self._workshop = workshop
        self._open_whole = open_whole
        self._clock = clock

    def made(self, player: str) -> Made:
        """Of a player whose games are in the store. StoreError is raised, other errors are told."""
        selection, before, now = self._looked_at(player)
        if before is not None and self._is_done(before, now):
            if before.kept_digest != now.kept_digest:
                self._keep(player, now.kept_digest, now.inputs_digest, before.outcome)
            return Made(outcome=before.outcome, is_unchanged=True)
        return self._made(selection, now.kept_digest, _stem(player, before))

    def is_up_to_date(self, player: str) -> bool:
        """Whether nothing would be made."""
        _selection, before, now = self._looked_at(player)
        return before is not None and self._is_done(before, now)

    def failed(self, player: str, sentence: str, *, is_reached: bool = True) -> PlayerOutcome:
        """Nothing was made; what was made before stays."""
        runs = self._workshop.store.runs
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

    def _looked_at(self, player: str) -> tuple[Selection, Kept | None, _Digests]:
        store = self._workshop.store
        selection = replace(self._order.selection, player=player)
        before = store.runs.kept(self._folder.id, player.casefold())
        now = _Digests(kept_digest(player, store), lambda: inputs_digest(selection, store))
        return selection, before, now

    def _is_done(self, before: Kept, now: _Digests) -> bool:
        if before.recipe != self._order.recipe or not self._has_files(before.outcome):
            return False
        return before.kept_digest == now.kept_digest or before.inputs_digest == now.inputs_digest

    def _made(self, selection: Selection, kept_digest: str, stem: str) -> Made:
        inputs = Inputs(selection, self._workshop.store)
        try:
            outcome = self._outcome(selection, inputs, stem)
        except StoreError:
            raise
        except (EngineError, ModelError) as error:
            return Made(outcome=self.failed(selection.player, str(error)), is_of_all=True)
        except MoveloError as error:
            return Made(outcome=self.failed(selection.player, str(error)))
        except Exception:
            _log.exception("the report on %s failed", selection.player)
            return Made(outcome=self.failed(selection.player, unforeseen()))
        self._note_books_due()
        self._keep(selection.player, kept_digest, inputs.digest, outcome)
        return Made(outcome=outcome)

    def _outcome(self, selection: Selection, inputs: Inputs, stem: str) -> PlayerOutcome:
        try:
            return self._reported(selection, inputs, stem)
        except NoGames as error:
            return self._without_games(selection.player, stem, str(error))

    def _reported(self, selection: Selection, inputs: Inputs, stem: str) -> PlayerOutcome:
        workshop = replace(self._workshop, now=self._clock())
        with speaking("en"):  # what is kept is retold to whoever reads it
            report = report_on(inputs.games(), selection, workshop)
        for ending, to_text in self._order.formats.items():
            self._write(self._folder.reports / f"{stem}.{ending}", to_text(report).encode())
        if self._order.with_tables:
            self._write(self._folder.rows / f"{stem}.parquet", player_table(report))
        return outcome_of(
            report,
            stem=stem,
            alert_probability=self._order.alert_probability,
            alert_days=self._order.alert_days,
        )

    def _write(self, file: Path, content: bytes) -> None:
        with self._open_whole(file) as to:
            to.write(content)

    def _without_games(self, player: str, stem: str, sentence: str) -> PlayerOutcome:
        outcome = PlayerOutcome(
            player=player,
            file_stem=stem,
            state="without_games",
            sentence=sentence,
            made_at=self._clock(),
        )
        for file in self._files(stem):
            file.unlink(missing_ok=True)
        return outcome

    def _keep(
        self, player: str, kept_digest: str, inputs_digest: str, outcome: PlayerOutcome
    ) -> None:
        kept = Kept(
            recipe=self._order.recipe,
            kept_digest=kept_digest,
            inputs_digest=inputs_digest,
            outcome=outcome,
        )
        self._workshop.store.runs.keep(self._folder.id, player.casefold(), kept)

    def _note_books_due(self) -> None:
        """Before anything is kept: a run that ends between the two leaves it to the next one."""
        if not self._folder.books_due.exists():
            self._write(self._folder.books_due, b"")

    def _has_files(self, outcome: PlayerOutcome) -> bool:
        if outcome.state != "reported":
            return True
        return all(file.exists() for file in self._files(outcome.file_stem))

    def _files(self, stem: str) -> list[Path]:
        files = [self._folder.reports / f"{stem}.{ending}" for ending in self._order.formats]
        if self._order.with_tables:
            files.append(self._folder.rows / f"{stem}.parquet")
        return files


class _Digests:
    """The second one takes long, and is not always needed."""

    def __init__(self, kept: str, make_inputs_digest: Callable[[], str]) -> None:
        self.kept_digest = kept
        self._make = make_inputs_digest

    @cached_property
    def inputs_digest(self) -> str:
        return self._make()


def _stem(player: str, before: Kept | None) -> str:
    """Whoever is spelled otherwise today still has one report, and each game once in the table."""
    return file_stem(player) if before is None else before.outcome.file_stem


def unforeseen() -> str:
    """What is told of an error in movelo itself."""
    return english(
        "Something went wrong that nobody foresaw; the log on standard error has it. Run the batch "
        "again, or leave this player out."
    )
